package faq

import (
	"sync/atomic"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// bodies are the encoded answers of an entry to its approved wordings, each made when
// it is first given: the entries of a large FAQ are rarely all asked.
type bodies struct {
	exact, alternate atomic.Pointer[[]byte]
}

// encode adds its body to an answer to an approved wording.
func (b *bodies) encode(answer contract.Answer) contract.Answer {
	kept := &b.exact
	if answer.Match == contract.MatchAlternate {
		kept = &b.alternate
	}
	body := kept.Load()
	if body == nil {
		body = new(payload.JSON(answer))
		kept.Store(body)
	}
	answer.Encoded = *body
	return answer
}
