package owner

import (
	"time"

	"frontdesk/internal/records"
)

const chartDays = 365

// Places in the chart in pixels below its top: where the bars of questions and those of inquiries end, and where the
// chart
// does, below the names of the months.
const (
	questionsBase = 120
	inquiriesBase = 196
	chartHeight   = 218
)

// chart is a year of days. Places across are per cent and places down are pixels, so
// that the letters keep their size on every screen.
type chart struct {
	Days                                 []chartDay // with something to show
	Months                               []month
	MostAsked, MostInquiries             int // of a day
	QuestionsBase, InquiriesBase, Height int
}

// counts are what was counted of a time.
type counts struct{ Answered, Unanswered, Inquiries int }

// month is a month of the chart, and a row of the table beside it.
type month struct {
	counts
	Name, Short string
	X           float64 // where it begins
	IsWhole     bool    // its first day is in the chart
	IsNamed     bool    // the name of the last would end beyond the edge
	IsOdd       bool    // a phone has no room for its name
}

type chartDay struct {
	counts
	At   time.Time
	X    float64
	Bars [3]bar
}

// bar is drawn if it has a height.
type bar struct {
	Class       string
	Top, Height float64
}

// newChart is the chart of the year that ends with today.
func newChart(s session, totals map[int64]map[string]int, today int64) chart {
	c := chart{MostAsked: 1, MostInquiries: 1, QuestionsBase: questionsBase, InquiriesBase: inquiriesBase,
		Height: chartHeight}
	for _, counted := range totals {
		c.MostAsked = max(c.MostAsked, counted[DayAnswered]+counted[DayUnanswered])
		c.MostInquiries = max(c.MostInquiries, counted[records.InquiriesOfDay])
	}
	first := today - chartDays + 1
	for number := first; number <= today; number++ {
		day := chartDay{At: time.Unix(number*secondsOfDay, 0).UTC(), X: 100 * float64(number-first) / chartDays}
		if index, starts := day.At.Month()-1, day.At.Day() == 1; starts || number == first {
			c.Months = append(c.Months, month{
				Name: s.List("date.months")[index] + day.At.Format(" 2006"), Short: s.List("owner.state.months.short")[index],
				X: day.X, IsWhole: starts, IsNamed: number < today-20, IsOdd: index%2 == 0,
			})
		}
		day.counts = counts{totals[number][DayAnswered], totals[number][DayUnanswered],
			totals[number][records.InquiriesOfDay]}
		if day.counts == (counts{}) {
			continue
		}
		month := &c.Months[len(c.Months)-1]
		month.Answered, month.Unanswered, month.Inquiries = month.Answered+day.Answered, month.Unanswered+day.Unanswered,
			month.Inquiries+day.Inquiries
		answered := barOf("answered", day.Answered, c.MostAsked, questionsBase, questionsBase)
		unanswered := barOf("unanswered", day.Unanswered, c.MostAsked, questionsBase, answered.Top)
		day.Bars = [...]bar{answered, unanswered, barOf("inquiries", day.Inquiries, c.MostInquiries, 50, inquiriesBase)}
		c.Days = append(c.Days, day)
	}
	return c
}

// barOf is a bar that ends at bottom: in proportion, and of at least a pixel for something. The highest has room for a
// label above it.
func barOf(class string, n, most, room int, bottom float64) bar {
	height := 0.0
	if n > 0 {
		height = max(1, float64(n)*float64(room-18)/float64(most))
	}
	return bar{class, bottom - height, height}
}
