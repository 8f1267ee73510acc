package i18n

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template/parse"

	"golang.org/x/net/html"

	"frontdesk/internal/expect"
)

// ownerKey matches the key of a message for the owner, or the beginning of some.
var ownerKey = regexp.MustCompile(`^(owner|notify)\.[a-z_.-]+$`)

// listOfForm matches the name of a list that the owner's forms are for: the keys of their
// messages are made of it.
var listOfForm = regexp.MustCompile(`list:\s+"([a-z_.]+)"`)

// TestOwnerMessagesAreUsed checks that code and templates name only messages that there
// are, and that each message for the owner is named.
func TestOwnerMessagesAreUsed(t *testing.T) {
	t.Parallel()
	english, named := messagesOf(source, Formal), map[string]bool{}
	var beginnings []string
	for _, text := range slices.Concat(codeTexts(t, "../owner", "../app", "../notify", "../certificates"), templateTexts(t)) {
		if list := listOfForm.FindStringSubmatch(text); list != nil {
			beginnings = append(beginnings, "owner."+list[1]+".")
		}
		if !ownerKey.MatchString(text) {
			continue
		}
		named[text] = true
		if strings.HasSuffix(text, ".") {
			beginnings = append(beginnings, text)
		} else if english[text] == "" {
			t.Errorf("there is no message %s", text)
		}
	}
	for key := range english {
		if ownerKey.MatchString(key) && !named[key] &&
			!slices.ContainsFunc(beginnings, func(beginning string) bool { return strings.HasPrefix(key, beginning) }) {
			t.Errorf("the message %s is unused", key)
		}
	}
}

// TestQuotationMarks: a language has one kind of quotation marks, and code has none.
func TestQuotationMarks(t *testing.T) {
	t.Parallel()
	marks := regexp.MustCompile(`[„“”«»‘]`) // ’ is the apostrophe too
	for _, language := range Languages() {
		own := messagesOf(language, Formal)["owner.quoted"]
		for key, texts := range textsOf(language) {
			for _, text := range texts {
				for _, mark := range marks.FindAllString(text, -1) {
					if !strings.Contains(own, mark) {
						t.Errorf("%s in %s has %s: %q", key, language, mark, text)
					}
				}
			}
		}
	}
	for _, text := range codeTexts(t, "../owner") {
		if marks.MatchString(text) {
			t.Errorf("code has quotation marks: %q", text)
		}
	}
}

// words matches what a person reads: two words, or one that begins a text.
var words = regexp.MustCompile(`\p{L}{2,} \p{L}{2,}|^\s*\p{Lu}\p{Ll}+[.!?]?\s*$`)

// names matches what is the same in every language.
var names = regexp.MustCompile(`\b(HTTPS|FRONTDESK_[A-Z_]+|frontdesk admin-link|frontdesk)\b`)

// TestOwnerPagesHaveNoOtherTexts checks that the owner's pages show only messages.
func TestOwnerPagesHaveNoOtherTexts(t *testing.T) {
	t.Parallel()
	letter, tag := regexp.MustCompile(`\p{L}`), regexp.MustCompile(`<[^>]*>?|[a-z-]+="[^"]*"`)
	other := regexp.MustCompile(`^(GET|POST) |^(Authorization|Bearer.*|Picture )$`) // of routes, headers and diffs
	for _, text := range codeTexts(t, "../owner") {
		if plain := tag.ReplaceAllString(text, ""); words.MatchString(plain) && !other.MatchString(plain) {
			t.Errorf("code has a text that is no message: %q", text)
		}
	}
	for _, text := range templateTexts(t) {
		if words.MatchString(text) {
			t.Errorf("a template has a text that is no message: %q", text)
		}
	}
	for _, name := range templateFiles(t) {
		tokens := html.NewTokenizer(strings.NewReader(markup(parsed(t, name).Root)))
		for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
			token := tokens.Token()
			shown := []string{}
			if kind == html.TextToken {
				shown = append(shown, token.Data)
			}
			for _, attribute := range token.Attr {
				if slices.Contains([]string{"aria-label", "alt", "placeholder", "title"}, attribute.Key) {
					shown = append(shown, attribute.Val)
				}
			}
			for _, text := range shown {
				if letter.MatchString(names.ReplaceAllString(text, "")) {
					t.Errorf("%s has a text that is no message: %q", name, text)
				}
			}
		}
	}
}

