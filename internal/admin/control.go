package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Files of the data folder: the socket, and what a service locks that runs beside the one
// at the socket.
const (
	socketName = "control.sock"
	secondName = "second.lock"
)

// dialTimeout bounds the connection to a socket on the same machine.
const dialTimeout = 2 * time.Second

// Names of what a command can ask for.
const (
	ActionReload     = "reload"     // of the content and the keys; the answer is what is live then
	ActionAddress    = "address"    // how a command reaches it: its address, a space, and host and port to connect to
	ActionSignInLink = "admin-link" // a link that opens the owner's pages
)

// Action answers what a command asks for, or returns why it does not.
type Action func(context.Context) (string, error)

// Errors of ServeControl and Ask.
var (
	ErrInUse      = errors.New("another service uses the socket of the data folder")
	ErrNotRunning = errors.New("no service runs on the data folder")
)

// RefusedError is the answer of a service that does not do what it was asked for. Its
// text says why; that of a reload names every fault.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return e.Reason }

// ServeControl answers at the socket of a data folder until stop is called, which removes the
// socket. It replaces the socket of a service that was killed, and fails with ErrInUse when
// another service answers there. Actions are by name.
func ServeControl(ctx context.Context, dir string, actions map[string]Action) (stop func(), err error) {
	if IsRunning(ctx, dir) {
		return nil, ErrInUse
	}
	path := filepath.Join(dir, socketName)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	mux := http.NewServeMux()
	for name, act := range actions {
		mux.HandleFunc("POST /"+name, func(w http.ResponseWriter, r *http.Request) {
			answer, err := act(r.Context())
			if err != nil {
				http.Error(w, err.Error(), http.StatusUnprocessableEntity)
				return
			}
			_, _ = io.WriteString(w, answer) // the command may have been interrupted
		})
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: dialTimeout}
	go func() { _ = server.Serve(listener) }() // until stop; it closes the listener, too
	return func() { _ = server.Close() }, nil
}

// Ask asks the service of a data folder for the action of a name, and returns its answer.
// It fails with a *RefusedError when the service refuses, and with ErrNotRunning when
// there is no service.
func Ask(ctx context.Context, dir, name string) (string, error) {
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, dir) },
	}}
	request, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://control/"+name, nil) // of constants
	response, err := client.Do(request)
	if opErr, ok := errors.AsType[*net.OpError](err); ok && opErr.Op == "dial" {
		return "", fmt.Errorf("%w %s (%w)", ErrNotRunning, dir, opErr.Err)
	}
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK {
		return "", &RefusedError{strings.TrimSpace(string(text))}
	}
	return string(text), nil
}

// IsRunning reports whether a service answers at the socket of a data folder.
func IsRunning(ctx context.Context, dir string) bool {
	conn, err := dial(ctx, dir)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// JoinAsSecond notes, by a lock on a file of the data folder, that this process is a
// service beside the one at the socket, until leave is called or the process ends.
func JoinAsSecond(dir string) (leave func(), err error) {
	lock := flock.New(filepath.Join(dir, secondName))
	_, err = lock.TryRLock()
	return func() { _ = lock.Close() }, err // the file is not written: there is nothing to lose
}

// HasSecond reports whether a service runs beside the one at the socket of a data folder.
func HasSecond(ctx context.Context, dir string) bool {
	path := filepath.Join(dir, secondName)
	if _, err := os.Stat(path); err != nil || !IsRunning(ctx, dir) {
		return false
	}
	lock := flock.New(path)
	defer lock.Close()
	free, err := lock.TryLock()
	return err == nil && !free
}

// dial connects to the socket of a data folder.
func dial(ctx context.Context, dir string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: dialTimeout}
	return dialer.DialContext(ctx, "unix", filepath.Join(dir, socketName))
}
