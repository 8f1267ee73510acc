package app_test

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/test/harness"
)

// keptBy holds the headers that tell a cache how to keep an answer.
type keptBy struct{ control, vary string }

// cacheHeaders sends a request and returns the headers for caches and the answer.
func cacheHeaders(handler http.Handler, r *http.Request) (keptBy, *httptest.ResponseRecorder) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return keptBy{w.Header().Get("Cache-Control"), strings.Join(w.Header().Values("Vary"), ", ")}, w
}

func startPublic(t *testing.T) *harness.Desk {
	return harness.Start(t, func(s *config.Settings) { s.BaseURL.Text = "https://desk.example" })
}

// TestCachesAreTold holds the table of docs/scale.md: everything that is published
// and may be kept has a time, the headers that it varies by, and an ETag.
func TestCachesAreTold(t *testing.T) {
	t.Parallel()
	d := startPublic(t)
	const minutes = "public, max-age=300"
	want := map[string]keptBy{
		contract.PathCatalog: {minutes, "Accept-Encoding, Accept-Signature"}, contract.PathCatalogAlias: {minutes, "Accept-Encoding, Accept-Signature"},
		contract.PathKeyDirectory: {"public, max-age=86400, no-transform", ""},
	}
	documents, pages := d.PublishedPaths()
	for _, path := range documents {
		if _, ok := want[path]; !ok {
			want[path] = keptBy{minutes, "Accept-Encoding"}
		}
		if strings.HasPrefix(path, "/assets/") {
			want[path] = keptBy{"public, max-age=31536000, immutable", "Accept-Encoding"}
		}
	}
	for _, path := range pages {
		want[path] = keptBy{"no-cache", "Accept, Accept-Encoding"}
		want[contract.TwinPath(path)] = keptBy{minutes, "Accept-Encoding"}
	}
	for path, want := range want {
		got, w := cacheHeaders(d.Handler(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		etag := w.Header().Values("ETag")
		if w.Code != http.StatusOK || got != want || len(etag) != 1 {
			t.Errorf("%s: %d, %+v, ETag %s; want %+v", path, w.Code, got, etag, want)
		}
	}
	if len(want) < 30 {
		t.Errorf("%d paths are published: some are missing", len(want))
	}
}

// TestCachesKeepNothingElse checks that answers for one caller are not cached.
func TestCachesKeepNothingElse(t *testing.T) {
	t.Parallel()
	d := startPublic(t)
	tests := []struct {
		name, method, path, body string
		status                   int
	}{
		{"health", "GET", contract.PathHealth, "", 200},
		{"answer", "POST", contract.PathAsk, `{"q":"What does it cost?"}`, 200},
		{"dry run", "POST", contract.PathContact, `{"name":"a","business":"b","email":"a@b.example","message":"m","dry_run":true}`, 200},
		{"message", "POST", contract.PathMCP, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 200},
		{"no such page", "GET", "/nope", "", 404},
		{"wrong method", "GET", contract.PathAsk, "", 405},
		{"too large", "POST", contract.PathAsk, strings.Repeat(" ", contract.CapAsk+1), 413},
	}
	for _, tt := range tests {
		r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, strings.NewReader(tt.body))
		r.Header.Set("Content-Type", contract.TypeJSON)
		if got, w := cacheHeaders(d.Handler(), r); w.Code != tt.status || got.control != "no-store" {
			t.Errorf("%s: %d, Cache-Control %q; want %d, no-store", tt.name, w.Code, got.control, tt.status)
		}
	}
}

// edge is a shared cache (RFC 9111) as small as it can be: it keeps an answer for
// its max-age, by the headers that it varies by, and asks whether it has changed.
type edge struct {
	origin      http.Handler
	now         time.Duration
	vary        map[string][]string // by path
	kept        map[string]*keptAnswer
	full, small int // answers of the service: whole ones, and 304
}

type keptAnswer struct {
	*httptest.ResponseRecorder
	until time.Duration
}

func (e *edge) key(r *http.Request) string {
	parts := []string{r.URL.Path}
	for _, name := range e.vary[r.URL.Path] {
		parts = append(parts, r.Header.Get(name))
	}
	return strings.Join(parts, "\n")
}

func (e *edge) get(r *http.Request) *keptAnswer {
	kept := e.kept[e.key(r)]
	if kept != nil && e.now < kept.until {
		return kept
	}
	if kept != nil {
		r.Header["If-None-Match"] = kept.Header().Values("ETag")
	}
	by, w := cacheHeaders(e.origin, r)
	fresh := &keptAnswer{w, e.now + maxAge(by.control)}
	if w.Code == http.StatusNotModified {
		e.small++
		fresh.ResponseRecorder = kept.ResponseRecorder
	} else {
		e.full++
	}
	e.vary[r.URL.Path] = strings.Split(by.vary, ", ")
	e.kept[e.key(r)] = fresh
	return fresh
}

// maxAge returns zero if a cache must revalidate each time.
func maxAge(control string) time.Duration {
	_, after, _ := strings.Cut(control, "max-age=")
	digits, _, _ := strings.Cut(after, ",")
	seconds, _ := strconv.Atoi(digits)
	return time.Duration(seconds) * time.Second
}

// TestCacheHits simulates half an hour of readers at ten caches in front of the service.
// Every reader gets the requested form, and the service sends each form of a document once
// to each cache. It answers revalidations with 304, at most one in five minutes for each
// document, for any number of readers.
func TestCacheHits(t *testing.T) {
	t.Parallel()
	const caches, readers, span = 10, 60_000, 30 * time.Minute
	d := startPublic(t)
	random := rand.New(rand.NewPCG(3, 3))
	documents, _ := d.PublishedPaths()
	slices.Sort(documents)
	documents = slices.DeleteFunc(documents, func(path string) bool { return strings.HasPrefix(path, "/assets/") })
	edges := make([]*edge, caches)
	for i := range edges {
		edges[i] = &edge{origin: d.Handler(), vary: map[string][]string{}, kept: map[string]*keptAnswer{}}
	}
	for i := range readers {
		e := edges[random.IntN(caches)]
		e.now = span * time.Duration(i) / readers
		path, gzip := documents[random.IntN(len(documents))], random.IntN(2) == 0
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		if gzip {
			r.Header.Set("Accept-Encoding", "gzip")
		}
		if got := e.get(r); (got.Header().Get("Content-Encoding") == "gzip") != gzip {
			t.Fatalf("%s, gzip wanted %v: Content-Encoding %q", path, gzip, got.Header().Get("Content-Encoding"))
		}
	}
	forms, periods := 2*len(documents), int(span/(5*time.Minute))
	for i, e := range edges {
		if most := forms * (periods - 1); e.full > forms || e.small > most || e.small < most/2 {
			t.Errorf("cache %d: %d whole answers and %d times 304; want at most %d and about %d", i, e.full, e.small, forms, most)
		}
	}
}

// TestPageForms shows that one cache keeps HTML and Markdown of a page apart, and
// that HTML is looked at anew each time.
func TestPageForms(t *testing.T) {
	t.Parallel()
	e := &edge{origin: startPublic(t).Handler(), vary: map[string][]string{}, kept: map[string]*keptAnswer{}}
	var types []string
	for _, accept := range []string{contract.TypeHTML, contract.TypeMarkdown, contract.TypeHTML, contract.TypeMarkdown} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, contract.PathPricing, nil)
		r.Header.Set("Accept", accept)
		mediaType, _, _ := strings.Cut(e.get(r).Header().Get("Content-Type"), ";")
		types = append(types, mediaType)
	}
	want := []string{contract.TypeHTML, contract.TypeMarkdown, contract.TypeHTML, contract.TypeMarkdown}
	if diff := cmp.Diff(want, types); diff != "" || e.full != 2 || e.small != 1 {
		t.Errorf("%d whole answers and %d times 304, want 2 and 1 (HTML); types (-want +got):\n%s", e.full, e.small, diff)
	}
}
