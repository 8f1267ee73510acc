package i18n

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"frontdesk/internal/expect"
)

// ownerKey matches the key of a message for the owner, or the beginning of some.
var ownerKey = regexp.MustCompile(`^(owner|notify)\.[a-z_.-]+$`)

// faultCode matches the code of a fault, which ends the key of its message.
var faultCode = regexp.MustCompile(`^(content|reason|warning)\.[a-z.]+$`)

func TestOwnerMessagesAreUsed(t *testing.T) {
	t.Parallel()
	english, named := messagesOf(source, Formal), map[string]bool{}
	var beginnings []string
	texts := slices.Concat(codeTexts(t, "../owner", "../app", "../admin", "../live", "../notify", "../outbox", "../certificates", "../span"), templateTexts(t))
	for _, text := range codeTexts(t, "../../content", "../../faq", "../owner") {
		if faultCode.MatchString(text) {
			texts = append(texts, "owner."+text)
		}
	}
	for _, text := range texts {
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

// Italian and Polish address the owner informally, the other languages formally.
func TestOwnerIsAddressedInOneWay(t *testing.T) {
	t.Parallel()
	for language, foreign := range map[string]string{
		"it": `\b(Su[aoi]|Lei|Apra|Torni|Riprovi|Scelga|Separi|Liberi|controlli|sua attività)\b`,
		"pl": `\b[Pp]ros(zę|imy)|Państw|jesteście|mówicie|robicie|działacie|do was\b`,
	} {
		other := regexp.MustCompile(foreign)
		for key, texts := range textsOf(language) {
			if ownerKey.MatchString(key) && !strings.HasPrefix(key, "owner.site.business.tone") && other.MatchString(texts[""]) {
				t.Errorf("%s in %s: %q", key, language, texts[""])
			}
		}
	}
}

// words matches what a person reads: two words, or one that begins a text.
var words = regexp.MustCompile(`\p{L}{2,} \p{L}{2,}|^\s*\p{Lu}\p{Ll}+[.!?]?\s*$`)

// names matches what is the same in every language.
var names = regexp.MustCompile(`\b(HTTPS|FRONTDESK_[A-Z_]+|frontdesk admin-link|frontdesk)\b`)

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
		markup := action.ReplaceAllString(expect.File(t, name), "")
		tokens := html.NewTokenizer(strings.NewReader(markup))
		for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
			token := tokens.Token()
			var shown []string
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

// codeTexts are the strings of Go files, but for those of logs and of errors for the log.
func codeTexts(t *testing.T, folders ...string) (texts []string) {
	t.Helper()
	for _, folder := range folders {
		for _, name := range expect.Value(filepath.Glob(folder + "/*.go"))(t) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file := expect.Value(parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution))(t)
			var visit func(ast.Node) bool
			visit = func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.CallExpr:
					called, _ := node.Fun.(*ast.SelectorExpr)
					if called == nil {
						return true
					}
					of, _ := called.X.(*ast.Ident)
					return called.Sel.Name != "Msg" && (of == nil || !slices.Contains([]string{"errors.New", "fmt.Errorf", "regexp.MustCompile"}, of.Name+"."+called.Sel.Name))
				case *ast.KeyValueExpr:
					if _, isName := node.Key.(*ast.BasicLit); isName { // what a template calls a value, or a route
						ast.Inspect(node.Value, visit)
						return false
					}
				case *ast.IndexExpr: // likewise
					ast.Inspect(node.X, visit)
					return false
				case *ast.BasicLit:
					if text, err := strconv.Unquote(node.Value); err == nil && node.Kind == token.STRING {
						texts = append(texts, text)
					}
				}
				return true
			}
			ast.Inspect(file, visit)
		}
	}
	return texts
}

func templateFiles(t *testing.T) []string {
	t.Helper()
	return expect.Value(filepath.Glob("../owner/templates/*.html"))(t)
}

var (
	action  = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	literal = regexp.MustCompile(`"(\\.|[^"\\])*"`)
)

func templateTexts(t *testing.T) (texts []string) {
	t.Helper()
	for _, name := range templateFiles(t) {
		for _, found := range action.FindAllString(expect.File(t, name), -1) {
			for _, quoted := range literal.FindAllString(found, -1) {
				texts = append(texts, expect.Value(strconv.Unquote(quoted))(t))
			}
		}
	}
	return texts
}
