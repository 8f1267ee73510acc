package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/notify"
)

const webhookSecret = "whsec_aHVudGVyMi1odW50ZXIyLWh1bnRlcjItaHVudGVyMg=="

func TestNotifications(t *testing.T) {
	t.Parallel()
	file := fileWith(t, webhookSecret+"\n")
	tests := []struct {
		name   string
		given  Notifications
		want   []string // names of the targets
		faults []string // settings that are named
	}{
		{"none", Notifications{}, nil, nil},
		{"all", Notifications{
			NotifyWebhook: "http://127.0.0.1:8000/hook", NotifyWebhookSecretFile: file,
			NotifyNtfy: "https://ntfy.example/topic", NotifyNtfyToken: "tk_1", NotifyChat: "https://hooks.example/services/1",
		}, []string{notify.Webhook, notify.Ntfy, notify.Chat}, nil},
		{"webhook without a secret", Notifications{NotifyWebhook: "https://hook.example"}, nil, []string{"FRONTDESK_NOTIFY_WEBHOOK_SECRET"}},
		{"webhook with a short secret", Notifications{NotifyWebhook: "https://hook.example", NotifyWebhookSecret: "whsec_aHVudGVyMg=="}, nil, []string{"FRONTDESK_NOTIFY_WEBHOOK_SECRET"}},
		{"webhook with a bare secret", Notifications{NotifyWebhook: "https://hook.example", NotifyWebhookSecretFile: fileWith(t, "hunter2")}, nil, []string{"FRONTDESK_NOTIFY_WEBHOOK_SECRET_FILE"}},
		{"webhook over FTP", Notifications{NotifyWebhook: "ftp://hunter2.example", NotifyWebhookSecret: webhookSecret}, nil, []string{"FRONTDESK_NOTIFY_WEBHOOK"}},
		{"webhook with a password", Notifications{NotifyWebhook: "https://u:hunter2@hook.example", NotifyWebhookSecret: webhookSecret}, nil, []string{"FRONTDESK_NOTIFY_WEBHOOK"}},
		{"webhook with fields, maybe", Notifications{NotifyWebhookFields: "yes"}, nil, []string{"FRONTDESK_NOTIFY_WEBHOOK_FIELDS"}},
		{"topic is missing", Notifications{NotifyNtfy: "https://ntfy.sh/"}, nil, []string{"FRONTDESK_NOTIFY_NTFY"}},
		{"topic without a scheme", Notifications{NotifyNtfy: "ntfy.sh/hunter2"}, nil, []string{"FRONTDESK_NOTIFY_NTFY"}},
		{"token with a line break", Notifications{NotifyNtfy: "https://ntfy.sh/t", NotifyNtfyToken: "hunter2\nX: 1"}, nil, []string{"FRONTDESK_NOTIFY_NTFY_TOKEN"}},
		{"chat", Notifications{NotifyChat: "hunter2"}, nil, []string{"FRONTDESK_NOTIFY_CHAT"}},
		{"chat twice", Notifications{NotifyChat: "https://hooks.example/1", NotifyChatFile: file}, nil, []string{"FRONTDESK_NOTIFY_CHAT_FILE"}},
		{"empty file", Notifications{NotifyNtfyFile: fileWith(t, "\n")}, nil, []string{"FRONTDESK_NOTIFY_NTFY_FILE"}},
		{"missing file", Notifications{NotifyWebhookFile: "does-not-exist"}, nil, []string{"FRONTDESK_NOTIFY_WEBHOOK_FILE"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			service, err := Settings{Notifications: tt.given}.Service(8080)
			var named, targets []string
			if err != nil {
				for line := range strings.SplitSeq(err.Error(), "\n") {
					name, _, _ := strings.Cut(line, ":")
					named = append(named, name)
				}
				if strings.Contains(err.Error(), "hunter2") {
					t.Errorf("the error shows a secret: %v", err)
				}
			}
			for _, target := range service.Notify {
				targets = append(targets, target.Name)
			}
			if diff := cmp.Diff(tt.faults, named); diff != "" {
				t.Errorf("settings named (-want +got):\n%s%v", diff, err)
			}
			if diff := cmp.Diff(tt.want, targets); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
		})
	}
	checkHidden(t, Settings{Notifications: Notifications{NotifyWebhookSecret: "hunter2"}}, "FRONTDESK_NOTIFY_WEBHOOK_SECRET")
	checkHidden(t, Settings{Notifications: Notifications{NotifyChat: "https://hunter2"}}, "FRONTDESK_NOTIFY_CHAT")
}
