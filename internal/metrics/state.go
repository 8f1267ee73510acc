package metrics

import (
	"context"
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
	Revision     string    // of the live content
	Entries      int       // of the live content
	Loaded       time.Time // when the live content was loaded
	CapLeft      *int      // calls of the model that are left today (UTC)
	ModelResting *bool     // whether the model is not called because its endpoint failed
	SharedLimits bool      // limits are counted in Redis now
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
	send := func(kind prometheus.ValueType, name, help string, value float64, labels prometheus.Labels) {
		into <- prometheus.MustNewConstMetric(prometheus.NewDesc(contract.Product+name, help, nil, labels), kind, value)
	}
	gauge := func(name, help string, value float64) { send(prometheus.GaugeValue, name, help, value, nil) }
	gaugeBy := func(name, help, label, of string, value float64) {
		send(prometheus.GaugeValue, name, help, value, prometheus.Labels{label: of})
	}
	counter := func(name, help string, value float64) { send(prometheus.CounterValue, name, help, value, nil) }
	counterBy := func(name, help, label, of string, value float64) {
		send(prometheus.CounterValue, name, help, value, prometheus.Labels{label: of})
	}

	gaugeBy("_content_info", "The content that is live, by its revision.", "revision", state.Revision, 1)
	gauge("_content_entries", "Entries of the content that is live.", float64(state.Entries))
	gauge("_content_loaded_timestamp_seconds", "When the content that is live was loaded.", float64(state.Loaded.UnixMilli())/1000)
	if state.CapLeft != nil {
		gauge("_model_cap_left", "Calls of the model that are left today (UTC), of all instances.", float64(*state.CapLeft))
	}
	if state.ModelResting != nil {
		gauge("_model_resting", "1 while the model is not called because its endpoint failed.", oneIf(*state.ModelResting))
	}
	gauge("_meaning_ready", "1 once the encoder has read the content and the golden questions hold; until then only questions worded as published are answered.", oneIf(state.MeaningReady))
	for result, n := range map[string]uint64{"encoded": state.Encoded, "busy": state.Busy} {
		counterBy("_encodings_total", "Questions that words left open, by what became of them: encoded, or busy when no processor was free in time.", "result", result, float64(n))
	}
	for store, inUse := range map[string]bool{"memory": !state.SharedLimits, "redis": state.SharedLimits} {
		gaugeBy("_limiter_store", "1 for where the limits are counted now.", "store", store, oneIf(inUse))
	}
	if redis := state.Redis; redis != nil {
		for result, n := range map[string]uint64{"ok": redis.Calls - redis.Failures, "failed": redis.Failures} {
			counterBy("_redis_calls_total", "Decisions that Redis was asked for, by result.", "result", result, float64(n))
		}
		counter("_redis_call_seconds_total", "How long all calls of Redis took together.", redis.Spent.Seconds())
		for use, n := range map[string]int{"in_use": redis.InUse, "idle": redis.Idle} {
			gaugeBy("_redis_connections", "Connections to Redis by state.", "state", use, float64(n))
		}
	}
	if made := state.Backup; made != nil {
		var at float64
		if !made.At.IsZero() {
			at = float64(made.At.Unix())
		}
		gauge("_backup_timestamp_seconds", "When the newest daily backup was made; 0 if there is none.", at)
		gauge("_backup_bytes", "Size of the newest daily backup.", float64(made.Bytes))
		gauge("_backup_failed", "1 if the last try of a daily backup failed.", oneIf(made.Err != nil))
	}
	for _, of := range state.Certificates {
		var end float64
		if !of.End.IsZero() {
			end = float64(of.End.Unix())
		}
		gaugeBy("_certificate_end_timestamp_seconds", "When the certificate of a domain ends; 0 if there is none.", "domain", of.Domain, end)
		gaugeBy("_certificate_lifetime_seconds", "How long the certificate of a domain is valid in all.", "domain", of.Domain, of.End.Sub(of.Start).Seconds())
	}
	counter("_notes_dropped_total", "Unanswered questions and feedback that the database did not take.", float64(state.Dropped))
	gauge("_store_writable", "1 if the database stored a row for the scrape, or within the second before.", oneIf(state.StoreWritable))
	gauge("_database_up", "1 if the database answered the scrape.", oneIf(state.Inquiries != nil))
	if state.Inquiries == nil {
		return
	}
	for _, of := range undelivered {
		gaugeBy("_inquiries", "Stored inquiries that were not delivered, by state, of all instances.", "state", string(of), float64(state.Inquiries[of]))
	}
}

func oneIf(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}
