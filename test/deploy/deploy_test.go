package deploy_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/live"
	"frontdesk/internal/programs"
	"frontdesk/internal/server"
	"frontdesk/test/harness"

	"go.yaml.in/yaml/v4"
)

func deployFile(t *testing.T, name string) string {
	t.Helper()
	return readFile(t, filepath.Join("deploy", name))
}

var settingName = regexp.MustCompile(`FRONTDESK_[A-Z_]+`)

// TestDeploySettingsExist finds misspelt settings, which only cause a warning at the start.
func TestDeploySettingsExist(t *testing.T) {
	t.Parallel()
	seen := 0
	err := fs.WalkDir(os.DirFS("deploy"), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		names := settingName.FindAllString(deployFile(t, path), -1)
		seen += len(names)
		// Not a setting: FRONTDESK_SERVICE_HOST is what Kubernetes would set.
		names = slices.DeleteFunc(names, func(name string) bool { return name == "FRONTDESK_SERVICE_HOST" })
		if unknown := config.Warnings(names); len(unknown) > 0 {
			t.Errorf("deploy/%s names the unknown settings %v", path, unknown)
		}
		return nil
	})
	expect.OK(t, err)
	expect.AtLeast(t, "names of settings", 20, seen)
}

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
	expect.AtLeast(t, "settings", given+4, len(process.Env))
	out, err := process.CombinedOutput()
	expect.Error(t, string(out), err, nil)
}

func TestDeployHealthCheck(t *testing.T) {
	t.Parallel()
	dockerfile := deployFile(t, "Dockerfile")
	found := regexp.MustCompile(`(?m)^HEALTHCHECK .*--timeout=(\S+) .*CMD (\[.*\])$`).FindStringSubmatch(dockerfile)
	var args []string
	if found == nil || json.Unmarshal([]byte(found[2]), &args) != nil {
		t.Fatal("the Dockerfile has no health check that can be read")
	}
	expect.Same(t, "the command", "/frontdesk", args[0])
	expect.Holds(t, "the Dockerfile", dockerfile, "-o /image/frontdesk ")
	d := harness.Start(t, nil)
	if code, out, err := harness.Command(t, append(args[1:], "--url", d.URL)...); code != 0 {
		t.Errorf("exit %d: %s%s", code, out, err)
	}
	patience := expect.Value(time.ParseDuration(found[1]))(t)
	own, ownErr := time.ParseDuration(args[len(args)-1])
	if ownErr != nil || own >= patience {
		t.Errorf("the command takes up to %v, and is killed after %v", own, patience)
	}
	expect.Lacks(t, "the health check, which asks where the service listens,", dockerfile, "FRONTDESK_URL")
}

// TestDeployUnit checks the unit with systemd, and its hardening against a bound: 0 is the safest, 10 (threshold 100)
// is none at all.
func TestDeployUnit(t *testing.T) {
	t.Parallel()
	analyze := programs.Find(t, "systemd-analyze", "apt-get install systemd")
	named := func(name string) string {
		return writeFile(t, filepath.Join(t.TempDir(), name), replaced(t, name, "/usr/local/bin/frontdesk", os.Args[0]))
	}
	unit, backup := named("frontdesk.service"), named("frontdesk-backup.service")
	for _, args := range [][]string{
		{"verify", "--recursive-errors=no", "--man=no", unit},
		{"verify", "--recursive-errors=no", "--man=no", backup},
		{"security", "--offline=yes", "--no-pager", "--threshold=20", unit},
	} {
		out := expect.Value(exec.CommandContext(t.Context(), analyze, args...).CombinedOutput())(t)
		if args[0] == "verify" && len(out) > 0 {
			t.Errorf("systemd-analyze %s\n%s", args[0], out)
		}
	}
	expect.Holds(t, "the unit", deployFile(t, "frontdesk.service"),
		"\nType=notify\n", "\nRestart=always\n", "\nStartLimitIntervalSec=0\n", "\nExecReload=/usr/local/bin/frontdesk reload\n")
	// systemd-run does not replace the specifiers that a unit may have.
	if run := deployFile(t, "frontdesk-run"); !strings.Contains(run, "FRONTDESK_DATA=/var/lib/frontdesk ") || regexp.MustCompile(`=[^ ]*%[a-zA-Z]`).MatchString(run) {
		t.Error("frontdesk-run does not give the data folder as a path")
	}
	stop := regexp.MustCompile(`(?m)^TimeoutStopSec=(\d+)$`).FindStringSubmatch(deployFile(t, "frontdesk.service"))
	if stop == nil {
		t.Fatal("the unit has no TimeoutStopSec")
	}
	expect.AtLeast(t, "systemd waits", server.ShutdownTimeout+1, expect.Value(time.ParseDuration(stop[1]+"s"))(t))
}

