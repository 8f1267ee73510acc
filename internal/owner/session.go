package owner

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"frontdesk/internal/i18n"
	"frontdesk/internal/images"
	"frontdesk/internal/records"
)

const (
	// LinkLifetime is how long a sign-in link works.
	LinkLifetime = 15 * time.Minute
	// sessionLifetime is how long a browser stays signed in.
	sessionLifetime = 7 * 24 * time.Hour
)

// cookieName names the cookie of a session. Browsers share cookies among the ports of a host (RFC 6265 section 8.5),
// so the name has the port: two desks on one machine do not sign each other out.
func cookieName(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host) // none where the host has no port
	return "frontdesk_owner" + port
}

// session is someone who is signed in: a browser with a cookie, or a program with the
// token.
type session struct {
	key           string // the value of the cookie; empty with the token
	ok            bool
	*i18n.Printer // in the reader's language
}

// sessionFunc answers a request of someone who is signed in.
type sessionFunc func(w http.ResponseWriter, r *http.Request, s session) error

// signedIn sends a reader without a session to the sign-in page, and refuses a form
// without a session.
func (p *Pages) signedIn(handle sessionFunc) pageFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if scheme, token, given := strings.Cut(r.Header.Get("Authorization"), " "); given &&
			strings.EqualFold(scheme, "Bearer") {
			if err := p.tryToken(w, r, token); err != nil {
				return err
			}
			if err := parseForm(w, r); err != nil {
				return err
			}
			return handle(w, r, session{ok: true, Printer: p.words(r)}) // no browser sends the header by itself
		}
		s, err := p.sessionOf(r)
		if err != nil {
			return err
		}
		if !s.ok && r.Method != http.MethodPost {
			return redirect(w, r, signInAddress(r.URL.RequestURI()), "")
		}
		if !s.ok {
			return &problem{status: http.StatusUnauthorized, key: "signin"}
		}
		if err := parseForm(w, r); err != nil {
			return err
		}
		err = handle(w, r, s)
		if shown, ok := errors.AsType[*problem](err); ok { // with the way to the other pages
			return p.showProblem(w, r, shown, s)
		}
		return err
	}
}

// Bounds of the time that a form of someone who is signed in may take, because a photo over a slow
// line takes minutes: without a byte, and in all.
const (
	maxPause  = 30 * time.Second
	maxUpload = 10 * time.Minute
)

// parseForm reads the form of a request of someone who is signed in. It refuses one that is too
// large, too slow or incomplete.
func parseForm(w http.ResponseWriter, r *http.Request) error {
	control, end := http.NewResponseController(w), time.Now().Add(maxUpload)
	_ = control.SetWriteDeadline(end.Add(maxPause)) // fails only for a recorder of tests
	r.Body = patientBody{r.Body, control, end}
	err := r.ParseForm()
	if err == nil {
		err = r.ParseMultipartForm(maxForm) // larger files are kept on the disk meanwhile
	}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		if tooLarge.Limit > maxForm {
			return &problem{status: http.StatusRequestEntityTooLarge, key: "large", arguments: []any{images.MaxUpload >> 20}}
		}
		return &problem{status: http.StatusRequestEntityTooLarge, key: "long", arguments: []any{maxForm >> 20}}
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &problem{status: http.StatusRequestTimeout, key: "slow"}
	case r.Method == http.MethodPost && (!isForm(r) || err != nil && !errors.Is(err, http.ErrNotMultipart)):
		return &problem{status: http.StatusBadRequest, key: "unread"} // what was read of it may lack values
	}
	return nil
}

// isForm reports whether a request has a form as browsers send it. Without one, its values would be taken for empty.
func isForm(r *http.Request) bool {
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return mediaType == "application/x-www-form-urlencoded" || mediaType == "multipart/form-data"
}

// patientBody is the body of a request that may take long, as long as parts of it arrive.
type patientBody struct {
	io.ReadCloser
	control *http.ResponseController
	end     time.Time
}

func (b patientBody) Read(p []byte) (int, error) {
	deadline := time.Now().Add(maxPause)
	if deadline.After(b.end) {
		deadline = b.end
	}
	_ = b.control.SetReadDeadline(deadline)
	return b.ReadCloser.Read(p)
}

// signInAddress is the sign-in page that leads on to an address of ours.
func signInAddress(next string) string {
	if !isLocal(next) || next == Path {
		return pathSignIn
	}
	return pathSignIn + "?" + url.Values{"next": {next}}.Encode()
}

func (p *Pages) sessionOf(r *http.Request) (session, error) {
	s := session{Printer: p.words(r)}
	for i, cookie := range r.CookiesNamed(cookieName(r)) { // one of another desk may come first
		if i == maxCookies {
			break
		}
		found, err := p.Store.HasOwnerKey(r.Context(), records.OwnerSession, p.hash(cookie.Value), time.Now())
		if found || err != nil {
			s.key, s.ok = cookie.Value, found
			return s, err
		}
	}
	return s, nil
}

// maxCookies bounds the lookups that a request without a session can cause.
const maxCookies = 10

// hash is what is stored of a key. It depends on the token, so that another token ends
// every session and every link.
func (p *Pages) hash(key string) string {
	mac := hmac.New(sha256.New, []byte(p.Token))
	mac.Write([]byte(key))
	return hex.EncodeToString(mac.Sum(nil))
}

