package content

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io/fs"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// Names of files and folders of a content folder.
const (
	CatalogFile = "catalog.yaml"
	FAQFile     = "faq.yaml"
	goldenFile  = "golden.yaml"
	PagesFolder = "pages"
	// AssetsFolder holds the owner's images.
	AssetsFolder = "assets"
)

var yamlFiles = []string{CatalogFile, FAQFile, goldenFile}

// VectorsFile is the file of a content folder that holds what the encoder made of its texts. Package content does not
// read it.
const VectorsFile = "meaning.cache"

// Folders are the folders that a content folder may have. That of the pages has a folder for each further language.
var Folders = []string{PagesFolder, AssetsFolder}

// Load reads and checks a content folder. Its error is Diagnostics: all errors, not just
// the first one.
func Load(fsys fs.FS) (*Content, error) {
	loaded, _, err := LoadWithDigest(fsys)
	return loaded, err
}

// LoadWithDigest is like Load, and also returns the digest of the folder, even when it fails.
func LoadWithDigest(fsys fs.FS) (*Content, Digest, error) {
	l := loader{fsys: fsys, content: &Content{files: map[string][]byte{}}, sum: sha256.New()}
	var err error
	if l.found, err = fs.ReadDir(fsys, "."); err != nil {
		l.faults = Diagnostics{{File: ".", Message: "the content folder cannot be read: " + err.Error()}}
		return nil, l.state(), l.faults
	}
	l.images()
	l.readCatalog()
	l.readFAQ()
	l.pages()
	l.links()
	l.noteUnread()
	if len(l.faults) > 0 {
		l.faults = sortedFaults(l.faults)
		for _, root := range l.roots {
			l.faults.locate(root)
		}
		return nil, l.state(), l.faults
	}
	c := l.content
	c.FAQ.Entries = slices.DeleteFunc(c.FAQ.Entries, func(entry Entry) bool {
		if entry.Draft {
			c.Drafts = append(c.Drafts, entry)
		}
		return entry.Draft
	})
	return c, l.state(), nil
}

// loader collects the content and its faults, file by file.
type loader struct {
	fsys    fs.FS
	found   []fs.DirEntry
	content *Content
	faults  Diagnostics
	roots   []*yaml.Node // of the YAML files
	sum     hash.Hash    // of what was read
	total   int64        // bytes of it
	// siteLanguages are those in which texts may be written, the site's first; nil if unknown, because
	// the catalog could not be read, and then no language is refused.
	siteLanguages []string
	now           time.Time // in Content.Zone
}

func (l *loader) source(name string) *source {
	return &source{loader: l, name: name, ids: seen{}, questions: seen{}, askedBy: map[string]string{}}
}

func (l *loader) has(name string) bool {
	return slices.ContainsFunc(l.found, func(entry fs.DirEntry) bool { return entry.Name() == name })
}

// list returns what a folder holds, without what is ignored.
func (l *loader) list(folder string) []fs.DirEntry {
	found, err := fs.ReadDir(l.fsys, folder)
	if err != nil {
		l.source(folder).faultAt(0, "", "the folder cannot be read: %s", err)
	}
	return slices.DeleteFunc(found, func(entry fs.DirEntry) bool { return IsIgnored(entry.Name()) })
}

// root reads and parses a YAML file. It is nil for one that is missing or faulty.
func (s *source) root() (root *yaml.Node) {
	if data, ok := s.read(); ok {
		root = s.document(data)
		s.roots = append(s.roots, root)
	}
	return root
}

func (l *loader) readCatalog() {
	s := l.source(CatalogFile)
	if root := s.root(); root != nil {
		s.catalog(root)
		if editions := l.content.editions; len(editions) > 0 { // else there is a fault that is reported
			l.content.Edition = editions[0] // which the catalog publishes
		}
		l.siteLanguages = l.content.Languages()
	}
}

// readFAQ reads the entries and adds the facts, then reads the golden questions, which name both.
func (l *loader) readFAQ() {
	s := l.source(FAQFile)
	root := s.root()
	l.now = time.Now().In(l.content.Zone())
	if len(l.faults) == 0 {
		l.content.makeFacts(l.now)
	}
	if root != nil {
		l.content.FAQ = s.faq(root)
	} else {
		s.ids = nil
	}
	if len(l.faults) == 0 {
		l.content.addFacts(l.now)
	}
	if !l.has(goldenFile) {
		return
	}
	golden := l.source(goldenFile)
	if root := golden.root(); root != nil {
		l.content.Golden = golden.golden(root, s.ids)
	}
}

func (l *loader) noteUnread() {
	known := slices.Concat(yamlFiles, Folders)
	for _, entry := range l.found {
		if name := entry.Name(); name != VectorsFile && !slices.Contains(known, name) && !IsIgnored(name) {
			l.content.notes = append(l.content.notes,
				faultIn(name, 0, "this file is not read", suggest(name, known), "warning.unread"))
		}
	}
}

// IsIgnored reports whether a file of a content folder, by its name, is left to the owner.
func IsIgnored(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(strings.ToUpper(name), "README")
}

// Digest is a digest of everything that was read of a folder. While it stays the same,
// reading the folder again gives the same content or the same faults.
type Digest [sha256.Size]byte

// revisionDigits is how many hexadecimal digits of the digest a revision has.
const revisionDigits = 16

// Revision returns the digest in short form, the same on every machine with the same files.
func (s Digest) Revision() string { return hex.EncodeToString(s[:])[:revisionDigits] }

// hashFile adds a file to the content hash: its name and its bytes, each with its length, so that
// bytes cannot move between files unnoticed.
func (l *loader) hashFile(name string, data []byte) {
	for _, part := range [][]byte{[]byte(name), data} {
		l.sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		l.sum.Write(part)
	}
	l.total += int64(len(data))
	l.content.files[name] = data
}

// state returns the digest after everything was read. It includes the faults, because a
// missing or unreadable file adds no bytes.
func (l *loader) state() (state Digest) {
	l.sum.Write([]byte(l.faults.Error()))
	l.sum.Sum(state[:0])
	return state
}
