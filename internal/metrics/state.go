package metrics

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk/contract"
	"frontdesk/internal/backup"
	"frontdesk/internal/certificates"
	"frontdesk/internal/quota"
	"frontdesk/internal/records"
)

// State is what the service is asked for at each scrape. What is nil has no value.
type State struct {
	Version      string // of the binary
	LogDropped   int64  // lines
	Revision     string // of the live content
	Entries      int    // of the live content
	CapLeft      *int   // calls of the model that are left today (UTC)
	ModelResting *bool  // whether the model is not called because its endpoint failed
	SharedLimits bool   // limits are counted in Redis now
	Redis        *quota.Stats
	// Inquiries are how many inquiries are in each state but sent; nil if the database
	// does not answer.
	Inquiries     map[records.State]int
	StoreWritable bool          // whether the database stores rows
	Dropped       int64         // questions and pieces of feedback that were not stored
	MeaningReady  bool          // whether questions in other words than published are answered
	Backup        *backup.State // of the daily backups; nil if the service makes none
	Certificates  []certificates.State
	Encoded, Busy uint64 // questions that were encoded, or got only candidates because no processor was free
}

// undelivered are the states of inquiries that are counted at a scrape.
var undelivered = []records.State{records.Pending, records.Failed, records.Unknown, records.Quarantined}

// scrapeTimeout bounds how long reading the state may take.
const scrapeTimeout = time.Second

// stateCollector asks the service at each scrape.
type stateCollector func(ctx context.Context) State

// Describe implements prometheus.Collector. It describes nothing, because some metrics
// have no value at first: the registry then checks them when they are collected.
func (stateCollector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (read stateCollector) Collect(into chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	state := read(ctx)
	// The names of counters end with _total, all others are gauges.
	send := func(name, help string, value float64, label ...string) {
		kind, labels := prometheus.GaugeValue, prometheus.Labels{}
		if strings.HasSuffix(name, "_total") {
			kind = prometheus.CounterValue
		}
		if len(label) > 0 {
			labels[label[0]] = label[1]
		}
		into <- prometheus.MustNewConstMetric(prometheus.NewDesc(contract.Product+name, help, nil, labels), kind, value)
	}

	send("_build_info", "The version of the binary.", 1, "version", state.Version)
	send("_log_lines_dropped_total", "Log lines dropped because the log was not read fast enough.",
		float64(state.LogDropped))
	send("_content_info", "The content that is live, by its revision.", 1, "revision", state.Revision)
	send("_content_entries", "Entries of the content that is live.", float64(state.Entries))
	if state.CapLeft != nil {
		send("_model_cap_left", "Calls of the model that are left today (UTC), of all instances.", float64(*state.CapLeft))
	}
	if state.ModelResting != nil {
		send("_model_resting", "1 while the model is not called because its endpoint failed.", oneIf(*state.ModelResting))
	}
	send("_meaning_ready", "1 once the encoder has read the content and the golden questions pass; until then only "+
		"questions worded as published are answered.", oneIf(state.MeaningReady))
	for result, n := range map[string]uint64{"encoded": state.Encoded, "busy": state.Busy} {
		send("_encodings_total", "Questions that words left open, by what became of them: encoded, or busy when no "+
			"processor was free in time.", float64(n), "result", result)
	}
	for store, inUse := range map[string]bool{"memory": !state.SharedLimits, "redis": state.SharedLimits} {
		send("_limiter_store", "1 for where the limits are counted now.", oneIf(inUse), "store", store)
	}
	if redis := state.Redis; redis != nil {
		for result, n := range map[string]uint64{"ok": redis.Calls - redis.Failures, "failed": redis.Failures} {
			send("_redis_calls_total", "Decisions that Redis was asked for, by result.", float64(n), "result", result)
		}
		send("_redis_call_seconds_total", "How long all calls of Redis took together.", redis.Spent.Seconds())
		for use, n := range map[string]int{"in_use": redis.InUse, "idle": redis.Idle} {
			send("_redis_connections", "Connections to Redis by state.", float64(n), "state", use)
		}
	}
	if made := state.Backup; made != nil {
		send("_backup_timestamp_seconds", "When the newest daily backup was made; 0 if there is none.", seconds(made.At))
		send("_backup_bytes", "Size of the newest daily backup.", float64(made.Bytes))
		send("_backup_failed", "1 if the last try of a daily backup failed.", oneIf(made.Err != nil))
	}
	for _, of := range state.Certificates {
		send("_certificate_end_timestamp_seconds", "When the certificate of a domain ends; 0 if there is none.",
			seconds(of.End), "domain", of.Domain)
		send("_certificate_lifetime_seconds", "How long the certificate of a domain is valid in all.",
			of.End.Sub(of.Start).Seconds(), "domain", of.Domain)
	}
	send("_notes_dropped_total", "Unanswered questions and feedback that the database did not take.",
		float64(state.Dropped))
	send("_store_writable", "1 if the database stored a row for the scrape.", oneIf(state.StoreWritable))
	send("_database_up", "1 if the database answered the scrape.", oneIf(state.Inquiries != nil))
	if state.Inquiries == nil {
		return
	}
	for _, of := range undelivered {
		send("_inquiries", "Stored inquiries that were not delivered, by state, of all instances.",
			float64(state.Inquiries[of]), "state", string(of))
	}
}

// seconds is a time since 1970; 0 for none.
func seconds(at time.Time) float64 {
	if at.IsZero() {
		return 0
	}
	return float64(at.Unix())
}

func oneIf(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}
