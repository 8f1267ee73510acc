package deploy_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"frontdesk/internal/app"
	"frontdesk/internal/config"
	"frontdesk/internal/programs"
	"frontdesk/test/harness"
)

func deployFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var settingName = regexp.MustCompile(`FRONTDESK_[A-Z_]+`)

// TestDeploySettingsExist finds misspelt settings, which nothing else would: an
// unknown variable does not stop the start.
func TestDeploySettingsExist(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir("deploy")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		if file.IsDir() {
			continue
		}
		names := settingName.FindAllString(deployFile(t, file.Name()), -1)
		seen += len(names)
		if unknown := config.Unknown(names); len(unknown) > 0 {
			t.Errorf("deploy/%s names %v, which are no settings", file.Name(), unknown)
		}
	}
	if seen < 20 {
		t.Errorf("only %d names of settings are found", seen)
	}
}

// TestDeployEnvironment checks the settings of the systemd unit as a start would.
func TestDeployEnvironment(t *testing.T) {
	t.Parallel()
	process := harness.Process(t.Context(), "check")
	process.Env = append(process.Env, "FRONTDESK_SMTP_URL=smtp://mail.example.org")
	given := len(process.Env)
	for line := range strings.Lines(deployFile(t, "frontdesk.env")) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, config.Prefix) && !strings.HasPrefix(line, "FRONTDESK_CONTENT=") {
			process.Env = append(process.Env, line)
		}
	}
	if len(process.Env) < given+4 {
		t.Errorf("only %q are found", process.Env)
	}
	if out, err := process.CombinedOutput(); err != nil {
		t.Errorf("check: %v: %s", err, out)
	}
}

// TestDeployHealthCheck runs the command of the image's health check.
func TestDeployHealthCheck(t *testing.T) {
	t.Parallel()
	dockerfile := deployFile(t, "Dockerfile")
	found := regexp.MustCompile(`(?m)^HEALTHCHECK .*--timeout=(\S+) .*CMD (\[.*\])$`).FindStringSubmatch(dockerfile)
	var args []string
	if found == nil || json.Unmarshal([]byte(found[2]), &args) != nil {
		t.Fatal("the Dockerfile has no health check that can be read")
	}
	if args[0] != "/frontdesk" || !strings.Contains(dockerfile, "-o /image/frontdesk ") {
		t.Errorf("%s is not what the image holds", args[0])
	}
	d := harness.Start(t, nil)
	if code, out, err := harness.Command(t, append(args[1:], "--url", d.URL)...); code != 0 {
		t.Errorf("exit %d: %s%s", code, out, err)
	}
	patience, err := time.ParseDuration(found[1])
	own, ownErr := time.ParseDuration(args[len(args)-1])
	if err != nil || ownErr != nil || own >= patience {
		t.Errorf("the command takes up to %v, and is killed after %v", own, patience)
	}
	url := regexp.MustCompile(`FRONTDESK_URL=(\S+)`).FindStringSubmatch(dockerfile)
	if url == nil || url[1] != "http://127.0.0.1:8080" || !strings.Contains(dockerfile, "FRONTDESK_ADDR=:8080") {
		t.Errorf("the health check asks %v, which is not where the service listens", url)
	}
}

// TestDeployUnit has systemd read the unit, and hold its hardening against a bound:
// 0 is the safest, 10 (threshold 100) none at all.
func TestDeployUnit(t *testing.T) {
	t.Parallel()
	analyze := programs.Find(t, "systemd-analyze", "apt-get install systemd")
	unit := writeFile(t, filepath.Join(t.TempDir(), "frontdesk.service"),
		replaced(t, "frontdesk.service", "/usr/local/bin/frontdesk", os.Args[0]))
	for _, args := range [][]string{
		{"verify", "--recursive-errors=no", "--man=no", unit},
		{"security", "--offline=yes", "--no-pager", "--threshold=20", unit},
	} {
		out, err := exec.CommandContext(t.Context(), analyze, args...).CombinedOutput()
		if err != nil || args[0] == "verify" && len(out) > 0 {
			t.Errorf("systemd-analyze %s: %v\n%s", args[0], err, out)
		}
	}
	stop := regexp.MustCompile(`(?m)^TimeoutStopSec=(\d+)$`).FindStringSubmatch(deployFile(t, "frontdesk.service"))
	if stop == nil {
		t.Fatal("the unit has no TimeoutStopSec")
	}
	if patience, err := time.ParseDuration(stop[1] + "s"); err != nil || patience <= app.ShutdownTimeout {
		t.Errorf("systemd kills after %v, the service stops within %v", patience, app.ShutdownTimeout)
	}
}

