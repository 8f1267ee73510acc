package notify

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"mime"
	"net/url"
	"strconv"
	"strings"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"frontdesk/contract"
)

// The names of the targets, in logs, metrics and records.
const (
	Webhook = "webhook"
	Ntfy    = "ntfy"
	Chat    = "chat"
)

// Names are the names of all targets.
var Names = []string{Webhook, Ntfy, Chat}

// Target is where notifications go.
type Target struct {
	Name string
	// Fields says that messages carry the fields of the request.
	Fields bool
	at     *url.URL
	// template returns the body of a message, and its headers without those that are empty.
	template func(m Message) (body []byte, headers map[string]string, err error)
}

// origin is the part of its address that is no secret.
func (t Target) origin() string { return t.at.Scheme + "://" + t.at.Host }

// String is the name and the server of a target, without what could be a secret.
func (t Target) String() string { return t.Name + " at " + t.origin() }

// ErrSecret reports a secret of a webhook that is not one. It does not show it.
var ErrSecret = errors.New("must be whsec_ and 24 to 64 random bytes in base64: " +
	`echo "whsec_$(openssl rand -base64 32)" makes one`)

// ParseWebhook returns a target that posts signed JSON by Standard Webhooks
// (https://www.standardwebhooks.com). The error of a wrong secret is ErrSecret; the
// others are about the address. Errors show neither.
func ParseWebhook(address, secret string, withFields bool) (Target, error) {
	at, err := parseAddress(address)
	if err != nil {
		return Target{}, err
	}
	encoded, found := strings.CutPrefix(secret, "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	signer, signErr := webhooks.NewWebhookRaw(key)
	if err != nil || !found || len(key) < 24 || len(key) > 64 || signErr != nil {
		return Target{}, ErrSecret
	}
	return Target{Webhook, withFields, at, func(m Message) ([]byte, map[string]string, error) {
		body, err := json.Marshal(struct {
			Type      Kind      `json:"type"`
			Timestamp time.Time `json:"timestamp"`
			Data      data      `json:"data"`
		}{m.Kind, m.Time.UTC(), m.data})
		now := time.Now()
		signature, signErr := signer.Sign(m.ID, now, body)
		return body, map[string]string{
			"Content-Type":                  contract.TypeJSON,
			webhooks.HeaderWebhookID:        m.ID,
			webhooks.HeaderWebhookTimestamp: strconv.FormatInt(now.Unix(), 10),
			webhooks.HeaderWebhookSignature: signature,
		}, errors.Join(err, signErr)
	}}, nil
}

// ErrToken reports a token that no server can have given. It does not show it.
var ErrToken = errors.New("holds a character that no token has")

// ParseNtfy returns a target that publishes to a topic of ntfy
// (https://docs.ntfy.sh/publish/). The token may be empty. Errors show neither the topic,
// which is as good as a password, nor the token; that of a wrong token is ErrToken.
func ParseNtfy(topic, token string) (Target, error) {
	at, err := parseAddress(topic)
	if err == nil && (strings.Trim(at.Path, "/") == "" || at.RawQuery != "") {
		err = errors.New("must end with the topic, such as https://ntfy.sh/TOPIC")
	}
	if err != nil {
		return Target{}, err
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Target{}, ErrToken
	}
	if token != "" {
		token = "Bearer " + token
	}
	return Target{Ntfy, false, at, func(m Message) ([]byte, map[string]string, error) {
		priority := ""
		if m.Kind.urgent() {
			priority = "high"
		}
		return []byte(m.text()), map[string]string{
			"Content-Type":  "text/plain; charset=utf-8",
			"Title":         mime.BEncoding.Encode("utf-8", m.title()),
			"Priority":      priority,
			"Click":         m.Link,
			"Authorization": token,
			"X-Sequence-ID": m.ID, // a repetition replaces the message that is there already (ntfy 2.16)
		}, nil
	}}, nil
}

// discordPath is how the path of a webhook of Discord begins
// (https://docs.discord.com/developers/resources/webhook#execute-webhook).
const discordPath = "/api/webhooks/"

// ParseChat returns a target that posts text to an incoming webhook of a chat. One whose
// path begins as Discord's do takes {"content": …}; every other takes {"text": …}, as
// Slack does, and Mattermost and Rocket.Chat, and Discord under /slack. Errors do not
// show the address, which is as good as a password.
func ParseChat(address string) (Target, error) {
	at, err := parseAddress(address)
	if err != nil {
		return Target{}, err
	}
	member := "text"
	if strings.HasPrefix(at.Path, discordPath) && !strings.HasSuffix(at.Path, "/slack") {
		member = "content"
	}
	return Target{Chat, false, at, func(m Message) ([]byte, map[string]string, error) {
		body, err := json.Marshal(map[string]string{member: m.title() + "\n" + m.text()})
		return body, map[string]string{"Content-Type": contract.TypeJSON}, err
	}}, nil
}

// parseAddress reads the address of a target. Private and loopback ones are allowed: the
// operator sets them. The error does not show the address.
func parseAddress(text string) (*url.URL, error) {
	at, err := url.Parse(text)
	switch {
	case err != nil || at.Hostname() == "" || at.Scheme != "http" && at.Scheme != "https":
		return nil, errors.New("is not an address such as https://host.example/path")
	case at.User != nil:
		return nil, errors.New("must not hold a user name or password")
	case at.Fragment != "":
		return nil, errors.New("must not hold a #")
	}
	return at, nil
}
