package kubernetes

import (
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

func load(t *testing.T, file string, environment ...string) (*types.Project, error) {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../../deploy/" + file}, cli.WithEnv(environment),
		cli.WithInterpolation(true), cli.WithConsistency(true))
	if err != nil {
		t.Fatal(err)
	}
	return options.LoadProject(t.Context())
}

// A host that is not set reaches neither the service nor Caddy, which would request a certificate for it.
func TestCompose(t *testing.T) {
	settings := []string{"DESK_HOST=desk.example.org", "DESK_MAIL_TO=owner@example.org", "DESK_MAIL_FROM=desk@example.org"}
	for file, instances := range map[string][]string{
		"compose.yaml": {"desk-1", "desk-2"}, "compose.single.yaml": {"desk-1"},
	} {
		for _, test := range []struct{ name, setting, app, url string }{
			{"without a workspace", settings[0], "http://app.invalid", ""},
			{"with an empty one", "DESK_APP_HOST=", "http://app.invalid", ""},
			{"with a workspace", "DESK_APP_HOST=app.example.org", "app.example.org", "https://app.example.org"},
		} {
			project, err := load(t, file, append(slices.Clone(settings), test.setting)...)
			if err != nil {
				t.Fatal(err)
			}
			if got := *project.Services["proxy"].Environment["DESK_APP_HOST"]; got != test.app {
				t.Errorf("%s, %s: Caddy serves %q, want %q", file, test.name, got, test.app)
			}
			for _, name := range instances {
				service := project.Services[name]
				if got := *service.Environment["FRONTDESK_APP_URL"]; got != test.url {
					t.Errorf("%s, %s: FRONTDESK_APP_URL = %q, want %q", file, test.name, got, test.url)
				}
				isBound := service.HealthCheck != nil && service.MemLimit > 0
				if !isBound || !service.ReadOnly || !slices.Equal(service.CapDrop, []string{"ALL"}) {
					t.Errorf("%s: %s is not confined, or has no health check", file, name)
				}
			}
		}
		for i, missing := range settings {
			name, _, _ := strings.Cut(missing, "=")
			_, err := load(t, file, slices.Delete(slices.Clone(settings), i, i+1)...)
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s without %s: %v, want an error that names it", file, name, err)
			}
		}
	}
}
