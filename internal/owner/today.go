package owner

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"rsc.io/qr"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/questions"
	"frontdesk/internal/records"
	"frontdesk/middleware"
)

const (
	shownToday = 5                   // how many items of a kind a page shows at once
	week       = 7 * 24 * time.Hour  // how old a question may be
	dueSoon    = 14 * 24 * time.Hour // how long before its date an answer is on the page
)

// callerRow is how often callers of a kind came.
type callerRow struct {
	Key                          string // of its name
	Today, Week, Month, MCPMonth int
}

// showToday shows the first page: what needs the owner, and who came.
func (v visit) showToday() error {
	ctx, now := v.Context(), time.Now()
	counts, err := v.Store.CountInquiries(ctx, records.InquiryQuery{})
	if err != nil {
		return err
	}
	first := records.Page{Limit: shownToday}
	failed, err := v.Store.Inquiries(ctx, records.InquiryQuery{View: records.UndeliveredInquiries, Page: first})
	if err != nil {
		return err
	}
	fresh, err := v.Store.Inquiries(ctx, records.InquiryQuery{View: records.NewInquiries, Page: first})
	if err != nil {
		return err
	}
	groups, err := v.Curator.Groups(ctx)
	if err != nil {
		return err
	}
	groups = slices.DeleteFunc(groups, func(g questions.Group) bool {
		return g.LastAt.Before(now.Add(-week))
	})
	questions := v.groupRows(groups[:min(len(groups), shownToday)])
	for i := range questions {
		questions[i].Number = 0 // the page has no form to choose them for
	}
	live := v.live()
	zone := live.Zone()
	today := records.DayIn(now, zone)
	totals, err := v.Store.DayTotals(ctx, today-29, zone)
	if err != nil {
		return err
	}
	due, sample := dates(live.FAQ, now, dueSoon), sampleParts(live)
	events, _ := v.Service.Events(ctx)
	steps, ready := v.stepsOf(live, sample)
	failedN, newN, spam := counts[records.UndeliveredInquiries], counts[records.NewInquiries],
		counts[records.QuarantinedInquiries]
	return v.show(v.Text("owner.nav.today"), "today", data{
		"Failed": failed, "FailedN": failedN, "New": fresh, "NewN": newN, "Spam": spam,
		"Rows": questions, "QuestionsN": len(groups), "Dates": due, "Sample": sample,
		"Events": events[:min(len(events), shownToday)], "Callers": callerRows(totals, today),
		"Desk": v.Desk, "IsPublic": isPublic(v.Desk), "Steps": steps, "Ready": ready,
		// whether nothing needs the owner
		"Nothing": failedN+newN+spam+len(groups)+len(due)+len(events) == 0 && ready,
	})
}

// step is something that a desk needs before customers come.
type step struct {
	Key, Open string // keys of the messages: the step, and the note shown until it is done
	Done      bool
	Path      string // page where the owner does it; empty if only a setting can
	How       string // the name of the setting, for the operator
}

// stepsOf returns the checklist of a desk, and whether all of it is done.
func (p *Pages) stepsOf(live *content.Content, sample []samplePart) (steps []step, ready bool) {
	mail, withoutMail := p.Mail.Now(), "owner.setup.none"
	if mail.KeepsFiles() {
		withoutMail = "owner.setup.files"
	}
	backup := p.Service.Backup()
	isOwn := func(page content.Page) bool { return page.Name != content.HomePage } // which only adds to the first page
	hasPage := slices.ContainsFunc(live.Pages, isOwn) &&
		!slices.ContainsFunc(sample, func(part samplePart) bool { return part.Path == pages.home })
	steps = []step{
		{"owner.ready.sample", "owner.ready.sample.open", len(sample) == 0, "#sample", ""},
		{"owner.setup.link", withoutMail, mail.Host() != "", pathMail, ""},
		{"owner.ready.privacy", "owner.ready.privacy.open", hasPage, pages.home, ""},
		{"owner.ready.address", "owner.ready.address.open", isPublic(p.Desk) && strings.HasPrefix(p.Desk, "https:"), "",
			"FRONTDESK_DOMAIN"},
		{"owner.ready.backup", "owner.ready.backup.open", backup != nil && !backup.IsLate(time.Now()), "",
			"FRONTDESK_BACKUP"},
		{"owner.ready.phone", "owner.ready.phone.open", isPublic(p.Address), "", "FRONTDESK_OWNER_DOMAIN"},
	}
	return steps, !slices.ContainsFunc(steps, func(s step) bool { return !s.Done })
}

// isPublic reports whether other machines can reach an address.
func isPublic(address string) bool {
	parsed, err := url.Parse(address)
	return err == nil && !contract.IsLoopback(parsed.Hostname())
}

// callerRows are the kinds of callers that came within 30 days.
func callerRows(totals map[int64]map[string]int, today int64) (rows []callerRow) {
	for _, kind := range middleware.ClientKinds {
		name := string(kind)
		row := callerRow{Key: "owner.caller." + name, Today: totals[today][DayCalls+name]}
		for day, counted := range totals {
			if day > today-7 {
				row.Week += counted[DayCalls+name]
			}
			row.Month += counted[DayCalls+name]
			row.MCPMonth += counted[DaySessions+name]
		}
		if row.Month+row.MCPMonth > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// quiet is the margin that a QR code needs, in modules (ISO/IEC 18004).
const quiet = 4

// code serves the QR code of the desk's address. It stays black on white in every colour
// scheme: cameras expect that.
func (v visit) code() error {
	code, err := qr.Encode(v.Desk, qr.M)
	if err != nil {
		return err
	}
	side := code.Size + 2*quiet
	v.w.Header().Set("Content-Type", "image/svg+xml")
	fmt.Fprintf(v.w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d" shape-rendering="crispEdges">`+
		`<path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path d="`, side)
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				fmt.Fprintf(v.w, "M%d %dh1v1h-1z", x+quiet, y+quiet)
			}
		}
	}
	fmt.Fprint(v.w, `"/></svg>`)
	return nil
}