// composed is the part of a compose file that the test looks at.
type composed struct {
	Services map[string]struct {
		Environment     map[string]string
		Secrets         []string
		Networks        []string
		Volumes         []string
		StopGracePeriod string                       `yaml:"stop_grace_period"`
		DependsOn       map[string]map[string]string `yaml:"depends_on"`
		Healthcheck     map[string]any
	}
	Networks map[string]struct {
		IPAM struct{ Config []map[string]string }
	}
	Volumes map[string]any
	Secrets map[string]map[string]string
}

// TestCompose holds the compose file together: everything that one part of it names
// is in another.
func TestCompose(t *testing.T) {
	t.Parallel()
	var file composed
	if err := yaml.Unmarshal([]byte(deployFile(t, "compose.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	for name, service := range file.Services {
		for _, network := range service.Networks {
			if _, ok := file.Networks[network]; !ok {
				t.Errorf("%s is in network %s, which is not declared", name, network)
			}
		}
		for _, secret := range service.Secrets {
			if file.Secrets[secret]["file"] == "" {
				t.Errorf("%s has the secret %s, which is not declared", name, secret)
			}
		}
		for _, volume := range service.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if _, ok := file.Volumes[source]; !ok && !strings.HasPrefix(source, "./") {
				t.Errorf("%s has the volume %s, which is not declared", name, source)
			}
		}
		for other, when := range service.DependsOn {
			// The image of frontdesk has its health check in the Dockerfile.
			if _, ok := file.Services[other]; !ok || when["condition"] != "service_healthy" ||
				!strings.HasPrefix(other, "desk-") && file.Services[other].Healthcheck == nil {
				t.Errorf("%s waits for %s, which has no health", name, other)
			}
		}
		for variable, value := range service.Environment {
			if secret, ok := strings.CutPrefix(value, "/run/secrets/"); ok && !slices.Contains(service.Secrets, secret) {
				t.Errorf("%s: %s needs the secret %s", name, variable, secret)
			}
		}
	}
	composeInstances(t, file)
}

// composeInstances: the instances are the same but for their folder, and the proxy
// knows them, and they it.
func composeInstances(t *testing.T, file composed) {
	t.Helper()
	upstreams := strings.Fields(file.Services["proxy"].Environment["DESK_UPSTREAMS"])
	if len(upstreams) < 2 {
		t.Errorf("the proxy knows the instances %v, want at least two", upstreams)
	}
	subnet := file.Networks["front"].IPAM.Config[0]["subnet"]
	for _, upstream := range upstreams {
		name, port, _ := strings.Cut(upstream, ":")
		instance := file.Services[name]
		if instance.Environment["FRONTDESK_TRUSTED_PROXIES"] != subnet || subnet == "" || port != "8080" {
			t.Errorf("%s believes %q, the proxy is in %q", upstream, instance.Environment["FRONTDESK_TRUSTED_PROXIES"], subnet)
		}
		if patience, err := time.ParseDuration(instance.StopGracePeriod); err != nil || patience <= app.ShutdownTimeout {
			t.Errorf("%s is killed after %v, the service stops within %v", name, patience, app.ShutdownTimeout)
		}
		if !slices.Contains(instance.Volumes, name+":/data") {
			t.Errorf("%s has no data folder of its own: %v", name, instance.Volumes)
		}
	}
}
