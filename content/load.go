package content

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// The names in a content folder.
const (
	catalogFile = "catalog.yaml"
	faqFile     = "faq.yaml"
	goldenFile  = "golden.yaml"
	pagesFolder = "pages"
)

// Folders are the folders in a content folder.
func Folders() []string { return []string{pagesFolder} }

// Load reads and checks a content folder. Its error is Faults: everything that is
// wrong, not just what comes first.
func Load(fsys fs.FS) (*Content, error) {
	loaded, _, err := LoadState(fsys)
	return loaded, err
}

// LoadState is Load with the state in which the folder was read, also when it is
// refused.
func LoadState(fsys fs.FS) (*Content, State, error) {
	l := loader{fsys: fsys, content: &Content{Statements: []string{}}, read: newReading()}
	found, err := fs.ReadDir(fsys, ".")
	if err != nil {
		l.faults = Faults{{File: ".", Message: "the content folder cannot be read: " + err.Error()}}
		return nil, l.state(), l.faults
	}
	l.found = found
	l.catalog()
	l.faq()
	l.pages()
	l.strangers()
	if len(l.faults) > 0 {
		sortFaults(l.faults)
		return nil, l.state(), l.faults
	}
	return l.content, l.state(), nil
}

// loader gathers the content and its faults, file by file.
type loader struct {
	fsys    fs.FS
	found   []fs.DirEntry
	content *Content
	faults  Faults
	read    *reading
}

func (l *loader) source(name string) *source {
	return &source{name: name, faults: &l.faults, reading: l.read}
}

func (l *loader) has(name string) bool {
	return slices.ContainsFunc(l.found, func(entry fs.DirEntry) bool { return entry.Name() == name })
}

// root reads and parses a YAML file.
func (l *loader) root(s *source) (*yaml.Node, bool) {
	data, ok := s.read(l.fsys)
	if !ok {
		return nil, false
	}
	l.noteSample(s.name, data)
	return s.document(data)
}

func (l *loader) catalog() {
	reader := &catalogReader{source: l.source(catalogFile), bands: seen{}, used: map[string]bool{}}
	if root, ok := l.root(reader.source); ok {
		reader.read(root, l.content)
	}
}

// faq reads the entries, then the golden questions, which name entries.
func (l *loader) faq() {
	reader := &faqReader{source: l.source(faqFile), questions: seen{}}
	if root, ok := l.root(reader.source); ok {
		reader.ids = seen{}
		l.content.FAQ = reader.read(root)
	}
	if !l.has(goldenFile) {
		return
	}
	golden := &goldenReader{source: l.source(goldenFile), entries: reader.ids, questions: seen{}}
	if root, ok := l.root(golden.source); ok {
		l.content.Golden = golden.read(root)
	}
}

// noteSample tells the owner that the words of somebody else are still published.
func (l *loader) noteSample(name string, data []byte) {
	sample, err := fs.ReadFile(Sample(), name)
	if name == goldenFile || err != nil || !bytes.Equal(data, sample) {
		return
	}
	l.content.Sample = true
	l.note(name, "this is still the sample that comes with frontdesk", "replace it with your own")
}

// strangers notes the files of the folder that are not read.
func (l *loader) strangers() {
	known := []string{catalogFile, faqFile, goldenFile, pagesFolder}
	for _, entry := range l.found {
		if name := entry.Name(); !slices.Contains(known, name) && !isOwnersOwn(name) {
			l.note(name, "this is not read", suggest(name, known))
		}
	}
}

func (l *loader) note(file, message, hint string) {
	l.content.notes = append(l.content.notes, Fault{File: file, Message: message, Hint: hint})
}

// isOwnersOwn reports whether a file is none of our business.
func isOwnersOwn(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(strings.ToUpper(name), "README")
}