// isToken reports whether a text is the token. It compares digests, so that the time says nothing about the token.
func (p *Pages) isToken(text string) bool {
	return p.Token != "" && hmac.Equal([]byte(p.hash(text)), []byte(p.hash(p.Token)))
}

// tryToken accepts the token, or refuses with a limit on the tries of a client.
func (p *Pages) tryToken(w http.ResponseWriter, r *http.Request, token string) error {
	right, err := p.try(w, r, func() (bool, error) { return p.isToken(token), nil })
	if right || err != nil {
		return err
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="frontdesk"`)
	return &problem{status: http.StatusUnauthorized, key: "token"}
}

// try reports whether an attempt to sign in is right. It refuses a client that has failed too often even if it is right
// now, because its guesses would go on otherwise. A right attempt gives its slot back. No lock is held while the
// database is asked, so that one attempt does not delay another.
func (p *Pages) try(w http.ResponseWriter, r *http.Request, isRight func() (bool, error)) (right bool, err error) {
	slot := p.tries.Take(r.Context())
	if !slot.Allowed {
		p.noteRefusal()
		w.Header().Set("Retry-After", strconv.Itoa(int(signInPolicy.Window.Seconds())))
		return false, &problem{status: http.StatusTooManyRequests, key: "tries"}
	}
	if right, err = isRight(); right || err != nil {
		slot.GiveBack(r.Context())
	} else {
		p.noteRefusal()
	}
	return right, err
}

// noteRefusal counts a refused attempt to sign in, and warns of them at most once a minute.
func (p *Pages) noteRefusal() {
	if p.Refused != nil {
		p.Refused()
	}
	p.warnings.Warn().Int64("since_start", p.refusals.Add(1)).Msg("attempts to sign in to the owner's pages were refused")
}

// SignInLink makes a link that signs one browser in, once.
func (p *Pages) SignInLink(ctx context.Context) (string, error) {
	key := rand.Text()
	if err := p.Store.AddOwnerKey(ctx, records.SignInLink, p.hash(key), time.Now().Add(LinkLifetime)); err != nil {
		return "", err
	}
	return strings.TrimSuffix(p.Address, Path) + pathSignIn + "?link=" + key, nil
}

func (p *Pages) showSignIn(w http.ResponseWriter, r *http.Request) error {
	link, next := r.URL.Query().Get("link"), r.URL.Query().Get("next")
	if s, err := p.sessionOf(r); err == nil && s.ok && link == "" {
		return redirect(w, r, nextPage(next), "")
	}
	return p.writeSignIn(w, r, http.StatusOK, link, next, "")
}

// writeSignIn shows the sign-in page, with the key of the message of an error.
func (p *Pages) writeSignIn(w http.ResponseWriter, r *http.Request, status int, link, next, failure string) error {
	return p.show(w, r, session{}, view{Title: p.words(r).Text("owner.signin"), Status: status, Narrow: true}, "signin",
		data{
			"Link": link, "Next": next, "HasToken": p.Token != "", "Error": failure,
		})
}

// nextPage is where to go after signing in, by what an address or a form says.
func nextPage(next string) string {
	if isLocal(next) {
		return next
	}
	return Path
}

// signIn makes a session of a link or of the token.
func (p *Pages) signIn(w http.ResponseWriter, r *http.Request) error {
	next := r.PostFormValue("next")
	right, err := p.try(w, r, func() (bool, error) { return p.accepts(r) })
	if err != nil {
		return err
	}
	if !right {
		failure := "owner.signin.wrongtoken"
		if r.PostFormValue("link") != "" {
			failure = "owner.signin.wronglink"
		}
		return p.writeSignIn(w, r, http.StatusUnauthorized, "", next, failure)
	}
	key := rand.Text()
	if err := p.Store.AddOwnerKey(r.Context(), records.OwnerSession, p.hash(key),
		time.Now().Add(sessionLifetime)); err != nil {
		return err
	}
	http.SetCookie(w, p.cookie(r, cookieName(r), key, int(sessionLifetime.Seconds())))
	return redirect(w, r, nextPage(next), "")
}

// accepts reports whether a form holds a link that works, which it uses up, or the token.
func (p *Pages) accepts(r *http.Request) (bool, error) {
	if link := r.PostFormValue("link"); link != "" {
		return p.Store.UseOwnerKey(r.Context(), records.SignInLink, p.hash(link), time.Now())
	}
	return p.isToken(strings.TrimSpace(r.PostFormValue("token"))), nil
}

// signOut ends the session of a browser.
func (p *Pages) signOut(w http.ResponseWriter, r *http.Request, s session) error {
	if _, err := p.Store.UseOwnerKey(r.Context(), records.OwnerSession, p.hash(s.key), time.Now()); err != nil {
		return err
	}
	http.SetCookie(w, p.cookie(r, cookieName(r), "", -1))
	return redirect(w, r, pathSignIn, "")
}

func (p *Pages) cookie(r *http.Request, name, value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: name, Value: value, Path: Path, MaxAge: maxAge,
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil || p.HTTPS(r.Host),
	}
}
