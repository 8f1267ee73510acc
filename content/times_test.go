package content

import (
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func TestParseTimes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"as written", "06:30-18:00", "06:30-18:00"},
		{"a break", "8–12, 14–18", "08:00-12:00, 14:00-18:00"},
		{"words between", "8 to 12 and 14h30 to 18h", "08:00-12:00, 14:30-18:00"},
		{"over midnight", "18:00-02:00", "18:00-02:00"},
		{"over midnight in halves", "6pm-2am", "18:00-02:00"},
		{"over midnight without minutes", "18-2", "18:00-02:00"},
		{"halves with points", "9 a.m. – 5:30 p.m.", "09:00-17:30"},
		{"noon and midnight", "12pm-12am", "12:00-24:00"},
		{"the half of the end", "9-5pm", "09:00-17:00"},
		{"the same half", "6-10pm", "18:00-22:00"},
		{"before noon", "8-12pm", "08:00-12:00"},
		{"the half of the beginning", "6pm-2", "18:00-02:00"},
		{"until noon", "9am-12", "09:00-12:00"},
		{"until midnight in halves", "8pm-12", "20:00-24:00"},
		{"noon to midnight", "12pm-12", "12:00-24:00"},
		{"until midnight", "18:00-00:00", "18:00-24:00"},
		{"day and night", "24h", "00:00-24:00"},
		{"day and night in words", "24 Stunden", "00:00-24:00"},
		{"all hours", "0-24", "00:00-24:00"},
		{"closed", "Closed", "closed"},
		{"closed in another language", "Ruhetag", "closed"},
		{"Uhr", "9 Uhr bis 17 Uhr", "09:00-17:00"},
		{"which half is not said", "9-5", `"9-5" reads as 09:00-05:00, which is over midnight`},
		{"which half is not said, with minutes", "9:00-5:30", `"9:00-5:30" reads as 09:00-05:30, which is over midnight`},
		{"no time", "noon", `"noon" is not a time range`},
		{"no hour", "25:00-26:00", `"25:00-26:00" is not a time range`},
		{"no minute", "9:70-10", `"9:70-10" is not a time range`},
		{"nothing between", "9:00-9:00", `"9:00-9:00" is not a time range`},
		{"the afternoon as the night", "9-12, 1-5", `"9-12, 1-5" is not a time range`},
		{"another order", "17:00-22:00, 11-14", "11:00-14:00, 17:00-22:00"},
		{"the night in two parts", "22:00-24:00, 00:30-02:00", `"22:00-24:00, 00:30-02:00" is not a time range`},
		{"a span twice", "9-17, 9-17", `"9-17, 9-17" is not a time range`},
		{"in a night", "20-22, 18-2", `"20-22, 18-2" is not a time range`},
		{"noon or midnight", "9-12am", `"9-12am" is not a time range`},
		{"empty", "", `"" is not a time range`},
	} {
		got := TidyTimes(tt.text)
		if _, why := ParseTimes(tt.text); why != nil {
			got = why.Message
		}
		expect.Same(t, tt.name, tt.want, got)
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