// codeTexts are the strings of the Go files of some folders, those of logs and of errors for
// the log aside.
func codeTexts(t *testing.T, folders ...string) (texts []string) {
	t.Helper()
	for _, folder := range folders {
		files, err := filepath.Glob(folder + "/*.go")
		expect.OK(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			expect.OK(t, err)
			ast.Inspect(file, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.CallExpr:
					called, _ := node.Fun.(*ast.SelectorExpr)
					if called == nil {
						return true
					}
					of, _ := called.X.(*ast.Ident)
					return called.Sel.Name != "Msg" && (of == nil || !slices.Contains([]string{"errors.New", "fmt.Errorf", "regexp.MustCompile"}, of.Name+"."+called.Sel.Name))
				case *ast.KeyValueExpr:
					if key, ok := node.Key.(*ast.Ident); ok && key.Name == "list" {
						value, _ := node.Value.(*ast.BasicLit)
						texts = append(texts, `list: `+value.Value)
					}
				case *ast.BasicLit:
					if text, err := strconv.Unquote(node.Value); err == nil && node.Kind == token.STRING {
						texts = append(texts, text)
					}
				}
				return true
			})
		}
	}
	return texts
}

func templateFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../owner/templates/*.html")
	expect.OK(t, err)
	return files
}

// parsed is a template file as one tree, with those that it defines.
func parsed(t *testing.T, name string) *parse.Tree {
	t.Helper()
	text := string(expect.Value(os.ReadFile(name))(t))
	text = regexp.MustCompile(`\{\{define "[a-z-]+"\}\}`).ReplaceAllString(text, "{{if true}}")
	tree := parse.New(name)
	tree.Mode = parse.SkipFuncCheck
	return expect.Value(tree.Parse(text, "", "", map[string]*parse.Tree{}))(t)
}

// templateTexts are the strings in the actions of the templates.
func templateTexts(t *testing.T) (texts []string) {
	t.Helper()
	literal := regexp.MustCompile(`"(\\.|[^"\\])*"`)
	for _, name := range templateFiles(t) {
		eachNode(parsed(t, name).Root, func(node parse.Node) {
			if _, isText := node.(*parse.TextNode); isText {
				return
			}
			for _, quoted := range literal.FindAllString(head(node), -1) {
				texts = append(texts, expect.Value(strconv.Unquote(quoted))(t))
			}
		})
	}
	return texts
}

// markup is the HTML of a template, without its actions.
func markup(root parse.Node) string {
	var out strings.Builder
	eachNode(root, func(node parse.Node) {
		if text, ok := node.(*parse.TextNode); ok {
			out.Write(text.Text)
		}
	})
	return out.String()
}

// head is the source of an action, without what is inside of it.
func head(node parse.Node) string {
	switch node := node.(type) {
	case *parse.IfNode:
		return node.Pipe.String()
	case *parse.RangeNode:
		return node.Pipe.String()
	case *parse.WithNode:
		return node.Pipe.String()
	case *parse.ListNode:
		return ""
	}
	return node.String()
}

// eachNode calls do for a node and all nodes inside of it.
func eachNode(node parse.Node, do func(parse.Node)) {
	do(node)
	var inside []*parse.ListNode
	switch node := node.(type) {
	case *parse.ListNode:
		for _, child := range node.Nodes {
			eachNode(child, do)
		}
	case *parse.IfNode:
		inside = []*parse.ListNode{node.List, node.ElseList}
	case *parse.RangeNode:
		inside = []*parse.ListNode{node.List, node.ElseList}
	case *parse.WithNode:
		inside = []*parse.ListNode{node.List, node.ElseList}
	}
	for _, list := range inside {
		if list != nil {
			eachNode(list, do)
		}
	}
}
