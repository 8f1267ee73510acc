package client

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"frontdesk/contract"
)

// Verifier requests a signed answer and checks it. The command line binds one for kong.
type Verifier interface {
	// AcceptSignature is the value of the header that requests the signature.
	AcceptSignature() string
	// Verify checks an answer against the key directory of the service, and
	// returns the name of the key and when it signed.
	Verify(directory, answer *http.Response) (keyID string, signed time.Time, err error)
}

// proof is what is known of a verified answer.
type proof struct {
	keyID  string
	signed time.Time
}

// fetchProven is fetch for a signed answer. It checks the answer against the key
// directory of the service and fails when the check fails.
func fetchProven[T any](ctx context.Context, c Connection, r request, genuine func(T) bool, v Verifier) (T, []byte, proof, error) {
	var answer, directory *http.Response
	r.acceptSignature = v.AcceptSignature()
	r.received = func(response *http.Response) { answer = response }
	value, served, err := fetch(ctx, c, r, genuine)
	if err != nil {
		return value, nil, proof{}, err
	}
	_, _, err = fetch(ctx, c, request{
		path: contract.PathKeyDirectory, timeout: readTimeout,
		stay:     true, // a directory is valid only at its own address (draft-ietf-webbotauth-httpsig-protocol-01)
		received: func(response *http.Response) { directory = response },
	}, func(json.RawMessage) bool { return true })
	if err != nil {
		return value, nil, proof{}, err
	}
	keyID, signed, err := v.Verify(directory, answer)
	if err != nil {
		return value, nil, proof{}, &failure{
			code: ExitRefused, summary: "the answer cannot be proven, and is not shown", notes: []string{err.Error()},
		}
	}
	return value, served, proof{keyID, signed}, nil
}

// String returns the proof in one line.
func (p proof) String() string {
	return "verified · signed " + p.signed.UTC().Format(time.RFC3339) + " · key " + p.keyID
}
