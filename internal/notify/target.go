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
	at   *url.URL
	// template returns the body of a message, and its headers without those that are empty.
	template func(m Message) (body []byte, headers map[string]string)
}

// origin is the part of its address that is not secret.
func (t Target) origin() string { return (&url.URL{Scheme: t.at.Scheme, Host: t.at.Host}).String() }

// String is the name and the server of a target, without what could be a secret.
func (t Target) String() string { return t.Name + " at " + t.origin() }

// ErrSecret reports a secret of a webhook that is not one. It does not show it.
var ErrSecret = errors.New("must be whsec_ and 24 to 64 random bytes in base64: " +
	`echo "whsec_$(openssl rand -base64 32)" makes one`)

// ParseWebhook returns a target that posts signed JSON by Standard Webhooks
// (https://www.standardwebhooks.com). The error of a wrong secret is ErrSecret; the
// others are about the address. Errors show neither.
func ParseWebhook(address, secret string) (Target, error) {
	at, err := parseAddress(address, false)
	if err != nil {
		return Target{}, err
	}
	encoded, found := strings.CutPrefix(secret, "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	signer, signErr := webhooks.NewWebhookRaw(key)
	if err != nil || !found || len(key) < 24 || len(key) > 64 || signErr != nil {
		return Target{}, ErrSecret
	}
	return Target{Webhook, at, func(m Message) ([]byte, map[string]string) {
		body, _ := json.Marshal(struct { // of texts and numbers
			Type      Kind      `json:"type"`
			Timestamp time.Time `json:"timestamp"`
			Data      data      `json:"data"`
		}{m.Kind, m.Time.UTC(), m.data})
		now := time.Now()
		signature, _ := signer.Sign(m.ID, now, body) // never fails
		return body, map[string]string{
			"Content-Type":                  contract.TypeJSON,
			webhooks.HeaderWebhookID:        m.ID,
			webhooks.HeaderWebhookTimestamp: strconv.FormatInt(now.Unix(), 10),
			webhooks.HeaderWebhookSignature: signature,
		}
	}}, nil
}

// ParseNtfy returns a target that publishes to a topic of ntfy
// (https://docs.ntfy.sh/publish/). The access token of a server that asks for one is
// before the @, as the user or, as other programs write it, as the password. Errors show
// neither the token nor the topic, which is as good as a password.
func ParseNtfy(topic string) (Target, error) {
	at, err := parseAddress(topic, true)
	if err != nil {
		return Target{}, err
	}
	password, _ := at.User.Password()
	token := at.User.Username() + password
	switch {
	case strings.Trim(at.Path, "/") == "" || at.RawQuery != "":
		return Target{}, errors.New("must end with the topic, such as https://ntfy.sh/TOPIC")
	case at.User.Username() != "" && password != "":
		return Target{}, errors.New("must hold only an access token before the @, not a user name and a password")
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return Target{}, errors.New("holds a character before the @ that no token has")
	case token != "":
		token = "Bearer " + token
	}
	at.User = nil
	return Target{Ntfy, at, func(m Message) ([]byte, map[string]string) {
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
		}
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
	at, err := parseAddress(address, false)
	if err != nil {
		return Target{}, err
	}
	member := "text"
	if strings.HasPrefix(at.Path, discordPath) && !strings.HasSuffix(at.Path, "/slack") {
		member = "content"
	}
	return Target{Chat, at, func(m Message) ([]byte, map[string]string) {
		body, _ := json.Marshal(map[string]string{member: m.title() + "\n" + m.text()}) // of texts
		return body, map[string]string{"Content-Type": contract.TypeJSON}
	}}, nil
}

// parseAddress reads the address of a target. Private and loopback ones are allowed: the
// operator sets them. The error does not show the address.
func parseAddress(text string, withUser bool) (*url.URL, error) {
	at, err := url.Parse(text)
	switch {
	case err != nil || at.Hostname() == "" || at.Scheme != "http" && at.Scheme != "https":
		return nil, errors.New("is not an address such as https://host.example/path")
	case at.User != nil && !withUser:
		return nil, errors.New("must not hold a user name or password")
	case at.Fragment != "":
		return nil, errors.New("must not hold a #")
	}
	return at, nil
}
