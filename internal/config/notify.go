package config

import (
	"errors"

	"frontdesk/internal/notify"
)

// Notifications are where the owner is notified beside the mail.
type Notifications struct {
	NotifyWebhook           string `env:"FRONTDESK_NOTIFY_WEBHOOK" placeholder:"URL" secret:"" help:"Webhook that is notified of inquiries, failed mails, trials, refused content and, once a week, unanswered questions: signed JSON by Standard Webhooks. Default: none."`
	NotifyWebhookFile       string `env:"FRONTDESK_NOTIFY_WEBHOOK_FILE" placeholder:"FILE" help:"File that holds the URL of the webhook, in place of --notify-webhook."`
	NotifyWebhookSecret     string `env:"FRONTDESK_NOTIFY_WEBHOOK_SECRET" placeholder:"SECRET" secret:"" help:"Secret that the webhook is signed with: whsec_ and 24 to 64 random bytes in base64. Required with a webhook."`
	NotifyWebhookSecretFile string `env:"FRONTDESK_NOTIFY_WEBHOOK_SECRET_FILE" placeholder:"FILE" help:"File that holds the secret, in place of --notify-webhook-secret."`
	NotifyWebhookFields     string `env:"FRONTDESK_NOTIFY_WEBHOOK_FIELDS" default:"false" placeholder:"BOOL" choices:"true,false" help:"Send the webhook the fields of a request too (name, business, e-mail, message): true or false."`
	NotifyNtfy              string `env:"FRONTDESK_NOTIFY_NTFY" placeholder:"URL" secret:"" help:"Topic of ntfy that is notified of the same, for a phone, such as https://ntfy.sh/TOPIC. Default: none."`
	NotifyNtfyFile          string `env:"FRONTDESK_NOTIFY_NTFY_FILE" placeholder:"FILE" help:"File that holds the URL of the topic, in place of --notify-ntfy."`
	NotifyNtfyToken         string `env:"FRONTDESK_NOTIFY_NTFY_TOKEN" placeholder:"TOKEN" secret:"" help:"Access token of the ntfy server, where the topic asks for one."`
	NotifyNtfyTokenFile     string `env:"FRONTDESK_NOTIFY_NTFY_TOKEN_FILE" placeholder:"FILE" help:"File that holds the token, in place of --notify-ntfy-token."`
	NotifyChat              string `env:"FRONTDESK_NOTIFY_CHAT" placeholder:"URL" secret:"" help:"Incoming webhook of a chat that is notified of the same: Slack, Discord, Mattermost or another that takes their messages. Default: none."`
	NotifyChatFile          string `env:"FRONTDESK_NOTIFY_CHAT_FILE" placeholder:"FILE" help:"File that holds the URL of the chat, in place of --notify-chat."`
}

// targets fills in who is notified. Secrets without a target are checked too, as far
// as that is possible: they may be there for later.
func (n Notifications) targets(service *Service, wrong *faults) {
	withFields, err := parseSwitch(n.NotifyWebhookFields, false)
	wrong.add("FRONTDESK_NOTIFY_WEBHOOK_FIELDS", err)
	read := func(name, value, file string) (text, from string) {
		text, from, err := secret(name, value, file)
		if err == nil && text == "" && file != "" {
			err = errors.New("is empty")
		}
		wrong.add(from, err)
		return text, from
	}
	add := func(target notify.Target, err error, name string) {
		wrong.add(name, err)
		if err == nil {
			service.Notify = append(service.Notify, target)
		}
	}
	address, from := read("FRONTDESK_NOTIFY_WEBHOOK", n.NotifyWebhook, n.NotifyWebhookFile)
	key, keyFrom := read("FRONTDESK_NOTIFY_WEBHOOK_SECRET", n.NotifyWebhookSecret, n.NotifyWebhookSecretFile)
	if address != "" {
		target, err := notify.ParseWebhook(address, key, withFields)
		if errors.Is(err, notify.ErrSecret) {
			from = keyFrom
		}
		add(target, err, from)
	}
	topic, from := read("FRONTDESK_NOTIFY_NTFY", n.NotifyNtfy, n.NotifyNtfyFile)
	token, tokenFrom := read("FRONTDESK_NOTIFY_NTFY_TOKEN", n.NotifyNtfyToken, n.NotifyNtfyTokenFile)
	if topic != "" {
		target, err := notify.ParseNtfy(topic, token)
		if errors.Is(err, notify.ErrToken) {
			from = tokenFrom
		}
		add(target, err, from)
	}
	if address, from := read("FRONTDESK_NOTIFY_CHAT", n.NotifyChat, n.NotifyChatFile); address != "" {
		target, err := notify.ParseChat(address)
		add(target, err, from)
	}
}