// Everything that waits for a start is more patient than the start itself, which waits for the encoder, and Kubernetes
// reserves what an instance takes.
func TestDeployStart(t *testing.T) {
	t.Parallel()
	find := func(name, expression string) []string {
		found := regexp.MustCompile(expression).FindStringSubmatch(deployFile(t, name))
		if found == nil {
			t.Fatalf("%s has nothing like %s", name, expression)
		}
		return found[1:]
	}
	const manifest = "kubernetes/deployment.yaml"
	probe := find(manifest, `startupProbe:\s+httpGet:[^#]*?periodSeconds: (\d+)\s+failureThreshold: (\d+)`)
	for place, period := range map[string]string{
		"Dockerfile":          find("Dockerfile", `--start-period=(\S+)`)[0],
		"compose.yaml":        find("compose.yaml", `/frontdesk, health[^#]*?start_period: (\S+)`)[0],
		"compose.single.yaml": find("compose.single.yaml", `/frontdesk, health[^#]*?start_period: (\S+)`)[0],
		"frontdesk.service":   find("frontdesk.service", `(?m)^TimeoutStartSec=(\d+)$`)[0] + "s",
		manifest:              fmt.Sprint(number(t, probe[0])*number(t, probe[1]), "s"),
	} {
		expect.AtLeast(t, place+": a start that waits for the encoder has",
			2*live.Patience, expect.Value(time.ParseDuration(period))(t))
	}
	requests := find(manifest, `requests:[^}]*?cpu: (\d+)m\s+memory: (\d+)Mi`)
	// The bounds of what a start of small content takes are in docs/selector.md.
	const costs = "../docs/selector.md"
	memory := find(costs, `(?m)^\| memory after the first start .*\| (\d+) MiB`)[0]
	work := expect.Value(time.ParseDuration(find(costs, `(?m)^\| start with 28 entries.*\| (\S+) s / `)[0] + "s"))(t)
	expect.AtLeast(t, manifest+" requests MiB", number(t, memory), number(t, requests[1]))
	expect.AtMost(t, manifest+": a start takes", live.Patience, work*1000/time.Duration(number(t, requests[0])))
}

func number(t *testing.T, text string) int {
	t.Helper()
	return expect.Value(strconv.Atoi(text))(t)
}

type composed struct {
	Services map[string]struct {
		Environment     map[string]string
		Secrets         []string
		Volumes         []string
		StopGracePeriod string                       `yaml:"stop_grace_period"`
		DependsOn       map[string]map[string]string `yaml:"depends_on"`
		Healthcheck     map[string]any
		Logging         struct{ Options map[string]string }
	}
	Networks map[string]struct {
		IPAM struct{ Config []map[string]string }
	}
}

func TestCompose(t *testing.T) {
	t.Parallel()
	for name, instances := range map[string]int{"compose.yaml": 2, "compose.single.yaml": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var file composed
			expect.OK(t, yaml.Unmarshal([]byte(deployFile(t, name)), &file))
			isConsistent(t, file)
			composeInstances(t, file, instances)
		})
	}
}

// isConsistent checks what the library of docker compose does not (test/kubernetes): a secret that a variable names,
// the health of what is waited for, and the bound of logs.
func isConsistent(t *testing.T, file composed) {
	t.Helper()
	for name, service := range file.Services {
		for other, when := range service.DependsOn {
			if when["condition"] != "service_healthy" || file.Services[other].Healthcheck == nil {
				t.Errorf("%s waits for %s, which has no health", name, other)
			}
		}
		for variable, value := range service.Environment {
			if secret, ok := strings.CutPrefix(value, "/run/secrets/"); ok && !slices.Contains(service.Secrets, secret) {
				t.Errorf("%s: %s needs the secret %s", name, variable, secret)
			}
		}
		if service.Logging.Options["max-size"] == "" {
			t.Errorf("the log of %s has no bound", name)
		}
	}
}

// composeInstances checks that the instances differ only in their folder, and that the proxy and the instances know
// each other.
func composeInstances(t *testing.T, file composed, instances int) {
	t.Helper()
	upstreams := strings.Fields(file.Services["proxy"].Environment["DESK_UPSTREAMS"])
	expect.Same(t, fmt.Sprint("the proxy knows the instances ", upstreams), instances, len(upstreams))
	subnet := file.Networks["front"].IPAM.Config[0]["subnet"]
	for _, upstream := range upstreams {
		name, port, _ := strings.Cut(upstream, ":")
		instance := file.Services[name]
		if instance.Environment["FRONTDESK_TRUSTED_PROXIES"] != subnet || subnet == "" || port != "8080" {
			t.Errorf("%s trusts %q, the proxy is in %q", upstream, instance.Environment["FRONTDESK_TRUSTED_PROXIES"], subnet)
		}
		if _, port, _ := net.SplitHostPort(instance.Environment["FRONTDESK_ADMIN_ADDR"]); port != file.Services["proxy"].Environment["DESK_ADMIN_PORT"] {
			t.Errorf("the proxy asks for the health of %s at another port than %s", name, port)
		}
		expect.AtLeast(t, name+" may stop within",
			server.ShutdownTimeout+1, expect.Value(time.ParseDuration(instance.StopGracePeriod))(t))
		if !slices.Contains(instance.Volumes, name+":/data") {
			t.Errorf("%s has no data folder of its own: %v", name, instance.Volumes)
		}
	}
}
