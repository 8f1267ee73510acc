package signing

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
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
	return fmt.Sprintf(`%s=(%s);created;nonce=%s;tag=%s`, verifierLabel, strings.Join(answerComponents, " "),
		quoted(v.nonce), quoted(tagAnswer))
}

// Verify checks digest, signature, nonce and key of an answer against the key
// directory of its service, and the signatures of the directory if it has any. It reads
// both bodies. It returns the key id and the time of signing.
func (v *Verifier) Verify(directory, answer *http.Response) (keyID string, made time.Time, err error) {
	keys, err := readDirectory(directory)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("the key directory %w", err)
	}
	received, err := messageOf(answer)
	if err != nil {
		return "", time.Time{}, err
	}
	signatures, err := signaturesOf(answer.Header, tagAnswer)
	i := slices.IndexFunc(signatures, func(s signed) bool { return s.label == verifierLabel })
	if err == nil && i < 0 {
		return "", time.Time{}, errors.New("the answer is not signed")
	}
	if err == nil {
		err = v.check(received, signatures[i], keys)
	}
	if err != nil {
		return "", time.Time{}, fmt.Errorf("the signature of the answer does not hold: %w", err)
	}
	made, _ = signatures[i].moment("created")
	return signatures[i].text("keyid"), made, nil
}

func (v *Verifier) check(answer *message, s signed, keys map[string]publicKey) error {
	switch {
	case s.text("nonce") != v.nonce:
		return errors.New("the signature was made for another request")
	case !s.covers(answerComponents...):
		return errSignature
	}
	return answer.verify(s, keys, window{age: clockDifference, skew: clockDifference, endless: true})
}

func messageOf(answer *http.Response) (*message, error) {
	body, err := io.ReadAll(answer.Body)
	return &message{answer.Request.Method, answer.Request.URL, answer.StatusCode, answer.Header, body}, err
}

// readDirectory returns the keys of a directory fetched from its own address. Its
// signatures are optional, but present ones must be valid.
func readDirectory(response *http.Response) (map[string]publicKey, error) {
	directory, err := messageOf(response)
	if err != nil {
		return nil, err
	}
	keys, err := parseKeys(directory.body)
	if err != nil || response.Header.Get(contract.HeaderSignature) == "" {
		return keys, err
	}
	signatures, err := signaturesOf(response.Header, tagDirectory)
	if err == nil && len(signatures) == 0 {
		err = errSignature
	}
	for _, s := range signatures {
		if !s.covers(`"@authority";req`, componentDigest) {
			err = errSignature
		}
		err = errors.Join(err, directory.verify(s, keys, window{age: bindingLifetime, skew: clockDifference}))
	}
	if err != nil {
		return nil, fmt.Errorf("has signatures that are not for this address or not by its keys: %w", err)
	}
	return keys, nil
}
