package owner

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
	"frontdesk/internal/i18n"
)

// A day has its first span in clocks and other times as text.
func TestHours(t *testing.T) {
	t.Parallel()
	hours := fieldsOf(catalogFile, content.Keys(catalogFile, "business"), "hours")[0]
	for _, tt := range []struct{ opens, closes, also, written, shown string }{
		{"09:00", "17:00", "", "mon 09:00-17:00", "09:00 17:00 "},
		{"08:00", "12:00", "14–18, 19-20", "mon 08:00-12:00, 14:00-18:00, 19:00-20:00", "08:00 12:00 14:00-18:00, 19:00-20:00"},
		{"", "", "9-17", "mon 09:00-17:00", "09:00 17:00 "},
		{"18:00", "02:00", "", "mon 18:00-02:00", "18:00 02:00 "},
		{"18:00", "00:00", "", "mon 18:00-24:00", "18:00 00:00 "},
		{"", "", "24h", "mon 00:00-24:00", "00:00 00:00 "},
		{"", "", "closed", "", "  "},
		{"09:00", "", "", "mon 09:00-", "09:00  "},
		{"", "", "nine to five", "mon nine to five", "  nine to five"},
		{"09:00", "12:00", "later", "mon 09:00-12:00, later", "09:00 12:00 later"},
	} {
		sent := url.Values{"hours.mon.opens": {tt.opens}, "hours.mon.closes": {tt.closes}, "hours.mon.times": {tt.also}}
		value := hours.read(sent)
		expect.Same(t, tt.shown+" is written as", tt.written, strings.Trim(fmt.Sprint(hours.writtenPart(value)), "[{}]"))
		shown := shownField{field: hours, Value: value, words: i18n.For("en")}.Week()[0]
		expect.Same(t, tt.written+" is shown as", tt.shown, shown.Opens+" "+shown.Closes+" "+shown.Also)
	}
	same := url.Values{"hours.mon.times": {"10-18"}, "hours.sat.times": {"7-13"}, "hours.same": {"on"}}
	expect.Same(t, "the same times", "[{mon-fri 10:00-18:00} {sat 07:00-13:00}]", fmt.Sprint(hours.writtenPart(hours.read(same))))
}

// A price of zero has no open end.
func TestFree(t *testing.T) {
	t.Parallel()
	fields := fieldsOf(catalogFile, content.Keys(catalogFile, bandsList), "from", "to")
	sent := url.Values{"currency": {"EUR"}, "from": {"free"}, "to": {""}}
	expect.Same(t, "the price", values{"from": "0", "to": "0"}, read(fields, sent))
}

// A removed line may look like the head of a file.
func TestLinesOf(t *testing.T) {
	t.Parallel()
	var kinds []string
	for _, line := range linesOf("--- a\n+++ a\n@@ @@\n--- x\n+y\n") {
		kinds = append(kinds, line.Kind)
	}
	expect.Same(t, "kinds", []string{"file", "file", "", "removed", "added"}, kinds)
}
