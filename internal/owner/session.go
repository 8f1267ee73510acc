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

	"frontdesk/contract"
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
func (v visit) cookieName() string {
	_, port, _ := net.SplitHostPort(v.Host) // none where the host has no port
	return "frontdesk_owner" + port
}

// visit is a request of a page, and what it takes to answer it.
type visit struct {
	*Pages
	*http.Request
	*i18n.Printer // in the reader's language
	w             http.ResponseWriter
	ok            bool   // someone is signed in: a browser with a cookie, or a program with the token
	key           string // the value of the cookie; empty with the token
	status        int    // of the answer; 0 means 200
}

// signedIn sends a reader without a session to the sign-in page, and refuses a form
// without a session.
func signedIn(handle pageFunc) pageFunc {
	return func(v visit) (err error) {
		defer func() { // net/http removes the file of a large picture only for its own request
			if v.MultipartForm != nil {
				_ = v.MultipartForm.RemoveAll()
			}
		}()
		scheme, token, given := strings.Cut(v.Header.Get("Authorization"), " ")
		if given = given && strings.EqualFold(scheme, "Bearer"); given {
			err = v.tryToken(token)
		} else {
			v.key, err = v.sessionKey()
		}
		switch {
		case err != nil:
			v.Body = http.MaxBytesReader(v.w, v.Body, maxKeptForm)
			_ = v.ParseMultipartForm(maxKeptForm) // showProblem keeps what it can read
			return err
		case given || v.key != "": // no browser sends the token by itself
			v.ok = true
		case v.Method != http.MethodPost:
			return v.redirect(signInAddress(v.URL.RequestURI()), "")
		default:
			return refused(http.StatusUnauthorized, "signin")
		}
		if err := v.parseForm(); err != nil {
			return err
		}
		err = handle(v)
		if shown, ok := errors.AsType[*problem](err); ok && !given { // with the way to the other pages
			return v.showProblem(shown)
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
func (v visit) parseForm() error {
	control, end := http.NewResponseController(v.w), time.Now().Add(maxUpload)
	_ = control.SetWriteDeadline(end.Add(maxPause)) // fails only for a recorder of tests
	v.Body = patientBody{v.Body, control, end}
	err := v.ParseForm()
	if err == nil {
		err = v.ParseMultipartForm(maxForm) // larger files are kept on the disk meanwhile
	}
	mediaType, _, _ := mime.ParseMediaType(v.Header.Get("Content-Type"))
	// without a form as browsers send it, its values would be taken for empty
	isForm := mediaType == contract.TypeForm || mediaType == "multipart/form-data"
	switch tooLarge, ok := errors.AsType[*http.MaxBytesError](err); {
	case ok && tooLarge.Limit > maxForm:
		return refused(http.StatusRequestEntityTooLarge, "large", images.MaxUpload>>20)
	case ok:
		return refused(http.StatusRequestEntityTooLarge, "long", maxForm>>20)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refused(http.StatusRequestTimeout, "slow")
	case v.Method == http.MethodPost && (!isForm || err != nil && !errors.Is(err, http.ErrNotMultipart)):
		return refused(http.StatusBadRequest, "unread") // what was read of it may lack values
	}
	return nil
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

// signInAddress returns the address of the sign-in page that leads back to one of the owner's pages.
func signInAddress(next string) string {
	if nextPage(next) == Path {
		return pathSignIn
	}
	return withQuery(pathSignIn, "next", next)
}

// sessionKey returns the value of the cookie of a session; empty if there is none.
func (v visit) sessionKey() (string, error) {
	cookies := v.CookiesNamed(v.cookieName())
	for _, cookie := range cookies[:min(len(cookies), maxCookies)] { // one of another desk may come first
		found, err := v.Store.HasOwnerKey(v.Context(), records.OwnerSession, v.hash(cookie.Value), time.Now())
		if found || err != nil {
			return cookie.Value, err
		}
	}
	return "", nil
}

// maxCookies bounds the lookups that a request without a session can cause.
const maxCookies = 10

// hash returns the hash of a key, which is stored in its place. It depends on the token, so that
// replacing the token ends every session and every link.
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
func (v visit) tryToken(token string) error {
	right, err := v.try(func() (bool, error) { return v.isToken(token), nil })
	if right || err != nil {
		return err
	}
	v.w.Header().Set("WWW-Authenticate", `Bearer realm="frontdesk"`)
	return refused(http.StatusUnauthorized, "token")
}

// try reports whether an attempt to sign in is right. It refuses a client that has failed too often even if it is right
// now, because its guesses would go on otherwise. A right attempt gives its slot back. No lock is held while the
// database is asked, so that one attempt does not delay another.
func (v visit) try(isRight func() (bool, error)) (right bool, err error) {
	slot := v.tries.Take(v.Context())
	if !slot.Allowed {
		v.noteRefusal()
		v.w.Header().Set(contract.HeaderRetryAfter, strconv.Itoa(int(signInPolicy.Window.Seconds())))
		return false, refused(http.StatusTooManyRequests, "tries")
	}
	if right, err = isRight(); right || err != nil {
		slot.GiveBack(v.Context())
	} else {
		v.noteRefusal()
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

func (v visit) showSignIn() error {
	link, next := v.URL.Query().Get("link"), v.URL.Query().Get("next")
	if key, err := v.sessionKey(); err == nil && key != "" && link == "" {
		return v.redirect(nextPage(next), "")
	}
	return v.writeSignIn(link, next, "")
}

// writeSignIn shows the sign-in page, with the key of the message of an error.
func (v visit) writeSignIn(link, next, failure string) error {
	return v.show(v.Text("owner.signin"), "signin",
		data{"Link": link, "Next": next, "HasToken": v.Token != "", "Error": failure})
}

// nextPage returns the page to open after signing in: the one that an address or a form names, if it is one of the
// owner's pages, else the first.
func nextPage(next string) string {
	parsed, err := url.Parse(next)
	if err != nil || parsed.Scheme != "" || parsed.Host != "" || strings.Contains(next, "\\") ||
		!strings.HasPrefix(parsed.Path, Path) || strings.HasPrefix(parsed.Path, pathSignIn) {
		return Path
	}
	return next
}

// signIn makes a session of a link or of the token.
func (v visit) signIn() error {
	next := v.PostFormValue("next")
	right, err := v.try(v.accepts)
	if err != nil {
		return err
	}
	if !right {
		failure := "owner.signin.wrongtoken"
		if v.PostFormValue("link") != "" {
			failure = "owner.signin.wronglink"
		}
		v.status = http.StatusUnauthorized
		return v.writeSignIn("", next, failure)
	}
	key := rand.Text()
	if err := v.Store.AddOwnerKey(v.Context(), records.OwnerSession, v.hash(key),
		time.Now().Add(sessionLifetime)); err != nil {
		return err
	}
	v.setCookie(v.cookieName(), key, sessionLifetime)
	return v.redirect(nextPage(next), "")
}

// accepts reports whether a form holds a link that works, which it uses up, or the token.
func (v visit) accepts() (bool, error) {
	if link := v.PostFormValue("link"); link != "" {
		return v.Store.UseOwnerKey(v.Context(), records.SignInLink, v.hash(link), time.Now())
	}
	return v.isToken(strings.TrimSpace(v.PostFormValue("token"))), nil
}

// signOut ends the session of a browser.
func (v visit) signOut() error {
	if _, err := v.Store.UseOwnerKey(v.Context(), records.OwnerSession, v.hash(v.key), time.Now()); err != nil {
		return err
	}
	v.setCookie(v.cookieName(), "", -time.Second)
	return v.redirect(pathSignIn, "")
}

func (v visit) setCookie(name, value string, lifetime time.Duration) {
	http.SetCookie(v.w, &http.Cookie{
		Name: name, Value: value, Path: Path, MaxAge: int(lifetime.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: v.TLS != nil || v.HTTPS(v.Host),
	})
}
