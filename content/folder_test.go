package content

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// Load names the place of a fault, or returns the answers that a plain YAML decoder reads.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		goodFAQ,
		"fallback: |\n  F\n\nentries:\n- id: a\n  question: Q\n  alternates: [B, 'C']\n  answer: |+\n    x\n\n  expires: 2027-01-01\n",
		`{"fallback":"\ud83d\ude00","entries":[{"id":"a","question":"Q","answer":"\\ud83d\\ude00\n"}]}`,
		"fallback: &a F\nentries: *a\n", "entries: &x [*x]\n", "? [a]\n: b", "<<: {fallback: F}", "- \xff", "a: \"\\x00\"", "entries: [{}, [], ~, 1]",
		"fallback: F\nentries:\n- {id: a, question: Q, answer: 0x1F}\n---\n", "%YAML 1.1\n---\n\t", "", "[[[[[[[[", "fallback: !!binary aGk=",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		loaded, err := Load(files{FAQFile: string(data)})
		if err != nil {
			faults, ok := errors.AsType[Diagnostics](err)
			if !ok || len(faults) == 0 {
				t.Fatalf("Load returned %T: %v", err, err)
			}
			for _, fault := range faults {
				if fault.File == "" || fault.Message == "" || fault.Line < 0 {
					t.Errorf("incomplete fault %+v", fault)
				}
			}
			return
		}
		loaded.Warnings(time.Now())
		var plain struct{ Entries []struct{ Answer string } }
		expect.OK(t, yaml.Load(plainJSON(data), &plain))
		for i, entry := range slices.DeleteFunc(loaded.FAQ.Entries, func(e Entry) bool { return e.IsFact }) {
			if !idForm.MatchString(entry.ID) || QuestionKey(entry.Question) == "" ||
				strings.TrimSpace(entry.Answer) == "" || entry.Line < 1 {
				t.Errorf("incomplete entry %+v", entry)
			}
			if !utf8.ValidString(entry.Answer) || strings.Contains(entry.Answer, "\x00") {
				t.Errorf("answer %q is no text", entry.Answer)
			}
			expect.Same(t, "revision", revision(entry.Answer), entry.Revision)
			if want := plain.Entries[i].Answer; entry.Answer != want && entry.Answer+"\n" != want {
				t.Errorf("answer %q, YAML reads %q", entry.Answer, want)
			}
		}
		got := written(t, string(data))
		if !isSame(nodesOf(t, string(data)), nodesOf(t, got)) || written(t, got) != got {
			t.Errorf("%q is written as %q", data, got)
		}
	})
}

// goodCatalog and goodFAQ are the least that Load accepts.
const (
	goodCatalog = `business: {name: Acme, summary: We make things.}
services:
  - {id: making, name: Making, summary: We make it., description: In full., pricing_band: small}
pricing_bands:
  - {id: small, name: Small, summary: Little., currency: EUR, from: 10, unit: piece}
`
	goodFAQ = `fallback: Ask a person.
entries:
  - {id: hours, question: When are you open?, answer: Always.}
`
)

// files is a content folder with these files and the required ones.
type files map[string]string

func (f files) folder() fstest.MapFS {
	all := files{CatalogFile: goodCatalog, FAQFile: goodFAQ}
	maps.Copy(all, f)
	fsys := fstest.MapFS{}
	for name, text := range all {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func (f files) Open(name string) (fs.File, error) { return f.folder().Open(name) }

func read(t testing.TB, fsys fs.FS, name string) string {
	t.Helper()
	return string(expect.Value(fs.ReadFile(fsys, name))(t))
}

func mustLoad(t testing.TB, fsys fs.FS) *Content {
	t.Helper()
	return expect.Value(Load(fsys))(t)
}

func faultsOf(t testing.TB, fsys fs.FS) []string {
	t.Helper()
	_, err := Load(fsys)
	if err == nil {
		return nil
	}
	faults, ok := errors.AsType[Diagnostics](err)
	if !ok {
		t.Fatalf("Load returned %T: %v", err, err)
	}
	return texts(faults)
}

func texts(faults []Diagnostic) []string {
	var all []string
	for _, fault := range faults {
		all = append(all, fault.String())
	}
	return all
}

func TestPhones(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ phone, country, dial string }{
		{"+497615550123", "", "+497615550123"},
		{"(415) 555-0123", "US", "+14155550123"},
		{"+44 (0)20 7946 0123", "GB", "+442079460123"},
		{"+44 (0)20 7946 0123", "DE", "+442079460123"},
		{"0761 123456", "DE", "+49761123456"},
		{"0761 123456", "", "0761123456"},
		{"06 1234 5678", "IT", "+390612345678"}, // Italy keeps its zero
		{"+44 20", "GB", "refused"},
		{"+999 761 123456", "DE", "refused"},
		{"0761 1234567890123456", "DE", "refused"},
		{"call us", "DE", "refused"},
		{"1-800-FLOWERS", "US", "refused"},
	} {
		address := ""
		if tt.country != "" {
			address = "  address: {city: C, country: " + tt.country + "}\n"
		}
		loaded, err := Load(files{CatalogFile: shopCatalog(address+"  phone: \""+tt.phone+"\"\n", "")})
		got := "refused"
		if err == nil {
			got = Dial(&contract.Facts{Phone: loaded.Phone, Address: loaded.Address})
		}
		expect.Same(t, tt.phone+" in "+tt.country, tt.dial, got)
	}
}

func TestCountries(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"GB": "GB", "UK": "GB", "de": "DE", "Germany": "DE", "Österreich": "AT", "Polska": "PL", "USA": "US", "Deutschlande": "", "EU": "", "xx1": "", "": "",
	} {
		expect.Same(t, text, want, countryOf(text))
	}
}

func TestZoneOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ city, country, want string }{
		{"Vienna", "", "Europe/Vienna"}, {"vienna", "DE", "Europe/Vienna"}, {"New York", "US", "America/New_York"}, {"Zürich", "CH", "Europe/Zurich"},
		{"São Paulo", "BR", "America/Sao_Paulo"}, {"Wien", "AT", "Europe/Vienna"}, {"Leeds", "GB", "Europe/London"}, {"Leeds", "", "Europe/Berlin"},
		{"Europe/Vien", "AT", "Europe/Vienna"},
	} {
		expect.Same(t, tt.city, tt.want, zoneOf(tt.city, tt.country))
	}
}
