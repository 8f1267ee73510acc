package owner

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"frontdesk/internal/records"
)

// chartDays is how many days the chart has.
const chartDays = 365

// Heights of the chart in pixels: questions above, inquiries below, then the months.
const (
	questionsHeight = 120
	chartGap        = 26
	inquiriesHeight = 50
	monthsHeight    = 22
	chartHeight     = questionsHeight + chartGap + inquiriesHeight + monthsHeight
)

// month is a row of the table beside the chart.
type month struct {
	Name                            string
	Answered, Unanswered, Inquiries int
}

// chart is a year of days. Places across are per cent and places down are pixels, so
// that the letters keep their size on every screen.
type chart struct {
	SVG    template.HTML
	Months []month
	Empty  bool
}

// newChart draws the year that ends with today.
func newChart(s session, totals map[int64]map[string]int, today int64) chart {
	var c chart
	mostAsked, mostInquiries := 1, 1
	for _, counted := range totals {
		mostAsked = max(mostAsked, counted[DayAnswered]+counted[DayUnanswered])
		mostInquiries = max(mostInquiries, counted[records.InquiriesOfDay])
	}
	var bars, labels strings.Builder
	first := today - chartDays + 1
	c.Empty = true
	for day := first; day <= today; day++ {
		at, counted := time.Unix(day*secondsOfDay, 0).UTC(), totals[day]
		if len(c.Months) == 0 || at.Day() == 1 {
			c.Months = append(c.Months, month{Name: s.List("date.months")[at.Month()-1] + at.Format(" 2006")})
		}
		x := 100 * float64(day-first) / chartDays
		if at.Day() == 1 {
			fmt.Fprintf(&labels, `<line x1="%.2f%%" x2="%.2f%%" y1="0" y2="%d" class="month"/>`, x, x, chartHeight-monthsHeight)
			if day < today-20 { // the last would end beyond the edge
				fmt.Fprintf(&labels, `<text x="%.2f%%" y="%d"%s>%s</text>`, x, chartHeight-6, odd(at), s.List("owner.state.months.short")[at.Month()-1])
			}
		}
		answered, unanswered, inquiries := counted[DayAnswered], counted[DayUnanswered], counted[records.InquiriesOfDay]
		if answered+unanswered+inquiries == 0 {
			continue
		}
		c.Empty = false
		m := &c.Months[len(c.Months)-1]
		m.Answered, m.Unanswered, m.Inquiries = m.Answered+answered, m.Unanswered+unanswered, m.Inquiries+inquiries
		fmt.Fprintf(&bars, `<g><title>%s</title>`, s.Text("owner.state.chart.day", s.Date(at), answered, unanswered, s.Count("owner.state.inquiries", inquiries)))
		up := bar(&bars, x, questionsHeight, height(answered, mostAsked, questionsHeight), "answered")
		bar(&bars, x, up, height(unanswered, mostAsked, questionsHeight), "unanswered")
		bar(&bars, x, questionsHeight+chartGap+inquiriesHeight, height(inquiries, mostInquiries, inquiriesHeight), "inquiries")
		bars.WriteString("</g>")
	}
	c.SVG = template.HTML(fmt.Sprintf(`<svg class="chart" width="100%%" height="%d" role="img" aria-label="%s">`+
		`%s<text x="0" y="12">%s</text><text x="0" y="%d">%s</text>`+
		`<line x1="0" x2="100%%" y1="%d" y2="%[7]d" class="base"/><line x1="0" x2="100%%" y1="%[8]d" y2="%[8]d" class="base"/>%[9]s</svg>`,
		chartHeight, s.Text("owner.state.chart"), labels.String(), s.Count("owner.state.questions.day", mostAsked), questionsHeight+chartGap-4,
		s.Count("owner.state.inquiries.day", mostInquiries), questionsHeight, questionsHeight+chartGap+inquiriesHeight, bars.String()))
	return c
}

// odd marks the name of every second month, for which a phone has no room.
func odd(day time.Time) string {
	if day.Month()%2 == 0 {
		return ""
	}
	return ` class="odd"`
}

// height is that of a bar: in proportion, and at least a pixel for something.
func height(n, most, of int) float64 {
	if n == 0 {
		return 0
	}
	return max(1, float64(n)*float64(of-18)/float64(most)) // room for the label above
}

// bar draws a bar that ends at bottom, and returns where it begins.
func bar(out *strings.Builder, x, bottom, height float64, class string) (top float64) {
	if height > 0 {
		fmt.Fprintf(out, `<rect x="%.2f%%" width=".22%%" y="%.1f" height="%.1f" class="%s"/>`, x, bottom-height, height, class)
	}
	return bottom - height
}
