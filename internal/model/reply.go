package model

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"frontdesk/content"
)

// None is the place of no entry.
const None = -1

// errNonsense says that a reply is not one id of the set. What it says instead is
// nowhere kept: it may repeat the question.
var errNonsense = errors.New("the model's reply is not one of the ids")

// chatReply is what is read of a chat completion.
type chatReply struct {
	Choices []struct {
		Message struct {
			Content *string `json:"content"`
		} `json:"message"`
	} `json:"choices"`
}

// readReply returns the place of the chosen entry, or None. Anything but a
// completion with one choice of one id is an error.
func readReply(body []byte, entries []*content.Entry) (place int, err error) {
	var reply chatReply
	if err := json.Unmarshal(body, &reply); err != nil {
		return None, errNonsense
	}
	if len(reply.Choices) != 1 || reply.Choices[0].Message.Content == nil {
		return None, errNonsense
	}
	id, ok := chosenID(*reply.Choices[0].Message.Content)
	if !ok {
		return None, errNonsense
	}
	if id == noneOf(entries) {
		return None, nil
	}
	place = slices.IndexFunc(entries, func(entry *content.Entry) bool { return entry.ID == id })
	if place < 0 {
		return None, errNonsense
	}
	return place, nil
}

// chosenID reads {"id": "…"}, and the bare id that endpoints without structured
// outputs are likely to give. It is looked up exactly, so that whatever else stands
// in the reply makes it nothing.
func chosenID(reply string) (id string, ok bool) {
	reply = strings.TrimSpace(reply)
	if !strings.HasPrefix(reply, "{") {
		return reply, true
	}
	decoder := json.NewDecoder(strings.NewReader(reply))
	var tokens []json.Token
	// An object of one member has four tokens. A fifth is a second member, of the
	// same name perhaps, which a struct would take in silence.
	for range 5 {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", false
		}
		tokens = append(tokens, token)
	}
	if len(tokens) != 4 || tokens[1] != json.Token(idField) || tokens[3] != json.Token(json.Delim('}')) {
		return "", false
	}
	id, ok = tokens[2].(string)
	return id, ok
}
