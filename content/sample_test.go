package content

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestSampleRepeatsTheContract(t *testing.T) {
	t.Parallel()
	answers := map[string]string{}
	for _, entry := range mustLoad(t, Sample()).FAQ.Entries {
		answers[entry.ID] = entry.Answer
	}
	for id, facts := range map[string][]string{
		"limits": {
			fmt.Sprintf("In any %d seconds", int(contract.AskPolicy.Window.Seconds())),
			fmt.Sprintf("ask %d questions", contract.AskPolicy.Quota),
			fmt.Sprintf("send %d pilot requests", contract.ContactPolicy.Quota),
		},
		"api":           {"GET " + contract.PathCatalog, "POST " + contract.PathAsk, "POST " + contract.PathContact, contract.PathOpenAPI},
		"mcp":           {" " + contract.PathMCP + ","},
		"trial":         {"POST " + contract.PathWorkspaceMCP},
		"dry-run":       {contract.FieldDryRun},
		"pilot-request": {"POST " + contract.PathContact},
	} {
		expect.Holds(t, id, answers[id], facts...)
	}
}

func TestInitWritesTheSample(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "my", "content")
	written := expect.Value(Init(dir, ""))(t)
	var want []string
	for _, name := range []string{"catalog.yaml", "faq.yaml", "golden.yaml", "pages/home.md", "pages/privacy.md", "pages/terms.md"} {
		want = append(want, filepath.Join(dir, filepath.FromSlash(name)))
	}
	expect.Same(t, "paths", want, written)
	own := filepath.Join(dir, "own.md")
	expect.OK(t, os.WriteFile(own, nil, 0o666))
	expect.Same(t, "mode", expect.Value(os.Stat(own))(t).Mode(), expect.Value(os.Stat(written[0]))(t).Mode())
	expect.OK(t, os.Remove(own))
	var warned []string // once each: an amount that is in no pricing band would be another warning
	for _, warning := range mustLoad(t, os.DirFS(dir)).Warnings(time.Now()) {
		warned = append(warned, warning.File)
	}
	expect.Same(t, "warnings", []string{"catalog.yaml", "faq.yaml", "pages/home.md", "pages/privacy.md",
		"pages/terms.md"}, warned)
}

func TestInitOverwritesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	faq, page := filepath.Join(dir, FAQFile), filepath.Join(dir, PagesFolder, "home.md")
	expect.OK(t, os.Mkdir(filepath.Dir(page), 0o755), os.WriteFile(faq, []byte("mine"), 0o600), os.Symlink("nowhere", page))
	written, err := Init(dir, "")
	expect.Error(t, "Init", err, fs.ErrExist)
	expect.Same(t, "what it wrote", 0, len(written))
	expect.Same(t, "the error", faq+": file already exists\n"+page+": file already exists\nnothing was written: name another folder, or remove these files first", err.Error())
	expect.Error(t, "catalog.yaml", expect.ErrorOf(os.Stat(filepath.Join(dir, CatalogFile))), fs.ErrNotExist)
	expect.Same(t, "faq.yaml", "mine", read(t, os.DirFS(dir), FAQFile))
}

func TestStillSample(t *testing.T) {
	t.Parallel()
	own := mustLoad(t, files{})
	own.Statements = mustLoad(t, Sample()).Statements // on purpose
	expect.Same(t, "own parts", 0, len(own.StillSample()))
	catalog := string(expect.Value(fs.ReadFile(SampleNamed("bakery"), CatalogFile))(t))
	before, rest, _ := strings.Cut(catalog, "\nbrand:") // with pictures that this folder has not
	_, after, _ := strings.Cut(rest, "\nrequests:")
	catalog = strings.NewReplacer("Bäckerei Morgenrot", "Bäckerei Adler", "hallo@morgenrot.", "hallo@adler.",
		"    picture: assets/loaf.svg\n", "", "Sauerteigbrot, Brötchen und Torten", "Brot").Replace(before + "\nrequests:" + after)
	translated := mustLoad(t, files{CatalogFile: strings.Replace(catalog, "Message to us", "Ask for a cake", 1)})
	edited := mustLoad(t, files{
		CatalogFile: catalog,
		FAQFile: "fallback: F\nentries:\n  - {id: mine, question: Mine?, answer: A}\n" +
			"  - {id: payment, question: Wie zahle ich?, answer: 'Bar, mit Karte oder mit dem Handy. Torten zahlen Sie bei der Abholung.'}\n",
	})
	parts := edited.StillSample()
	var kinds []PartKind
	for _, part := range parts {
		kinds = append(kinds, part.Kind)
	}
	expect.Same(t, "parts", []PartKind{
		PartSummary, PartPhone, PartAddress, PartPlace, PartSpecial, PartService, PartService, PartService, PartService,
		PartBand, PartBand, PartBand, PartBand, PartStatements, PartAnswer,
	}, kinds)
	const ofSample, ofPrice, answered = "What is the capital of Australia?", "How much are repairs?", "What exactly does Linden Desk do?"
	edited.Golden = Golden{Unanswered: []GoldenQuestion{{Q: ofSample}, {Q: answered}},
		Answered: []GoldenQuestion{{Q: ofPrice, ID: factPrice + edited.Services[0].ID}}}
	for q, want := range map[string]bool{ofSample: true, ofPrice: true, answered: false} {
		expect.Same(t, q, want, edited.IsSampleQuestion(q))
	}
	expect.Same(t, "names, of a sample and anew", []bool{true, false},
		[]bool{edited.IsSampleRequest(), translated.IsSampleRequest()})
	expect.Same(t, "the last part", SamplePart{Kind: PartAnswer, ID: "payment", File: FAQFile, Line: 4}, parts[len(parts)-1], cmpopts.IgnoreUnexported(SamplePart{}))
}
