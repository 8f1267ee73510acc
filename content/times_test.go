package content

import (
	"strconv"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func TestParseTimes(t *testing.T) {
	t.Parallel()
	parsed := func(text string) string {
		if _, why := ParseTimes(text); why != nil {
			return why.Message
		}
		return TidyTimes(text)
	}
	for _, tt := range [][2]string{
		{"06:30-18:00", "06:30-18:00"}, {"8–12, 14–18", "08:00-12:00, 14:00-18:00"},
		{"8 to 12 and 14h30 to 18h", "08:00-12:00, 14:30-18:00"}, {"18:00-02:00", "18:00-02:00"},
		{"6pm-2am", "18:00-02:00"}, {"18-2", "18:00-02:00"}, {"9 a.m. – 5:30 p.m.", "09:00-17:30"},
		{"12pm-12am", "12:00-24:00"}, {"9-5pm", "09:00-17:00"}, {"6-10pm", "18:00-22:00"}, {"8-12pm", "08:00-12:00"},
		{"6pm-2", "18:00-02:00"}, {"9am-12", "09:00-12:00"}, {"8pm-12", "20:00-24:00"}, {"12pm-12", "12:00-24:00"},
		{"18:00-00:00", "18:00-24:00"}, {"24h", "00:00-24:00"}, {"24 Stunden", "00:00-24:00"},
		{"0-24", "00:00-24:00"}, {"Closed", "closed"}, {"Ruhetag", "closed"}, {"9 Uhr bis 17 Uhr", "09:00-17:00"},
		{"17:00-22:00, 11-14", "11:00-14:00, 17:00-22:00"},
		{"9-5", `"9-5" reads as 09:00-05:00, which is over midnight`}, // which half is not said
		{"9:00-5:30", `"9:00-5:30" reads as 09:00-05:30, which is over midnight`},
	} {
		expect.Same(t, tt[0], tt[1], parsed(tt[0]))
	}
	for _, text := range []string{
		"noon", "25:00-26:00", "9:70-10", "9:00-9:00", "9-12, 1-5",
		"22:00-24:00, 00:30-02:00", "9-17, 9-17", "20-22, 18-2", "9-12am", "",
	} {
		expect.Same(t, text, strconv.Quote(text)+" is not a time range", parsed(text))
	}
}

func TestDaysOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"mon": "mon", "tue-fri": "tue wed thu fri", "sat, sun": "sat sun", "fri-mon": "mon fri sat sun", "Tue–Thu": "tue wed thu",
		"Monday-Wednesday": "mon tue wed", "sat-sat": "sat", "mon-": "none", "mond-fri": "mon tue wed thu fri", "mod": "none", "mondayish": "none",
	} {
		days, ok := DaysOf(text)
		if !ok {
			days = []string{"none"}
		}
		expect.Same(t, text, want, strings.Join(days, " "))
	}
}
