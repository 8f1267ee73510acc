package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk/contract"
)

// State is what the service is asked at each scrape.
type State interface {
	// Content returns the revision of the live content, its number of entries, and
	// since when it is live.
	Content() (revision string, entries int, since time.Time)
	// CapLeft returns how many calls of the model are left today (UTC). It is unknown
	// without a model, and while the counter cannot be read.
	CapLeft(ctx context.Context) (left int, known bool)
	// LimiterStore returns where limits are counted now: StoreMemory or StoreRedis.
	LimiterStore() string
	// Dropped is how many unanswered questions and pieces of feedback were not stored.
	Dropped() int64
	// Encodings returns how many questions were encoded, and how many were left to words
	// because no processor was free in time.
	Encodings() (encoded, busy uint64)
}

// stores are where limits can be counted.
var stores = []string{StoreMemory, StoreRedis}

// The stores of the limits.
const (
	StoreMemory = "memory"
	StoreRedis  = "redis"
)

// scrapeTimeout bounds how long reading the state may take.
const scrapeTimeout = time.Second

// stateCollector asks the service at each scrape.
type stateCollector struct {
	state                                                  State
	info, entries, since, capLeft, use, dropped, encodings *prometheus.Desc
}

func newStateCollector(state State) *stateCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(contract.Product+name, help, labels, nil)
	}
	return &stateCollector{
		state:   state,
		info:    desc("_content_info", "The content that is live, by its revision.", "revision"),
		entries: desc("_content_entries", "Entries of the content that is live."),
		since:   desc("_content_loaded_timestamp_seconds", "When the content that is live was loaded."),
		capLeft: desc("_model_cap_left", "Calls of the model that are left today (UTC), of all instances."),
		dropped: desc("_notes_dropped_total", "Unanswered questions and feedback that the database did not take."),
		use:     desc("_limiter_store", "1 for where the limits are counted now.", "store"),

		encodings: desc("_encodings_total", "Questions that words left open, by what became of them: encoded, or busy when no processor was free in time.", "result"),
	}
}

// Describe implements prometheus.Collector.
func (c *stateCollector) Describe(descs chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{c.info, c.entries, c.since, c.capLeft, c.use, c.dropped, c.encodings} {
		descs <- desc
	}
}

// Collect implements prometheus.Collector.
func (c *stateCollector) Collect(into chan<- prometheus.Metric) {
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		into <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	revision, entries, since := c.state.Content()
	gauge(c.info, 1, revision)
	gauge(c.entries, float64(entries))
	gauge(c.since, float64(since.UnixMilli())/1000)
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	if left, known := c.state.CapLeft(ctx); known {
		gauge(c.capLeft, float64(left))
	}
	into <- prometheus.MustNewConstMetric(c.dropped, prometheus.CounterValue, float64(c.state.Dropped()))
	encoded, busy := c.state.Encodings()
	for result, count := range map[string]uint64{"encoded": encoded, "busy": busy} {
		into <- prometheus.MustNewConstMetric(c.encodings, prometheus.CounterValue, float64(count), result)
	}
	inUse := c.state.LimiterStore()
	for _, store := range stores {
		value := 0.0
		if store == inUse {
			value = 1
		}
		gauge(c.use, value, store)
	}
}
