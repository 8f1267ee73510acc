package deploy_test

import (
	"fmt"
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

func TestMain(m *testing.M) { harness.Main(m) }

func deployFile(t *testing.T, name string) string {
	t.Helper()
	return readFile(t, filepath.Join("deploy", name))
}

func find(t *testing.T, name, expression string) []string {
	t.Helper()
	found := regexp.MustCompile(expression).FindStringSubmatch(deployFile(t, name))
	if found == nil {
		t.Fatalf("%s has nothing like %s", name, expression)
	}
	return found[1:]
}

func duration(t *testing.T, text string) time.Duration {
	t.Helper()
	return expect.Value(time.ParseDuration(text))(t)
}

var settingName = regexp.MustCompile(`FRONTDESK_[A-Z_]+`)

// A misspelt setting only causes a warning at the start.
func TestDeploySettingsExist(t *testing.T) {
	t.Parallel()
	seen := 0
	for path, text := range expect.Files(t, os.DirFS("deploy"), "..") {
		names := settingName.FindAllString(text, -1)
		seen += len(names)
		// Not a setting: FRONTDESK_SERVICE_HOST is what Kubernetes would set.
		names = slices.DeleteFunc(names, func(name string) bool { return name == "FRONTDESK_SERVICE_HOST" })
		if unknown := config.Warnings(names); len(unknown) > 0 {
			t.Errorf("deploy/%s names the unknown settings %v", path, unknown)
		}
	}
	expect.AtLeast(t, "names of settings", 20, seen)
}

func TestDeployEnvironment(t *testing.T) {
	t.Parallel()
	process := harness.Process(t.Context(), "check")
	process.Env = append(process.Env, "FRONTDESK_SMTP_URL=smtp://mail.example.org")
	given := len(process.Env)
	for line := range strings.Lines(deployFile(t, "frontdesk.env")) {
		if strings.HasPrefix(line, config.Prefix) && !strings.HasPrefix(line, "FRONTDESK_CONTENT=") {
			process.Env = append(process.Env, strings.TrimSpace(line))
		}
	}
	expect.AtLeast(t, "settings", given+4, len(process.Env))
	out, err := process.CombinedOutput()
	expect.Error(t, string(out), err, nil)
}

func TestDeployHealthCheck(t *testing.T) {
	t.Parallel()
	found := find(t, "Dockerfile", `(?m)^HEALTHCHECK .*--timeout=(\S+) .*CMD (\[.*\])$`)
	args := expect.JSON[[]string](t, []byte(found[1]))
	dockerfile := deployFile(t, "Dockerfile")
	expect.Same(t, "the command", "/frontdesk", args[0])
	expect.Holds(t, "the Dockerfile", dockerfile, "-o /image/frontdesk ")
	d := harness.Start(t, nil)
	if code, out, err := harness.Command(t, append(args[1:], "--url", d.URL)...); code != 0 {
		t.Errorf("exit %d: %s%s", code, out, err)
	}
	expect.AtMost(t, "the command takes", duration(t, found[0])-1, duration(t, args[len(args)-1]))
	expect.Lacks(t, "the health check, which asks where the service listens,", dockerfile, "FRONTDESK_URL")
}

// The hardening has a bound: 0 is the safest, 10 (threshold 100) is none at all.
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
	expect.Holds(t, "the unit", deployFile(t, "frontdesk.service"), "\nType=notify\n", "\nRestart=always\n",
		"\nStartLimitIntervalSec=0\n", "\nExecReload=/usr/local/bin/frontdesk reload\n")
	run := deployFile(t, "frontdesk-run")
	expect.Holds(t, "frontdesk-run", run, "FRONTDESK_DATA=/var/lib/frontdesk ")
	// systemd-run does not replace the specifiers that a unit may have.
	expect.Same(t, "specifiers of frontdesk-run", "", regexp.MustCompile(`=[^ ]*%[a-zA-Z]`).FindString(run))
	stop := find(t, "frontdesk.service", `(?m)^TimeoutStopSec=(\d+)$`)[0] + "s"
	expect.AtLeast(t, "systemd waits", server.ShutdownTimeout+1, duration(t, stop))
}

// What waits for a start is more patient than the start, which waits for the encoder, and Kubernetes reserves what an
// instance takes.
func TestDeployStart(t *testing.T) {
	t.Parallel()
	const manifest, compose = "kubernetes/deployment.yaml", `/frontdesk, health[^#]*?start_period: (\S+)`
	probe := find(t, manifest, `startupProbe:\s+httpGet:[^#]*?periodSeconds: (\d+)\s+failureThreshold: (\d+)`)
	for place, period := range map[string]string{
		"Dockerfile":          find(t, "Dockerfile", `--start-period=(\S+)`)[0],
		"compose.yaml":        find(t, "compose.yaml", compose)[0],
		"compose.single.yaml": find(t, "compose.single.yaml", compose)[0],
		"frontdesk.service":   find(t, "frontdesk.service", `(?m)^TimeoutStartSec=(\d+)$`)[0] + "s",
		manifest:              fmt.Sprint(number(t, probe[0])*number(t, probe[1]), "s"),
	} {
		expect.AtLeast(t, place+": a start that waits for the encoder has", 2*live.Patience, duration(t, period))
	}
	requests := find(t, manifest, `requests:[^}]*?cpu: (\d+)m\s+memory: (\d+)Mi`)
	// The bounds of what a start of small content takes are in docs/selector.md.
	const costs = "../docs/selector.md"
	memory := find(t, costs, `(?m)^\| memory after the first start .*\| (\d+) MiB`)[0]
	work := duration(t, find(t, costs, `(?m)^\| start with 28 entries.*\| (\S+) s / `)[0]+"s")
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
		Networks        []string
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

// isConsistent checks what the library of docker compose does not (test/kubernetes).
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

// Instances differ only in their folder, and know the proxy. They share one network: Docker would connect them through
// any other, from an address that is not trusted.
func composeInstances(t *testing.T, file composed, instances int) {
	t.Helper()
	networks, proxy := file.Services["proxy"].Networks, file.Services["proxy"].Environment
	upstreams := strings.Fields(proxy["DESK_UPSTREAMS"])
	expect.Same(t, fmt.Sprint("the proxy knows the instances ", upstreams), instances, len(upstreams))
	subnet := file.Networks["front"].IPAM.Config[0]["subnet"]
	for _, upstream := range upstreams {
		name, port, _ := strings.Cut(upstream, ":")
		instance := file.Services[name]
		if trusted := instance.Environment["FRONTDESK_TRUSTED_PROXIES"]; trusted != subnet || subnet == "" || port != "8080" {
			t.Errorf("%s trusts %q, the proxy is in %q", upstream, trusted, subnet)
		}
		only := func(network string) bool { return !slices.Contains(networks, network) }
		expect.Same(t, "networks of the proxy and "+name, []string{"front"}, slices.DeleteFunc(instance.Networks, only))
		_, admin, _ := net.SplitHostPort(instance.Environment["FRONTDESK_ADMIN_ADDR"])
		expect.Same(t, "the port of health of "+name, proxy["DESK_ADMIN_PORT"], admin)
		expect.AtLeast(t, name+" may stop within", server.ShutdownTimeout+1, duration(t, instance.StopGracePeriod))
		if !slices.Contains(instance.Volumes, name+":/data") {
			t.Errorf("%s has no data folder of its own: %v", name, instance.Volumes)
		}
	}
}
