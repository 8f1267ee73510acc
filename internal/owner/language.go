package owner

import (
	"embed"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"frontdesk/contract"
	"frontdesk/internal/i18n"
	"frontdesk/internal/images"
	"frontdesk/internal/payload"
	"frontdesk/internal/questions"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

const (
	languageCookie   = "frontdesk_language"
	languageLifetime = 365 * 24 * time.Hour
)

// words are the messages in the language of a reader: the one that was chosen on a page,
// else the browser's, else the first of the content.
func (p *Pages) words(r *http.Request) *i18n.Printer {
	if chosen, err := r.Cookie(languageCookie); err == nil && slices.Contains(i18n.Languages(), chosen.Value) {
		return i18n.For(chosen.Value)
	}
	if asked := payload.PreferredLanguage(r.Header.Values("Accept-Language"), i18n.Languages()...); asked != "" {
		return i18n.For(asked)
	}
	return i18n.For(p.live().Language())
}

// chooseLanguage keeps the language that was chosen on a page, and leads back to it.
func (v visit) chooseLanguage() error {
	if chosen := v.PostFormValue("language"); slices.Contains(i18n.Languages(), chosen) {
		v.setCookie(languageCookie, chosen, languageLifetime)
	}
	next := v.PostFormValue("next")
	if page, _, _ := strings.Cut(next, "?"); page != pathSignIn {
		next = nextPage(next)
	}
	return v.redirect(next, "")
}

// pageURL returns a URL that can be reloaded, even after a POST.
func (v visit) pageURL(here string) string {
	switch {
	case v.Method != http.MethodPost:
		return v.URL.RequestURI()
	case here != "":
		return here
	}
	return pathSignIn
}

//go:embed templates/*.html
var templateFiles embed.FS

// parsed are the templates in no language: their functions cannot be called.
var parsed = template.Must(template.New("").Option("missingkey=error").Funcs(visit{}.functions(nil)).
	ParseFS(templateFiles, "templates/*.html"))

func (v visit) templates() *template.Template {
	return template.Must(parsed.Clone()).Funcs(v.functions(v.live().Zone()))
}

// functions returns the functions that the templates call. Times are shown in zone.
func (v visit) functions(zone *time.Location) template.FuncMap {
	return template.FuncMap{
		"t":    v.Text,
		"n":    v.Count,
		"when": func(t time.Time) string { return v.Time(t.In(zone)) },
		"day":  v.Date,
		"bad":  needsPerson,
		"spam": isSpam,
		"state": func(i records.Inquiry) string {
			if i.State == records.Sent && (v.Mail.Now().KeepsFiles() || mailer.ReachesNoOne(i.To)) {
				return "kept"
			}
			return string(i.State)
		},
		"progress": progress,
		"badge":    badgeOf,
		"urgent":   isUrgent,
		"summary":  summary,
		"mailto":   mailto,
		"late":     isLate,
		"path":     pathOf,
		"inquiry":  inquiryPath,
		"language": i18n.NameOf,
		"accepted": func() string { return images.Accepted },
		"shown":    contract.VisibleText,
		"masked":   questions.IsMasked,
		"number":   v.Number,
		"size":     func(bytes int64) string { return humanize.Bytes(uint64(bytes)) },
		"stamp":    func(t time.Time) string { return t.Format(time.RFC3339) },
		"add":      func(a, b int) int { return a + b },
		"sub":      func(a, b int) int { return a - b },
	}
}
