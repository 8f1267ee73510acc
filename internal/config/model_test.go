package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/model"
)

func TestModel(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(" sk-hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		settings Settings
		want     model.Endpoint
		cap      int
	}{
		"unset": {Settings{}, model.Endpoint{}, 500},
		"a local one": {Settings{ModelURL: "http://localhost:11434/v1/", ModelName: "qwen3:4b"},
			model.Endpoint{URL: "http://localhost:11434/v1", Name: "qwen3:4b", Timeout: 5 * time.Second}, 500},
		"everything": {Settings{ModelURL: "https://api.example.com/v1", ModelName: "m", ModelKey: "sk-1", ModelTimeout: "1500ms", ModelDailyCap: "7"},
			model.Endpoint{URL: "https://api.example.com/v1", Name: "m", Key: "sk-1", Timeout: 1500 * time.Millisecond}, 7},
		"a key in a file, no call": {Settings{ModelURL: "https://api.example.com/v1", ModelName: "m", ModelKeyFile: file, ModelDailyCap: "0"},
			model.Endpoint{URL: "https://api.example.com/v1", Name: "m", Key: "sk-hunter2", Timeout: 5 * time.Second}, 0},
	} {
		service, err := test.settings.Service(8080)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(test.want, service.Model); diff != "" || service.ModelDailyCap != test.cap {
			t.Errorf("%s: cap %d, want %d; endpoint (-want +got):\n%s", name, service.ModelDailyCap, test.cap, diff)
		}
		if service.Model.IsSet() != (test.settings.ModelURL != "") || strings.Contains(service.Model.String(), "sk-") {
			t.Errorf("%s: shown as %q", name, service.Model)
		}
	}
	for _, url := range []string{"https://hunter2@api.example.com/v1", "https://api.example.com/v1?key=hunter2"} {
		if _, err := (Settings{ModelURL: url, ModelName: "m"}).Service(8080); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("of a key in the address: %v", err)
		}
	}
	checkHidden(t, Settings{ModelKey: "sk-hunter2"}, "FRONTDESK_MODEL_KEY")
}

func TestKeepQuestions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"": true, "true": true, "false": false} {
		if service, err := (Settings{KeepQuestions: text}).Service(8080); err != nil || service.KeepQuestions != want {
			t.Errorf("%q: %v, %v; want %v", text, service.KeepQuestions, err, want)
		}
	}
}
