package content

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v4"

	"frontdesk/internal/expect"
)

func written(t *testing.T, text string) string {
	t.Helper()
	f := expect.Value(readYAML("x.yaml", []byte(text)))(t)
	return expect.Value(f.text())(t)
}

func nodesOf(t *testing.T, text string) *yaml.Node {
	t.Helper()
	return expect.Value(readYAML("x.yaml", []byte(text)))(t).root
}

// No value, comment or order is lost, and writing again changes nothing.
func TestCanonical(t *testing.T) {
	expect.SkipInRace(t, "many files")
	t.Parallel()
	note := regexp.MustCompile(`# c\d+: \[it's “noted"`)
	for seed := range uint64(200) {
		w := newWriter(seed, "|", "|-", "|+")
		w.above(0)
		w.fields(w.group([]*Group{&catalogGroup, &faqGroup, &goldenGroup}[seed%3]), 0, false)
		w.above(0)
		text := w.out.String()
		if w.chance(4) {
			text = strings.TrimRight(text, "\n")
		}
		if w.chance(4) {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if w.chance(4) {
			text = byteOrderMark + byteOrderMark + text
		}
		got := written(t, text)
		what := fmt.Sprintf("seed %d,\n%s\n%s\n", seed, text, got)
		expect.Same(t, what+"the same values", true, isSame(nodesOf(t, text), nodesOf(t, got)))
		expect.Same(t, what+"comments", w.notes, note.FindAllString(got, -1), cmpopts.EquateEmpty())
		expect.Same(t, what+"written again", got, written(t, got))
		expect.Same(t, what+"line ends", strings.Contains(text, "\r\n"), strings.Contains(got, "\r\n"))
		if t.Failed() {
			return
		}
	}
}

// A change of one entry changes its lines only.
func TestOneItem(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		w := newWriter(seed, "|", "|-")
		entries := []Entry{w.entry("a"), w.entry("b"), w.entry("c")}
		text := written(t, w.faqOf(entries))
		change := NewChange(files{FAQFile: text})
		expect.OK(t, change.Set(FAQFile, Path{entriesKey, "b", "answer"}, w.words(true)),
			change.Set(FAQFile, Path{entriesKey, "b", "url"}, "/pricing"))
		got := read(t, change, FAQFile)
		for _, note := range w.notes {
			expect.Same(t, "how often it has "+note, 1, strings.Count(got, note))
		}
		list := nodeAt(nodesOf(t, text), Path{entriesKey}).Content
		lines := strings.SplitAfter(text, "\n")
		above := list[1].Line - 1
		for strings.HasPrefix(strings.TrimSpace(lines[above-1]), "#") {
			above--
		}
		first, last := strings.Join(lines[:above], ""), strings.Join(lines[list[2].Line-1:], "")
		expect.Holds(t, fmt.Sprint("seed ", seed), "<"+got+">", "<"+first, last+">")
	}
}

func TestSampleForm(t *testing.T) {
	t.Parallel()
	for _, name := range SampleNames() {
		change := NewChange(SampleNamed(name))
		expect.OK(t, change.Format())
		expect.Same(t, name+": files that fmt would change", 0, len(change.Files()))
	}
}

func TestFormatRefuses(t *testing.T) {
	t.Parallel()
	change := NewChange(files{CatalogFile: "a: [\n", FAQFile: "fallback: &f F\nentries: []\n",
		goldenFile: "unanswered:\n  - !!str f\n"})
	expect.Holds(t, "the error", fmt.Sprint(change.Format()), "catalog.yaml:", "faq.yaml:1: YAML anchors",
		"golden.yaml:2: YAML anchors")
	expect.Says(t, "no value, and no line break", NewChange(files{goldenFile: "---"}).Format(), "golden.yaml: the file is empty")
	expect.Same(t, "changed", true, change.IsEmpty())
	expect.Says(t, "an edit", change.Set(FAQFile, Path{"fallback"}, "x"), "faq.yaml:1: YAML anchors")
}

