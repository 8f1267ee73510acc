package owner_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
)

func TestLanguage(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "")
	language := func(header ...string) string {
		got := d.get("sign-in?next=%2Fowner%2Fstate", header...)
		_, rest, _ := strings.Cut(got.Text, `<html lang="`)
		return rest[:2]
	}
	for accepted, want := range map[string]string{"": "en", "de-AT, en;q=0.5": "de", "ja, pt-BR;q=0.4": "pt", "ja": "en", ";;": "en"} {
		expect.Same(t, "Accept-Language: "+accepted, want, language("Accept-Language: "+accepted))
	}
	for _, page := range []struct{ next, leads string }{
		{"/owner/sign-in?next=%2Fowner%2Fstate", "/owner/sign-in?next=%2Fowner%2Fstate"},
		{"/owner/questions?show=wrong", "/owner/questions?show=wrong"},
		{"https://elsewhere.example/owner/sign-in", "/owner/"},
		{"", "/owner/"},
	} {
		got := d.post("language", url.Values{"language": {"pl"}, "next": {page.next}})
		expect.Same(t, page.next+": leads to", page.leads, got.to())
	}
	expect.Same(t, "chosen", "pl", language("Accept-Language: de"))
	got := d.post("language", url.Values{"language": {"xx"}})
	expect.Same(t, "a language that is not there", "", got.Header.Get("Set-Cookie"))
	got = d.post("language", url.Values{"language": {"de"}}, "Sec-Fetch-Site: cross-site")
	expect.Same(t, "from another site", 403, got.StatusCode)
}

func TestTimes(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "bakery")
	d.add("inq_1", records.Sent, func(i *records.Inquiry) { i.CreatedAt = time.Date(2026, 1, 15, 23, 30, 0, 0, time.UTC) })
	d.shows("inquiries/inq_1", `<time datetime="2026-01-15T23:30:00Z">16 January 2026, 00:30</time>`)
	for _, zone := range []string{"Etc/GMT-14", "Etc/GMT+12", ""} { // one of the first has another day than the machine
		today := time.Now().In(expect.Value(time.LoadLocation(zone))(t))
		d.live.Content.TimeZone = zone
		d.live.Content.FAQ.Entries[0].ReviewBy = content.TimeOn(today, 0, 0, 0)
		d.shows("", `<time datetime="`+today.Format(time.DateOnly)+"T00:00:00")
	}
}
