package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
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

// proven prints an answer that was checked against the key directory of its service, with
// its proof. With --json the proof goes to the other stream, so that the answer is printed
// exactly as it was signed.
func (c *AskCmd) proven(ctx context.Context, r request, v Verifier) error {
	r.header = http.Header{contract.HeaderAcceptSignature: {v.AcceptSignature()}}
	value, answer, failed := fetch(ctx, c.Connection, r, isAnswer)
	if failed != nil {
		return c.fail(failed)
	}
	_, directory, failed := fetch(ctx, c.Connection, request{
		path: contract.PathKeyDirectory, timeout: readTimeout,
		stay: true, // a directory is valid only at its own address (draft-ietf-webbotauth-httpsig-protocol-01)
	}, func(json.RawMessage) bool { return true })
	if failed != nil {
		return c.fail(failed)
	}
	keyID, signed, err := v.Verify(directory.unread(), answer.unread())
	if err != nil {
		return c.fail(&failure{
			code: ExitRefused, summary: "the answer cannot be proven, and is not shown", notes: []string{err.Error()},
		})
	}
	proof := "verified · signed " + signed.UTC().Format(time.RFC3339) + " · key " + keyID
	if c.JSON {
		if _, err := fmt.Fprintln(c.Err, proof); err != nil {
			return err
		}
	}
	return c.show(answer.body, func(p *page) {
		p.answer(value)
		p.line(dim(proof))
	})
}

// unread returns the answer with its body as if it had not been read.
func (r received) unread() *http.Response {
	r.Body = io.NopCloser(bytes.NewReader(r.body))
	return r.Response
}
