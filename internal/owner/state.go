package owner

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"frontdesk/content"
	"frontdesk/internal/certificates"
	"frontdesk/internal/notify"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// Names of what the service counts by day, beside records.InquiriesOfDay.
const (
	DayAnswered   = "answered"   // questions that an entry answered
	DayUnanswered = "unanswered" // questions that no entry answered for certain
	DayCandidates = "candidates" // of these, the ones whose callers got answers that may fit
	DayRefused    = "refused"    // requests over a limit
	DayCalls      = "calls "     // and a middleware.ClientKind: answered requests
	DaySessions   = "sessions "  // likewise: sessions of MCP
)

// date is an entry with a date that asks something of the owner.
type date struct {
	ID, Question string
	On           time.Time
	Expires      bool // the entry stops answering; else it is due for review
	Past         bool
}

// dates lists what is due soon, the first first.
func dates(faq content.FAQ, now time.Time, soon time.Duration) (due []date) {
	for e := range faq.Each() {
		for _, on := range []date{{On: e.ReviewBy}, {On: e.Expires, Expires: true}} {
			if on.On.IsZero() || on.On.After(now.Add(soon)) {
				continue
			}
			on.ID, on.Question, on.Past = e.ID, e.Question, content.Past(on.On, now)
			due = append(due, on)
		}
	}
	slices.SortStableFunc(due, func(a, b date) int { return cmp.Or(a.On.Compare(b.On), cmp.Compare(a.ID, b.ID)) })
	return due
}

// isLate reports whether a certificate ends soon, has ended, or was never there.
func isLate(state certificates.State) bool { return state.End.IsZero() || state.IsEnding(time.Now()) }

// onState is how long before its date an entry is on the page.
const onState = 60 * 24 * time.Hour

// showState shows how the desk is.
func (v visit) showState() error {
	now := time.Now()
	counts, err := v.Store.CountInquiries(v.Context(), records.InquiryQuery{})
	if err != nil {
		return err
	}
	zone := v.live().Zone()
	today := records.DayIn(now, zone)
	totals, err := v.Store.DayTotals(v.Context(), today-yearDays+1, zone)
	if err != nil {
		return err
	}
	left, limit, err := v.Service.ModelCallsLeft(v.Context())
	if err != nil {
		v.Log.Warn().Err(err).Msg("the calls of the model cannot be read")
		left = -1
	}
	live, check, backup := v.Service.Live(), v.Service.Check(), v.Service.Backup()
	warnings := v.errorLines(content.Diagnostics(check.Warnings))
	first := min(len(warnings), shownToday)
	var failing []string // test questions that fail
	if live.Waiting != nil {
		failing = v.errorLines(live.Waiting.Err)
	}
	events, shared := v.Service.Events(v.Context())
	year, refusedMonth := map[string]int{}, 0
	for day, counted := range totals {
		if day > today-30 {
			refusedMonth += counted[DayRefused]
		}
		for name, n := range counted {
			year[name] += n
		}
	}
	return v.show(v.Text("owner.nav.state"), "state", data{
		"New": counts[records.NewInquiries], "Failed": counts[records.UndeliveredInquiries],
		"Spam":      counts[records.QuarantinedInquiries],
		"ModelLeft": left, "ModelLimit": limit, "RefusedToday": totals[today][DayRefused], "RefusedMonth": refusedMonth,
		"Months": v.monthsOf(totals, today), "Answered": year[DayAnswered], "Unanswered": year[DayUnanswered],
		"Candidates": year[DayCandidates], "Inquiries": year[records.InquiriesOfDay],
		"Live": live, "Failing": failing, "Check": check, "Warnings": warnings[:first], "More": warnings[first:],
		"Dates":  dates(live.Content.FAQ, now, onState),
		"Backup": backup, "BackupLate": backup != nil && backup.IsLate(now), "Folder": v.Curator.Dir, "Version": v.Version,
		"Certificates": v.Service.Certificates(), "Mail": v.Mail.Now(), "Events": events,
		"Shared": shared, // another service runs on the data folder
	})
}

const yearDays = 365

// month holds the counts of one month.
type month struct {
	Name                            string
	Answered, Unanswered, Inquiries int
}

// monthsOf returns the months of the year that ends with today; none if nothing was counted.
func (v visit) monthsOf(totals map[int64]map[string]int, today int64) (months []month) {
	if len(totals) == 0 {
		return nil
	}
	for number := today - yearDays + 1; number <= today; number++ {
		day := records.StartOfDay(number)
		if months == nil || day.Day() == 1 {
			months = append(months, month{Name: v.List("date.months")[day.Month()-1] + day.Format(" 2006")})
		}
		last, counted := &months[len(months)-1], totals[number]
		last.Answered += counted[DayAnswered]
		last.Unanswered += counted[DayUnanswered]
		last.Inquiries += counted[records.InquiriesOfDay]
	}
	return months
}

// tested is what became of a test message.
type tested struct {
	notify.Tested
	Reason string
	Sent   bool // also to some addresses of several only
	Filed  bool // the mail was only written to a file
}

// sendTests sends a test mail and test notifications, and shows what became of them.
func (v visit) sendTests() error {
	var rows []tested
	mail := v.Mail.Now()
	for _, one := range v.Service.SendTests(v.Context()) {
		row := tested{Tested: one, Sent: one.Err == nil, Filed: mail.KeepsFiles()}
		if failure, isMail := errors.AsType[*mailer.Error](one.Err); isMail {
			row.Reason, row.Sent = v.mailReason(failure.Stage, mail.Host(), one.To), failure.Outcome == mailer.Sent
		}
		rows = append(rows, row)
	}
	return v.show(v.Text("owner.tested.title"), "tested", data{"Rows": rows})
}
