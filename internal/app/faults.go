package app

import (
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/certificates"
	"frontdesk/internal/owner"
)

// faultTexts are the messages of the log that the owner sees on the page of the state, in
// the owner's words.
var faultTexts = map[string]string{
	"request":                "A caller got an error instead of an answer.",
	"delivery of an inquiry": "The mail of an inquiry was not delivered. The inquiry is kept, under Inquiries.",
	"the outcome of a delivery could not be recorded": "The database did not store whether a mail was delivered; that is tried again.",
	"notification of the owner":                       "A notification did not reach you.",
	"inquiries are refused until tomorrow (UTC): the limit of the day, or of one network, is reached": "So many inquiries came in that further ones are refused until midnight UTC.",
	"questions and feedback are dropped":                                    "Questions or feedback could not be stored.",
	"the counts of the day cannot be stored; trying again in a minute":      "The database did not store the counts of the day; they are tried again.",
	"interrupted deliveries cannot be read; trying again":                   "The database did not answer.",
	"deleting old records failed":                                           "Old records could not be deleted; that is tried again the next day.",
	"content refused: the old content stays live":                           "The changed content has faults. Callers get the content from before.",
	"signing keys refused: the old keys stay in use":                        "The changed keys cannot be used. The keys from before stay in use.",
	certificates.NotObtained:                                                "A certificate could not be obtained. The section HTTPS says why and what to do.",
	certificates.EndsSoon:                                                   "A certificate ends soon or has ended. The section HTTPS says what to do.",
	certificates.Refused:                                                    "The changed certificate cannot be used. The one from before stays in use.",
	databaseAway:                                                            "The desk was started while its database did not answer.",
	"the model could not be asked":                                          "The language model did not answer. The question was answered without it.",
	"the model is not asked until tomorrow (UTC): its daily cap is reached": "The calls of the language model for today are used up.",
	"cannot use Redis; each instance applies the limits by itself until Redis works again": "Redis does not answer. Each instance of the desk limits callers by itself.",
	sharedFolder: "Two desks run on one data folder. One of them has to be stopped.",
}

// maxFaults is how many faults the page of the state lists.
const maxFaults = 50

// faultLog keeps the last faults of the log in the owner's words. It is a hook of the log.
type faultLog struct {
	mu   sync.Mutex
	list []owner.Fault // the oldest first
}

// Run implements zerolog.Hook.
func (f *faultLog) Run(_ *zerolog.Event, level zerolog.Level, message string) {
	text := faultTexts[message]
	if text == "" || level < zerolog.WarnLevel {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if last := len(f.list) - 1; last >= 0 && f.list[last].Text == text {
		f.list[last].Times++
		f.list[last].At = time.Now()
		return
	}
	f.list = append(f.list[max(0, len(f.list)+1-maxFaults):], owner.Fault{Text: text, Times: 1, At: time.Now()})
}

// last returns the faults, the last first.
func (f *faultLog) last() []owner.Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := slices.Clone(f.list)
	slices.Reverse(list)
	return list
}
