package span

import (
	"slices"
	"sync"
	"time"
)

// Kind is what went wrong: the key of the owner's message about it.
type Kind = string

const (
	RequestFailed          Kind = "owner.fault.request"
	MailFailed             Kind = "owner.fault.delivery"
	RecipientRefused       Kind = "owner.fault.recipients"
	OutcomeNotStored       Kind = "owner.fault.outcome"
	DailyLimitReached      Kind = "owner.fault.daylimit"
	DeliveriesUnreadable   Kind = "owner.fault.deliveries"
	NotificationFailed     Kind = "owner.fault.notification"
	QuestionsDropped       Kind = "owner.fault.dropped"
	CountsNotStored        Kind = "owner.fault.counts"
	RetentionFailed        Kind = "owner.fault.retention"
	ContentRefused         Kind = "owner.fault.content"
	KeysRefused            Kind = "owner.fault.keys"
	CertificateNotObtained Kind = "owner.fault.certificate.missing"
	CertificateEnding      Kind = "owner.fault.certificate.ending"
	CertificateRefused     Kind = "owner.fault.certificate.refused"
	DatabaseAway           Kind = "owner.fault.database"
	ModelFailed            Kind = "owner.fault.model"
	ModelCapReached        Kind = "owner.fault.model.cap"
	RedisAway              Kind = "owner.fault.redis"
	FolderShared           Kind = "owner.fault.shared"
)

// Event is something that went wrong, one or several times in a row.
type Event struct {
	Kind    Kind
	Subject string // the inquiry, route, domain, target or revision of the last time, if any
	Times   int
	At      time.Time // the last time
}

// maxEvents is how many Events keeps.
const maxEvents = 50

// Events keeps the last events since the start.
type Events struct {
	mu   sync.Mutex
	list []Event // the last first
}

// Add adds an event that happened now. A nil Events ignores it.
func (e *Events) Add(kind Kind, subject string) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.list) == 0 || e.list[0].Kind != kind {
		e.list = slices.Insert(e.list, 0, Event{Kind: kind})
		e.list = e.list[:min(len(e.list), maxEvents)]
	}
	e.list[0].Subject, e.list[0].At = subject, time.Now()
	e.list[0].Times++
}

// List returns the events, the last first.
func (e *Events) List() []Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.list)
}
