package content

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	idForm       = regexp.MustCompile(`^[a-z0-9-]+$`)
	amountForm   = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})$`)
	currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)
	// languageForm is the outer form of a language tag (RFC 5646).
	languageForm = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)
)

// formed reads a text of one line that must match form; hint says what that is.
func (o object) formed(key string, form *regexp.Regexp, hint string) string {
	text := o.line(key)
	if text != "" && !form.MatchString(text) {
		o.fault(o.at(key), fmt.Sprintf("%s %q is not valid", key, text), hint)
	}
	return text
}

// id reads an id that no other object has had yet.
func (o object) id(taken seen) string {
	id := o.formed("id", idForm, "only a-z, 0-9 and the hyphen")
	if id != "" {
		o.once(taken, id, fmt.Sprintf("the id %q", id), o.at("id"))
	}
	return id
}

// amount reads whole units of a currency. It is nil when there is none.
func (o object) amount(key string) *int {
	node := o.value(key)
	if node == nil {
		return nil
	}
	if node.ShortTag() != "!!int" || !amountForm.MatchString(node.Value) {
		o.fault(node.Line, key+" must be a whole amount", "digits alone, such as 490")
		return nil
	}
	amount, _ := strconv.Atoi(node.Value) // amountForm lets nothing else through
	return &amount
}

// date reads a day, as 00:00 UTC. It is zero when there is none.
func (o object) date(key string) time.Time {
	text := o.line(key)
	if text == "" {
		return time.Time{}
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		o.fault(o.at(key), fmt.Sprintf("%s %q is no date", key, text), "year, month and day such as 2027-06-01")
	}
	return day
}

// address reads an absolute web address or a path of the site.
func (o object) address(key string) string {
	text := o.line(key)
	if text != "" && !isAddress(text) {
		o.fault(o.at(key), fmt.Sprintf("%s %q is no address", key, text), "https://... or a path of this site such as /pricing")
	}
	return text
}

// isAddress refuses "//host", which browsers take for another site.
func isAddress(text string) bool {
	parsed, err := url.Parse(text)
	if err != nil || strings.ContainsAny(text, " \\") {
		return false
	}
	if parsed.Scheme == "http" || parsed.Scheme == "https" {
		return parsed.Host != ""
	}
	return strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//")
}
