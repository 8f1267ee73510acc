package app

import (
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/certificates"
	"frontdesk/internal/outbox"
	"frontdesk/internal/owner"
)

// faultKeys are the messages of the log that the owner sees on the page of the state, by the
// keys of the owner's words for them.
var faultKeys = map[string]string{
	"request":                "owner.fault.request",
	"delivery of an inquiry": "owner.fault.delivery",
	outbox.NotToAll:          "owner.fault.recipients",
	"the outcome of a delivery could not be recorded": "owner.fault.outcome",
	"notification of the owner":                       "owner.fault.notification",
	"inquiries are refused until tomorrow (UTC): the limit of the day, or of one network, is reached": "owner.fault.daylimit",
	"questions and feedback are dropped":                                    "owner.fault.dropped",
	"the counts of the day cannot be stored; trying again in a minute":      "owner.fault.counts",
	"interrupted deliveries cannot be read; trying again":                   "owner.fault.deliveries",
	"deleting old records failed":                                           "owner.fault.retention",
	"content refused: the old content stays live":                           "owner.fault.content",
	"signing keys refused: the old keys stay in use":                        "owner.fault.keys",
	certificates.NotObtained:                                                "owner.fault.certificate.missing",
	certificates.EndsSoon:                                                   "owner.fault.certificate.ending",
	certificates.Refused:                                                    "owner.fault.certificate.refused",
	databaseAway:                                                            "owner.fault.database",
	"the model could not be asked":                                          "owner.fault.model",
	"the model is not asked until tomorrow (UTC): its daily cap is reached": "owner.fault.model.cap",
	"cannot use Redis; each instance applies the limits by itself until Redis works again": "owner.fault.redis",
	sharedFolder: "owner.fault.shared",
}

// maxFaults is how many faults the page of the state lists.
const maxFaults = 50

// faultLog keeps the last faults of the log. It is a hook of the log.
type faultLog struct {
	mu   sync.Mutex
	list []owner.Fault // the last first
}

// Run implements zerolog.Hook.
func (f *faultLog) Run(_ *zerolog.Event, level zerolog.Level, message string) {
	key := faultKeys[message]
	if key == "" || level < zerolog.WarnLevel {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.list) == 0 || f.list[0].Key != key {
		f.list = slices.Insert(f.list, 0, owner.Fault{Key: key})
		f.list = f.list[:min(len(f.list), maxFaults)]
	}
	f.list[0].Times++
	f.list[0].At = time.Now()
}

// last returns the faults, the last first.
func (f *faultLog) last() []owner.Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.list)
}
