package owner

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
	"frontdesk/internal/i18n"
)

type deadlines struct {
	http.ResponseWriter
	read, write time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error  { d.read = t; return nil }
func (d *deadlines) SetWriteDeadline(t time.Time) error { d.write = t; return nil }

// Each part that arrives gives a body 30 seconds more, up to ten minutes.
func TestUploadsMayTakeLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		connection, began := &deadlines{ResponseWriter: httptest.NewRecorder()}, time.Now()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(strings.Repeat("a=b&", 10)))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		expect.OK(t, visit{Request: r, w: connection}.parseForm())
		body := r.Body.(patientBody)
		for _, tt := range []struct{ after, deadline time.Duration }{
			{0, 30 * time.Second}, {time.Minute, 90 * time.Second}, {595 * time.Second, 600 * time.Second},
			{time.Hour, 600 * time.Second},
		} {
			time.Sleep(time.Until(began.Add(tt.after)))
			_, _ = body.Read(nil)
			expect.Same(t, fmt.Sprint("the deadline after ", tt.after), tt.deadline, connection.read.Sub(began))
		}
		expect.Same(t, "the deadline of the answer", 630*time.Second, connection.write.Sub(began))
	})
}

func TestUnreadableForms(t *testing.T) {
	t.Parallel()
	const urlencoded, multipart = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
	for _, tt := range []struct {
		contentType, body string
		err               error
		want              string
	}{
		{multipart, "", os.ErrDeadlineExceeded, "408 slow"},
		{urlencoded, "answer=a", io.ErrUnexpectedEOF, "400 unread"},
		{multipart, "--x\r\nContent-Disposition: form-data; name=answer\r\n\r\na", io.EOF, "400 unread"},
		{"multipart/form-data", "", io.EOF, "400 unread"},
		{"text/plain", "answer=a", io.EOF, "400 unread"},
		{"", "", io.EOF, "400 unread"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/",
			io.MultiReader(strings.NewReader(tt.body), iotest.ErrReader(tt.err)))
		r.Header.Set("Content-Type", tt.contentType)
		shown, _ := errors.AsType[*problem](visit{Request: r, w: httptest.NewRecorder()}.parseForm())
		expect.Same(t, tt.contentType, tt.want, fmt.Sprint(shown.status, " ", shown.key))
	}
}

func TestErrorsOfTheSystemAreNotShown(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	v := visit{Pages: &Pages{Config: Config{Log: zerolog.New(&log)}}, Printer: i18n.For("en")}
	for err, want := range map[error]string{
		fmt.Errorf("write faq.yaml: %w", syscall.ENOSPC): "The disk of the server is full.",
		errors.New("open faq.yaml: input/output error"):  "This change could not be made.",
	} {
		got := v.reasonOf(err)
		expect.Holds(t, err.Error(), got, want)
		expect.Lacks(t, err.Error(), got, "faq.yaml")
	}
	expect.Holds(t, "the log", log.String(), "input/output error")
}

func signingIn(config Config) visit {
	r := httptest.NewRequest(http.MethodPost, pathSignIn, nil)
	return visit{Pages: New(config), Request: r, w: httptest.NewRecorder()}
}

func TestTriesDoNotWait(t *testing.T) {
	t.Parallel()
	v := signingIn(Config{})
	entered, thawed, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		_, _ = v.try(func() (bool, error) {
			close(entered)
			<-thawed
			return false, nil
		})
	}()
	<-entered
	right := expect.Value(v.try(func() (bool, error) { return true, nil }))(t)
	expect.Same(t, "right", true, right)
	close(thawed)
	<-done
}

func TestRefusedTries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		refused := 0
		v := signingIn(Config{Refused: func() { refused++ }, Log: zerolog.New(&log)})
		try := func(times int, right bool) {
			for range times {
				_, _ = v.try(func() (bool, error) { return right, nil })
			}
		}
		try(1, true)
		try(8, false) // three of them are over the limit
		time.Sleep(time.Minute)
		try(1, false)
		expect.Same(t, "counted", 9, refused)
		expect.Same(t, "warnings", 2, strings.Count(log.String(), "\n"))
		expect.Holds(t, "the log", log.String(), `"since_start":9`)
	})
}
