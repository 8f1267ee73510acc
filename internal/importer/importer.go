// Package importer turns a published FAQ into a draft of faq.yaml: FAQPage JSON-LD or
// details elements of an HTML page, or CSV. Answers keep the words of their source;
// every entry is a draft, which does not answer until its owner removes that mark.
package importer

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/unicode/norm"

	"frontdesk/content"
	"frontdesk/contract"
)

// Entry is a question with its answer as the source has it.
type Entry struct{ Question, Answer string }

// errNone means that the source holds no questions with answers.
var errNone = errors.New("no questions with answers found; an HTML page needs FAQPage JSON-LD or <details> elements, a CSV file the columns question and answer")

// Read finds the entries of a source. If mediaType, its Content-Type, is empty, the name
// and the text decide the format.
func Read(text []byte, name, mediaType string) ([]Entry, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("the text is not UTF-8; save it as UTF-8 and import it again")
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	read := readHTML
	if isCSV(text, name, mediaType) {
		read = readCSV
	}
	entries, err := read(text)
	if err != nil {
		return nil, err
	}
	entries = unique(entries)
	if len(entries) == 0 {
		return nil, errNone
	}
	return entries, nil
}

func isCSV(text []byte, name, mediaType string) bool {
	kind, _, _ := mime.ParseMediaType(mediaType)
	switch {
	case strings.Contains(kind, "csv"):
		return true
	case strings.Contains(kind, "html"):
		return false
	}
	if extension := strings.ToLower(path.Ext(name)); extension == ".csv" || extension == ".tsv" {
		return true
	}
	return !bytes.HasPrefix(bytes.TrimSpace(text), []byte("<"))
}

// unique drops entries without a question or an answer, and repeated questions: pages
// often repeat their JSON-LD in details elements.
func unique(entries []Entry) []Entry {
	seen := map[string]bool{}
	kept := entries[:0]
	for _, entry := range entries {
		entry = Entry{strings.Join(strings.Fields(entry.Question), " "), strings.TrimSpace(entry.Answer)}
		key := content.QuestionKey(entry.Question)
		if key == "" || entry.Answer == "" || seen[key] {
			continue
		}
		seen[key] = true
		kept = append(kept, entry)
	}
	return kept
}

// YAML writes the entries as a faq.yaml of drafts. source is named in a comment.
func YAML(entries []Entry, source string) ([]byte, error) {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	ids := map[string]bool{}
	for _, entry := range entries {
		fields := []string{"id", id(entry.Question, ids), "question", entry.Question, "answer", entry.Answer}
		node := &yaml.Node{Kind: yaml.MappingNode, HeadComment: "# from " + source}
		if utf8.RuneCountInString(entry.Question) > contract.MaxQuestion {
			node.HeadComment += fmt.Sprintf("\n# the question is longer than %d characters: shorten it", contract.MaxQuestion)
		}
		for _, field := range fields {
			scalar := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: field}
			if strings.Contains(field, "\n") {
				scalar.Style = yaml.LiteralStyle
			}
			node.Content = append(node.Content, scalar)
		}
		node.Content = append(node.Content,
			&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "draft"},
			&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true", LineComment: "# remove this line when you approve the answer"})
		list.Content = append(list.Content, node)
	}
	root := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
		{Kind: yaml.ScalarNode, Tag: "!!str", Value: "fallback"},
		{Kind: yaml.ScalarNode, Tag: "!!str", Value: "We have no approved answer to this question yet."},
		{Kind: yaml.ScalarNode, Tag: "!!str", Value: "entries"},
		list,
	}}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(root), encoder.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// maxID bounds an id, in characters; longer questions are cut at a word.
const maxID = 40

// id makes a new id from the words of a question.
func id(question string, taken map[string]bool) string {
	var words []string
	length := 0
	for _, word := range strings.FieldsFunc(plainLetters(question), func(r rune) bool {
		return r != '\'' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	}) {
		word = strings.ReplaceAll(word, "'", "")
		if length += len(word) + 1; length > maxID && len(words) > 0 {
			break
		}
		words = append(words, word)
	}
	base := strings.Trim(strings.Join(words, "-"), "-")
	if base == "" {
		base = "entry"
	}
	if len(base) > maxID {
		base = base[:maxID]
	}
	made := base
	for n := 2; taken[made]; n++ {
		made = fmt.Sprintf("%s-%d", base, n)
	}
	taken[made] = true
	return made
}

// plainLetters returns a text in lower case without accents.
func plainLetters(text string) string {
	text = strings.NewReplacer("ß", "ss", "ä", "ae", "ö", "oe", "ü", "ue", "ł", "l", "ø", "o", "æ", "ae", "œ", "oe", "’", "'").Replace(strings.ToLower(text))
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}
