package signing

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/contract"
)

// clockDifference is how far the clocks of service and caller may differ. The nonce
// shows that an answer is new.
const clockDifference = time.Hour

// verifierLabel is the label that a Verifier requests.
const verifierLabel = "answer"

// Verifier requests one signed answer and checks it. Use it once: its nonce shows
// that the answer was signed for this request.
type Verifier struct{ nonce string }

// NewVerifier returns a verifier with a new nonce.
func NewVerifier() *Verifier { return &Verifier{rand.Text()} }

// AcceptSignature is the value of the header that requests the signature.
func (v *Verifier) AcceptSignature() string {
	return fmt.Sprintf(`%s=(%s);created;nonce=%q;tag=%q`, verifierLabel, strings.Join(answerComponents, " "),
		v.nonce, tagAnswer)
}

// Why a signature is invalid.
var (
	errUnknownKey = errors.New("the key that signed is not in the key directory")
	errTime       = errors.New("it has expired, is from the future, or does not say when it was made")
	errComponent  = errors.New("it covers a part of the answer that is absent or unknown")
	errDigest     = errors.New("the Content-Digest is not that of the body")
	errSignature  = errors.New("it was not made over this answer")
)

// Verify checks digest, signature, nonce and key of an answer against the key
// directory of its service, and the signatures of the directory if it has any. It reads
// both bodies. It returns the key id and the time of signing.
func (v *Verifier) Verify(directory, answer *http.Response) (keyID string, made time.Time, err error) {
	keys, err := readDirectory(directory)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("the key directory %w", err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return "", time.Time{}, err
	}
	signatures, err := signaturesOf(answer.Header, tagAnswer)
	i := slices.IndexFunc(signatures, func(s signed) bool { return s.label == verifierLabel })
	switch {
	case err != nil:
	case i < 0:
		return "", time.Time{}, errors.New("the answer is not signed")
	case signatures[i].text("nonce") != v.nonce:
		err = errors.New("the signature was made for another request")
	case !covers(signatures[i].components, answerComponents...):
		err = errSignature
	default:
		err = verify(answer, body, signatures[i], keys, clockDifference)
	}
	if err != nil {
		return "", time.Time{}, fmt.Errorf("the signature of the answer is invalid: %w", err)
	}
	made, _ = signatures[i].moment("created")
	return signatures[i].text("keyid"), made, nil
}

// readDirectory returns the keys of a directory fetched from its own address. Its
// signatures are optional, but present ones must be valid.
func readDirectory(response *http.Response) (map[string]ed25519.PublicKey, error) {
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	keys, err := parseKeys(body)
	if err != nil || response.Header.Get(contract.HeaderSignature) == "" {
		return keys, err
	}
	signatures, err := signaturesOf(response.Header, tagDirectory)
	if err == nil && len(signatures) == 0 {
		err = errSignature
	}
	for _, s := range signatures {
		if !covers(s.components, componentAuthority, componentDigest) {
			err = errSignature
		}
		err = errors.Join(err, verify(response, body, s, keys, bindingLifetime))
	}
	if err != nil {
		return nil, fmt.Errorf("has signatures that are not for this address or not by its keys: %w", err)
	}
	return keys, nil
}

// verify checks one signature of an answer (RFC 9421 3.2), which must not be older than age, by
// the key that it names.
func verify(answer *http.Response, body []byte, s signed, keys map[string]ed25519.PublicKey, age time.Duration) error {
	key, ok := keys[s.text("keyid")]
	if !ok {
		return errUnknownKey
	}
	now := time.Now()
	created, made := s.moment("created")
	expires, ends := s.moment("expires")
	if !made || now.After(created.Add(age)) || now.Before(created.Add(-clockDifference)) ||
		ends && now.After(expires.Add(clockDifference)) {
		return errTime
	}
	values := map[string]string{}
	for _, id := range s.components {
		var err error
		if values[id], err = componentOf(answer, body, id); err != nil {
			return err
		}
	}
	base, err := s.base(values)
	if alg, given := s.Params.Get("alg"); err != nil || given && alg != algorithm ||
		!ed25519.Verify(key, base, s.value) {
		return errSignature
	}
	return nil
}

// componentOf returns the value of a covered component (RFC 9421 2). A covered Content-Digest
// must be that of the body.
func componentOf(answer *http.Response, body []byte, id string) (string, error) {
	switch id {
	case componentStatus:
		return strconv.Itoa(answer.StatusCode), nil
	case componentAuthority:
		return contract.Authority(answer.Request.URL.Host, answer.Request.URL.Scheme), nil
	}
	name, err := strconv.Unquote(id) // fails for a component with parameters
	value := strings.Join(answer.Header.Values(name), ", ")
	switch {
	case err != nil || value == "":
		return "", errComponent
	case id == componentDigest && value != contentDigest(body):
		return "", errDigest
	}
	return value, nil
}