// anyWriter writes values in the ways of owners.
type anyWriter struct {
	*rand.Rand
	out      strings.Builder
	notes    []string
	chomping []string // of literal blocks
	inBlock  bool     // a comment that is indented would belong to the text before
}

func newWriter(seed uint64, chomping ...string) *anyWriter {
	return &anyWriter{Rand: rand.New(rand.NewPCG(seed, 40)), chomping: chomping}
}

func (w *anyWriter) chance(n int) bool { return w.IntN(n) == 0 }

func (w *anyWriter) put(text string) { w.out.WriteString(text) }

func spaces(n int) string { return strings.Repeat(" ", n) }

func (w *anyWriter) comment() string {
	c := fmt.Sprintf("# c%d: [it's “noted\"", len(w.notes))
	w.notes = append(w.notes, c)
	return c
}

func (w *anyWriter) above(indent int) {
	for w.chance(3) {
		switch {
		case w.chance(2):
			w.put("\n")
		case w.chance(4) && !w.inBlock: // elsewhere
			w.put(spaces(w.IntN(8)) + w.comment() + "\n")
		default:
			w.put(spaces(indent) + w.comment() + "\n")
		}
	}
}

func (w *anyWriter) end() {
	if w.chance(4) {
		w.put(spaces(1+w.IntN(3)) + w.comment())
	}
	w.put("\n")
}

func (w *anyWriter) value(value any, indent int, isItem bool) {
	switch value := value.(type) {
	case Fields:
		if w.chance(4) {
			w.flow(value, indent)
			return
		}
		inner := indent + 1 + w.IntN(4)
		if isItem && !w.chance(8) {
			gap := 1 + w.IntN(2)
			w.put(spaces(gap))
			w.fields(value, indent+1+gap, true)
			return
		}
		w.end()
		w.fields(value, inner, false)
	case List:
		if w.chance(4) {
			w.flow(value, indent)
			return
		}
		w.end()
		inner := indent + w.IntN(4)
		if isItem {
			inner++
		}
		for _, item := range value {
			w.above(inner)
			w.put(spaces(inner) + "-")
			w.value(item, inner, true)
		}
		w.below(inner)
	case Plain:
		w.inBlock = false
		w.put(" " + string(value))
		w.end()
	case string:
		w.text(value, indent)
	}
}

func (w *anyWriter) below(indent int) {
	if w.chance(6) {
		w.put(spaces(indent) + w.comment() + "\n")
	}
}

func (w *anyWriter) fields(fields Fields, indent int, started bool) {
	for i, f := range fields {
		if i > 0 || !started {
			w.above(indent)
			w.put(spaces(indent))
		}
		key := f.Key
		if w.chance(8) {
			key = `"` + key + `"`
		}
		w.put(key + ":")
		w.value(f.Value, indent, false)
	}
	w.below(indent)
}

