package importer

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for _, name := range expect.Value(filepath.Glob("testdata/*.golden.yaml"))(t) {
		file := strings.TrimSuffix(name, ".golden.yaml")
		got, conflicts, unread, err := Read(expect.Value(os.ReadFile(file))(t), file, "")
		expect.OK(t, err)
		draft := expect.Value(YAML(got, filepath.Base(file)))(t)
		golden.Check(t, name, fmt.Appendf(nil, "%s# conflicts: %q, unread: %q\n", draft, conflicts, unread))
		expect.Same(t, name+": the texts of the draft", got, readAgain(t, draft))
	}
}

func TestReadText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, mediaType string
		want            []Entry
	}{
		{"How long?\r\nTwo days.\r\nOr three.\r\n\r\nDo you ship?\r\nYes, abroad.\r\n\r\nAsk us.\r\n", "",
			[]Entry{{"How long?", "Two days.\nOr three."}, {"Do you ship?", "Yes, abroad.\n\nAsk us."}}},
		{"Shipping\nYes, abroad.\n \nReturns\nNo.", "", []Entry{{"Shipping", "Yes, abroad."}, {"Returns", "No."}}},
		{"Caf\xe9?\nOui.", "text/plain; charset=ISO-8859-1", []Entry{{"Café?", "Oui."}}},
		{"<meta charset=iso-8859-2><details><summary>\xbfaba?</summary>Tak.</details>", "", []Entry{{"żaba?", "Tak."}}},
		{"q;a\n\nr;b", "text/csv", []Entry{{"q", "a"}, {"r", "b"}}},
		{"question,answer\nWhy?,\"A\n\nB\"", "", []Entry{{"Why?", "A\n\nB"}}},
		{"Why?\tA\n\t\nHow?\tB", "", []Entry{{"Why?", "A"}, {"How?", "B"}}},
		{"Why?\tSo \"it\" is.", "", []Entry{{"Why?", `So "it" is.`}}},
		{"Why?,A\nHow?,B\n  \n", "", []Entry{{"Why?", "A"}, {"How?", "B"}}},
		{"Well, why?\nBecause, so.\r\n \u00a0\r\nHow, then?\nSo.", "",
			[]Entry{{"Well, why?", "Because, so."}, {"How, then?", "So."}}},
	} {
		got, _, _, err := Read([]byte(tt.text), "", tt.mediaType)
		expect.OK(t, err)
		expect.Same(t, tt.text, tt.want, got)
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	const none = "no questions with answers found"
	for text, want := range map[string]string{
		"<html><p>Hello</p>": none, "": none, "question\nWhy?\n": none,
		"question,answer\n\"Why?,Because\n": "CSV", "Why?\tSo.\n\"Fresh\" ones?\tYes.": "CSV", "question,answer\nWhy?,\xe4\n": "not UTF-8",
		`<script type="application/ld+json">{"@type":</script>`: none,
		strings.Repeat("<button>a", 1<<17):                      none, // in a second
	} {
		_, _, _, err := Read([]byte(text), "faq", "")
		expect.Says(t, text, err, want)
	}
}

func TestFetch(t *testing.T) {
	t.Parallel()
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		switch r.URL.Path {
		case "/faq":
			w.Header().Set("Content-Type", "text/csv")
			_, _ = w.Write([]byte("Why?,Because."))
		case "/moved":
			http.Redirect(w, r, "/faq", http.StatusMovedPermanently)
		case "/large":
			_, _ = w.Write(make([]byte, maxSize+1))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	text, mediaType, err := Fetch(t.Context(), server.URL+"/faq")
	expect.OK(t, err)
	expect.Same(t, "the file", []string{"Why?,Because.", "text/csv"}, []string{string(text), mediaType})
	for path, want := range map[string]string{
		"/moved": "redirects to " + server.URL + "/faq", "/large": "larger than 5 MiB", "/gone": "404",
	} {
		_, _, err := Fetch(t.Context(), server.URL+path)
		expect.Says(t, path, err, want)
	}
	expect.Same(t, "addresses that were fetched", 4, len(asked)) // only those that are named
	_, _, err = Fetch(t.Context(), filepath.Join(t.TempDir(), "none.csv"))
	expect.Error(t, "a missing file", err, os.ErrNotExist)
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"a,b", "<summary>a</summary>b<dt>c?<dd>d<b>e?", "q;a\n\"x\ny\";\" z \"",
		"a,\"- b\n  c\n\td: #\""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, _, _, err := Read(text, "", "")
		if err == nil {
			expect.Same(t, "the draft", entries, readAgain(t, expect.Value(YAML(entries, "source"))(t)))
		}
	})
}

// readAgain are the entries of a draft, without the line break at the end of a block.
func readAgain(t *testing.T, draft []byte) []Entry {
	t.Helper()
	var read struct{ Entries []Entry }
	expect.OK(t, yaml.Unmarshal(draft, &read))
	for i, entry := range read.Entries {
		read.Entries[i].Answer = strings.TrimSuffix(entry.Answer, "\n")
	}
	return read.Entries
}

func TestNestedDetails(t *testing.T) {
	t.Parallel()
	page := ""
	for n := range 300 {
		page += fmt.Sprintf("<details><summary>Q%d?</summary>A", n)
	}
	entries, _, _, err := Read([]byte(page), "page.html", "")
	expect.OK(t, err)
	expect.Same(t, "the outer answer", Entry{"Q0?", "A"}, entries[0])
}
