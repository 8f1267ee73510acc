package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk/contract"
	"frontdesk/internal/quota"
	"frontdesk/internal/records"
)

// State is what the service is asked at each scrape.
type State interface {
	// Content returns the revision of the live content, its number of entries, and
	// since when it is live.
	Content() (revision string, entries int, since time.Time)
	// CapLeft returns how many calls of the model are left today (UTC). It is unknown
	// without a model, and while the counter cannot be read.
	CapLeft(ctx context.Context) (left int, known bool)
	// ModelResting reports whether calls are kept away from the model's endpoint because it failed.
	// It is unknown without a model.
	ModelResting() (resting, known bool)
	// LimiterStore returns where limits are counted now: StoreMemory or StoreRedis.
	LimiterStore() string
	// Redis returns figures about Redis. They are unknown without one.
	Redis() (stats quota.Stats, known bool)
	// Inquiries returns how many inquiries are in each state but sent. The error is the
	// database's.
	Inquiries(ctx context.Context) (map[records.State]int, error)
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

// undelivered are the states of inquiries that are counted at a scrape.
var undelivered = []records.State{records.Pending, records.Failed, records.Unknown, records.Quarantined}

// scrapeTimeout bounds how long reading the state may take.
const scrapeTimeout = time.Second

// stateCollector asks the service at each scrape.
type stateCollector struct {
	state State

	contentInfo, contentEntries, contentLoaded *prometheus.Desc
	capLeft, modelResting, encodings           *prometheus.Desc
	limiterStore                               *prometheus.Desc
	redisCalls, redisSeconds, redisConnections *prometheus.Desc
	databaseUp, inquiries, notesDropped        *prometheus.Desc
}

func newStateCollector(state State) *stateCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(contract.Product+name, help, labels, nil)
	}
	return &stateCollector{
		state: state,

		contentInfo:    desc("_content_info", "The content that is live, by its revision.", "revision"),
		contentEntries: desc("_content_entries", "Entries of the content that is live."),
		contentLoaded:  desc("_content_loaded_timestamp_seconds", "When the content that is live was loaded."),

		capLeft:      desc("_model_cap_left", "Calls of the model that are left today (UTC), of all instances."),
		modelResting: desc("_model_resting", "1 while the model is not called because its endpoint failed."),
		encodings:    desc("_encodings_total", "Questions that words left open, by what became of them: encoded, or busy when no processor was free in time.", "result"),

		limiterStore:     desc("_limiter_store", "1 for where the limits are counted now.", "store"),
		redisCalls:       desc("_redis_calls_total", "Decisions that Redis was asked for, by result.", "result"),
		redisSeconds:     desc("_redis_call_seconds_total", "How long all calls of Redis took together."),
		redisConnections: desc("_redis_connections", "Connections to Redis by state.", "state"),

		databaseUp:   desc("_database_up", "1 if the database answered the scrape."),
		inquiries:    desc("_inquiries", "Stored inquiries that were not delivered, by state, of all instances.", "state"),
		notesDropped: desc("_notes_dropped_total", "Unanswered questions and feedback that the database did not take."),
	}
}

// Describe implements prometheus.Collector.
func (c *stateCollector) Describe(descs chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{
		c.contentInfo, c.contentEntries, c.contentLoaded, c.capLeft, c.modelResting, c.encodings, c.limiterStore,
		c.redisCalls, c.redisSeconds, c.redisConnections, c.databaseUp, c.inquiries, c.notesDropped,
	} {
		descs <- desc
	}
}

// Collect implements prometheus.Collector.
func (c *stateCollector) Collect(into chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	s := sink(into)
	revision, entries, since := c.state.Content()
	s.gauge(c.contentInfo, 1, revision)
	s.gauge(c.contentEntries, float64(entries))
	s.gauge(c.contentLoaded, float64(since.UnixMilli())/1000)
	c.collectModel(ctx, s)
	c.collectLimits(s)
	c.collectRecords(ctx, s)
}

func (c *stateCollector) collectModel(ctx context.Context, s sink) {
	if left, known := c.state.CapLeft(ctx); known {
		s.gauge(c.capLeft, float64(left))
	}
	if resting, known := c.state.ModelResting(); known {
		s.gauge(c.modelResting, oneIf(resting))
	}
	encoded, busy := c.state.Encodings()
	s.counter(c.encodings, float64(encoded), "encoded")
	s.counter(c.encodings, float64(busy), "busy")
}

func (c *stateCollector) collectLimits(s sink) {
	inUse := c.state.LimiterStore()
	for _, store := range stores {
		s.gauge(c.limiterStore, oneIf(store == inUse), store)
	}
	stats, known := c.state.Redis()
	if !known {
		return
	}
	s.counter(c.redisCalls, float64(stats.Calls-stats.Failures), "ok")
	s.counter(c.redisCalls, float64(stats.Failures), "failed")
	s.counter(c.redisSeconds, stats.Spent.Seconds())
	s.gauge(c.redisConnections, float64(stats.InUse), "in_use")
	s.gauge(c.redisConnections, float64(stats.Idle), "idle")
}

func (c *stateCollector) collectRecords(ctx context.Context, s sink) {
	s.counter(c.notesDropped, float64(c.state.Dropped()))
	inquiries, err := c.state.Inquiries(ctx)
	s.gauge(c.databaseUp, oneIf(err == nil))
	if err != nil {
		return
	}
	for _, state := range undelivered {
		s.gauge(c.inquiries, float64(inquiries[state]), string(state))
	}
}

func oneIf(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}

// sink takes the metrics of a scrape.
type sink chan<- prometheus.Metric

func (s sink) gauge(desc *prometheus.Desc, value float64, labels ...string) {
	s <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
}

func (s sink) counter(desc *prometheus.Desc, value float64, labels ...string) {
	s <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, value, labels...)
}