func (w *anyWriter) quoted(text string) string {
	if w.chance(2) && !strings.Contains(text, "\n") {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return jsonText(text)
}

func isSafe(text string) bool {
	return text[0] >= 'A' && text[0] <= 'Z' && !strings.ContainsAny(text, ":#,[]{}\n\"'")
}

func (w *anyWriter) text(text string, indent int) {
	kind, inner := w.IntN(5), spaces(indent+1+w.IntN(4))
	w.inBlock = kind < 2
	folded := func(line string) string {
		if at := strings.Index(line, " "); at > 0 && w.chance(2) {
			return line[:at] + "\n" + inner + line[at+1:]
		}
		return line
	}
	switch {
	case w.inBlock:
		sign := w.chomping[w.IntN(len(w.chomping))]
		if kind == 1 {
			sign = strings.Replace(sign, "|", ">", 1)
		}
		w.put(" " + sign)
		w.end()
		for i, line := range strings.Split(text, "\n") {
			if line != "" {
				if kind == 1 && i > 0 {
					w.put("\n")
				}
				if kind == 1 {
					line = folded(line)
				}
				line = inner + line
			}
			w.put(line + "\n")
		}
		return
	case kind == 2 && isSafe(text):
		w.put(" " + folded(text))
	case kind == 3 && isSafe(text) && w.chance(2): // on a line of its own
		w.end()
		w.above(len(inner))
		w.put(inner + text)
	default:
		w.put(" " + w.quoted(text))
	}
	w.end()
}

func (w *anyWriter) flow(value any, indent int) {
	w.inBlock = false
	w.put(" ")
	w.inner(value, indent+1+w.IntN(3), w.chance(3))
	w.end()
}

func (w *anyWriter) brk(indent int, multi bool) {
	if !multi || !w.chance(2) {
		w.put(spaces(w.IntN(2)))
		return
	}
	w.end()
	w.above(indent)
	w.put(spaces(indent))
}

func (w *anyWriter) inner(value any, indent int, multi bool) {
	items := func(brackets string, n int, item func(int)) {
		w.put(brackets[:1])
		w.brk(indent, multi)
		for i := range n {
			item(i)
			if i < n-1 || multi && w.chance(3) {
				w.put(",")
			}
			w.brk(indent, multi)
		}
		w.put(brackets[1:])
	}
	switch value := value.(type) {
	case Fields:
		items("{}", len(value), func(i int) {
			w.put(value[i].Key + ": ")
			w.inner(value[i].Value, indent, multi)
		})
	case List:
		items("[]", len(value), func(i int) { w.inner(value[i], indent, multi) })
	case Plain:
		w.put(string(value))
	case string:
		if !isSafe(value) {
			value = w.quoted(value)
		}
		w.put(value)
	}
}

func (w *anyWriter) words(lines bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Q%d", w.IntN(1_000_000))
	for range w.IntN(4) {
		sep := " "
		if lines && w.chance(2) {
			sep = strings.Repeat("\n", 1+w.IntN(2))
		}
		out.WriteString(sep + careful[w.IntN(len(careful))])
	}
	return out.String()
}

func (w *anyWriter) local(lines bool) any {
	if w.chance(2) {
		return w.words(lines)
	}
	return Fields{{"en", w.words(lines)}, {"de", w.words(lines)}}
}

func (w *anyWriter) list(item func() any) (list List) {
	for range 1 + w.IntN(3) {
		list = append(list, item())
	}
	return list
}

func (w *anyWriter) group(g *Group) (fields Fields) {
	for _, key := range g.Keys {
		one := func() any {
			switch at := w.IntN(len(values)); {
			case key.Of != nil:
				return w.group(key.Of)
			case key.Local:
				return w.local(key.Kind != KindLine && key.Kind != KindLines)
			case key.Kind == KindHours || key.Kind == KindTimes:
				return Fields{{"mon-fri", Plain(values[at])}, {"2027-11-11", values[at]}}
			case slices.Contains([]Kind{KindAmount, KindNumber, KindFlag, KindDate, KindDates}, key.Kind):
				return Plain(values[at])
			default:
				return strings.Repeat("#", w.IntN(2)) + values[at]
			}
		}
		value := one()
		if slices.Contains([]Kind{KindItems, KindLines, KindTags, KindDates}, key.Kind) {
			value = w.list(one)
		}
		fields = append(fields, Field{key.Name, value})
	}
	return fields
}

// values are plain scalars of other types: as a text each must be quoted.
var values = []string{"1.50", "01234", "false", "2027-06-01", "06:30-18:00", "https://a.example/b#c"}

// careful are texts that need care in YAML.
var careful = []string{"open", "Pão", "it's", "4,80 €", "- a", "# b", "c: d", `"e"`, "{f}", "[g]", "yes", "日本", "!", "50 %", "\\n", "…", "*", "&", "😀", "%", "@"}
