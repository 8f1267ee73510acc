package deploy_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
	"frontdesk/test/harness"
)

// A real Prometheus with the alert rules scrapes a running service, and runs every query of the dashboard.
func TestMonitoring(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, harness.WithAdmin)
	d.Ask(t, "What does it cost?")
	harness.WantStatus(t, d.Send(t, harness.NewClient(t), "GET", contract.PathCatalog, ""), 200)
	p := startPrometheus(t, d)
	t.Run("alerts", func(t *testing.T) {
		harness.Eventually(t, func() bool { // every rule is evaluated
			return !slices.ContainsFunc(p.rules(), func(r rule) bool { return r.Health == "unknown" })
		})
		for _, rule := range p.rules() { // none fires for a service that works
			if rule.Health != "ok" || rule.State != "inactive" {
				t.Errorf("%s is %s, %s: %s", rule.Name, rule.Health, rule.State, rule.LastError)
			}
			metricsExist(t, p, rule.Name, rule.Query)
		}
	})
	t.Run("dashboard", func(t *testing.T) {
		board := expect.JSON[struct {
			Panels []struct {
				Title   string
				Targets []struct{ Expr string }
			}
		}](t, []byte(deployFile(t, "monitoring/dashboard.json")))
		expect.AtLeast(t, "panels", 10, len(board.Panels))
		for _, panel := range board.Panels {
			for _, target := range panel.Targets {
				expr := strings.ReplaceAll(target.Expr, "$__rate_interval", "5m")
				p.count(expr) // fails if Prometheus refuses the query
				metricsExist(t, p, panel.Title, expr)
			}
		}
	})
}

func startPrometheus(t *testing.T, d *harness.Desk) querier {
	t.Helper()
	prometheus := programs.Find(t, "prometheus", "apt-get install prometheus")
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "alerts.yaml"), deployFile(t, "monitoring/alerts.yaml"))
	settings := writeFile(t, filepath.Join(dir, "prometheus.yaml"), replaced(t, "monitoring/prometheus.yaml",
		"desk-1:9090, desk-2:9090", d.AdminAddr().String(), "scrape_interval: 15s", "scrape_interval: 5s",
		"evaluation_interval: 15s", "evaluation_interval: 1s"))
	at, _ := programs.FreeAddr(t)
	programs.Listening(t, at, func() *exec.Cmd {
		return exec.Command(prometheus, "--config.file", settings, "--web.listen-address", at,
			"--storage.tsdb.path", filepath.Join(dir, "data"))
	}, func() error {
		response, err := http.Get("http://" + at + "/-/ready")
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != 200 {
			return fmt.Errorf("status %d", response.StatusCode)
		}
		return nil
	})
	p := querier{t, "http://" + at + "/api/v1/"}
	harness.Eventually(t, func() bool { return p.count(`up{job="frontdesk"} == 1`) == 1 })
	return p
}

// Each rule must have a test of promtool in which it fires.
func TestAlertRules(t *testing.T) {
	t.Parallel()
	promtool := programs.Find(t, "promtool", "apt-get install prometheus")
	out, err := exec.Command(promtool, "test", "rules", "deploy/monitoring/alerts_test.yaml").CombinedOutput()
	expect.Error(t, string(out), err, nil)
	tests := deployFile(t, "monitoring/alerts_test.yaml")
	rules := alertName.FindAllStringSubmatch(deployFile(t, "monitoring/alerts.yaml"), -1)
	expect.AtLeast(t, "rules", 15, len(rules))
	for _, rule := range rules {
		fires := regexp.MustCompile(`alertname: ` + rule[1] + `\n +eval_time: \S+\n +exp_alerts:|alertname="` +
			rule[1] + `"`)
		if !fires.MatchString(tests) {
			t.Errorf("%s fires in no test", rule[1])
		}
	}
}

var alertName = regexp.MustCompile(`- alert: (\w+)`)

var metricName = regexp.MustCompile(`\b(frontdesk|process|go)_[a-z_]+`)

// A counter without labels or of a part that is off may be absent from an answer of Prometheus, but not from the list
// of the service.
func metricsExist(t *testing.T, p querier, where, expr string) {
	t.Helper()
	known := readFile(t, filepath.Join("internal", "metrics", "testdata", "names.golden"))
	for _, name := range metricName.FindAllString(expr, -1) {
		name = strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_count")
		if !strings.Contains(known, name+" ") && p.count(name) == 0 {
			t.Errorf("%s: the service exports no metric %s", where, name)
		}
	}
}

var selector = regexp.MustCompile(`\bfrontdesk_[a-z_]+\{[^}]*\}`)

// A series that is born at 1 never shows a first failure to rate and increase.
func TestSeriesExist(t *testing.T) {
	t.Parallel()
	redis := programs.Redis(t)
	model := modeltest.Listen(t, modeltest.Pick("hours"))
	d := harness.Start(t, func(s *config.Settings) {
		harness.WithAdmin(s)
		harness.WithModel(t, model, "20")(s)
		s.RedisURL, s.Backup = redis.URL, "daily"
		s.Domain, s.BaseURL.Text, s.HTTPAddr = []string{"desk.example"}, "", "127.0.0.1:0"
		s.TLSCert, s.TLSKey = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
		programs.SelfSigned(t, s.TLSCert, s.TLSKey, 90*24*time.Hour, "desk.example")
	})
	p := startPrometheus(t, d)
	rules, read := p.rules(), 0
	for _, rule := range rules {
		for _, series := range selector.FindAllString(rule.Query, -1) {
			read++
			if p.count("last_over_time("+series+"[5m])") == 0 { // on a busy machine a scrape may fail in between
				t.Errorf("%s reads %s, which the first request makes", rule.Name, series)
			}
		}
	}
	expect.AtLeast(t, "series that are read", len(rules), read)
}

type querier struct {
	t   *testing.T
	url string
}

func (q querier) get(path string, parameters url.Values, data any) {
	q.t.Helper()
	response := expect.Value(http.Get(q.url + path + "?" + parameters.Encode()))(q.t)
	defer response.Body.Close()
	answer := struct {
		Status, Error string
		Data          any
	}{Data: data}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || answer.Status != "success" {
		q.t.Fatalf("%s %s: %v %s", path, parameters, err, answer.Error)
	}
}

type rule struct{ Name, Query, Health, LastError, State string }

func (q querier) rules() []rule {
	q.t.Helper()
	var found struct{ Groups []struct{ Rules []rule } }
	q.get("rules", nil, &found)
	if len(found.Groups) != 1 || len(found.Groups[0].Rules) < 15 {
		q.t.Fatalf("the rules are not loaded: %+v", found)
	}
	return found.Groups[0].Rules
}

func (q querier) count(expr string) int {
	q.t.Helper()
	var data struct{ Result []any }
	q.get("query", url.Values{"query": {expr}}, &data)
	return len(data.Result)
}
