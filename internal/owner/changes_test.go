package owner_test

import (
	"fmt"
	"html"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/internal/records"
)

// TestChanges plays the files of testdata/changes: first the sample, then in each paragraph a page, the values that its
// form gets, and behind | what comes of it. In the end every change is undone.
func TestChanges(t *testing.T) {
	expect.SkipInRace(t, "it makes a hundred changes")
	t.Parallel()
	for _, file := range expect.Value(filepath.Glob("testdata/changes/*.txt"))(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			first, rest, _ := strings.Cut(strings.TrimSpace(expect.File(t, file)), "\n\n")
			d := signedIn(t, strings.TrimPrefix(first, "sample "))
			before, played := d.files(), []string{first}
			for paragraph := range strings.SplitSeq(rest, "\n\n") {
				lines := slices.DeleteFunc(strings.Split(paragraph, "\n"), func(line string) bool { return strings.HasPrefix(line, "|") })
				if file, isAppended := strings.CutPrefix(lines[0], "append "); isAppended {
					d.write(file, before[file]+strings.Join(lines[1:], "\n")+"\n")
					expect.OK(t, d.pages.Curator.Live(t.Context()))
					before = d.files()
				}
				for line := range strings.Lines(d.play(lines[0], lines[1:])) {
					lines = append(lines, strings.TrimRight("| "+line, " \n"))
				}
				played = append(played, strings.Join(lines, "\n"))
			}
			golden.Check(t, file, []byte(strings.Join(played, "\n\n")+"\n"))
			d.undoAll()
			expect.Same(t, "the content after all is undone", before, d.files())
			changes := expect.Value(d.store.Changes(t.Context(), records.Page{}))(t)
			if last, first := changes[0], changes[len(changes)-1]; last.Undoes != 1 || last.From != changes[1].To || last.To != first.From {
				t.Errorf("the history is %+v", changes)
			}
		})
	}
}

// play returns what comes of a paragraph: "ask" stores questions without an answer, "press" sends the form of a button,
// "see" is the text of a page, "form" what its form has, "change" looks at the change and makes it, and "save" makes it
// at once where it can.
func (d *desk) play(command string, values []string) (result string) {
	d.Helper()
	verb, path, _ := strings.Cut(command, " ")
	switch verb {
	case "append":
		return ""
	case "ask":
		for _, q := range values {
			d.ask(unescaped(q))
		}
		return ""
	case "press":
		pressed := d.post(path, nil)
		return fmt.Sprintln(pressed.StatusCode, textOf(d.get(pressed.to())))
	}
	page := d.get(path)
	form := formOf(page)
	switch {
	case verb == "see" || page.StatusCode != 200:
		return fmt.Sprintln(page.StatusCode, textOf(page))
	case verb == "form":
		for _, key := range slices.Sorted(maps.Keys(form)) {
			if texts := strings.Join(form[key], "; "); strings.Trim(texts, "; ") != "" && key != "next" && key != "step" && !strings.HasPrefix(key, "was.") {
				result += fmt.Sprintf("%s = %q\n", key, texts)
			}
		}
		return result
	case form.Has("digest"): // a page without fields shows the change at once
		path, _, _ = strings.Cut(path, "?")
	default:
		for _, value := range values {
			set(form, value)
		}
		if verb == "save" {
			form.Del("step")
		}
		page = d.post(path, form)
	}
	if page.StatusCode == 303 {
		return fmt.Sprintln(textOf(d.get(page.to())))
	}
	if page.StatusCode != 200 {
		return fmt.Sprintln(page.StatusCode, textOf(page))
	}
	made := d.post(path, hiddenOf(page))
	d.want(path, made, 303)
	change := expect.Value(d.store.Changes(d.Context(), records.Page{Limit: 1}))(d)[0]
	return fmt.Sprintf("%s\n%s, at %s\n%s", textOf(page), change.Summary, made.to(), change.Diff)
}

// set sets a value of a form: "key = text", or "key 1 = text" for the second field of that name.
func set(form url.Values, value string) {
	name, text, _ := strings.Cut(strings.TrimSpace(value), " =")
	key, number, _ := strings.Cut(name, " ")
	at, _ := strconv.Atoi(number)
	for len(form[key]) <= at {
		form.Add(key, "")
	}
	form[key][at] = unescaped(text)
}

func unescaped(text string) string {
	return strings.NewReplacer(`\r`, "\r", `\n`, "\n", `\0`, "\x00", `\u202e`, "\u202e").Replace(strings.TrimSpace(text))
}

var (
	refusal  = regexp.MustCompile(`(?s)<p class="error whole verbatim" role="alert">(.*?)</p>`)
	fault    = regexp.MustCompile(`<p class="error">(.*?)</p>`)
	unspoken = regexp.MustCompile(`(?s)<(pre|nav|form|time).*?</(pre|nav|form|time)>|<p class="(up|fine)">.*?</p>|<p class="alone"><a href="/owner/preview/.*?</p>|<[^>]*>`)
)

func textOf(page answer) (text string) {
	if found := refusal.FindStringSubmatch(page.Text); found != nil {
		text := found[1]
		for _, fault := range fault.FindAllStringSubmatch(page.Text, -1) {
			text += "\n" + fault[1]
		}
		return html.UnescapeString(text)
	}
	_, main, _ := strings.Cut(page.Text, "<main")
	for line := range strings.Lines(unspoken.ReplaceAllString("<main"+main, "")) {
		if line = strings.TrimSpace(html.UnescapeString(line)); line != "" {
			text += "\n" + line
		}
	}
	return strings.TrimPrefix(text, "\n")
}
