package checks

import (
	"net/http"
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

const (
	saysJSON  = "The body is one JSON object; anything else is 400."
	saysNames = "Unknown fields are ignored; keys match exactly; a key given twice, or differing from a known one by " +
		"case, is 400."
	saysForm = "A form is validated like JSON."
)

// valid marks a row that is a valid dry run. Any other row names the field that the refusal
// names, if any.
const valid = "valid"

// named is a body or a part of one, with the name of its check.
type named struct{ name, text string }

// row adds a check of a malformed or unusual pilot request, which is meant as a dry run.
func (l *list) row(section, name, sentence, body, want string, header ...string) *conform.Check {
	r := conform.Request{Method: http.MethodPost, Path: contract.PathContact, Header: header, Body: body}
	if !r.Has("Content-Type") {
		r.Header = append([]string{conform.TypeJSON}, header...)
	}
	if want == valid {
		return l.one(section, name, sentence, r, preview, omits("eve@")) // eve is named only in ignored fields
	}
	return l.one(section, name, sentence, r, refused(strings.Fields(want)...))
}

// bodies adds checks of bodies. A broken service might lose their dry_run.
func bodies(l *list) {
	dry := dryJSON("")
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	json := func(section, name, sentence, body, want string) {
		l.row(section, "json-"+name, sentence, body, want).MaySend = true
	}
	for _, bad := range []named{
		{"empty", ""}, {"white-space", " \n "}, {"null", "null"}, {"array", "[" + dry + "]"}, {"string", `"x"`},
		{"number", "12"}, {"true", "true"},
		{"truncated", dry[:len(dry)-1]}, {"truncated-in-a-string", dry[:12]}, {"trailing-comma", dryJSON(",")},
		{"two-documents", dry + `{` + validFields + `,"dry_run":false}`}, {"trailing-word", dry + " x"},
		{"trailing-brace", dry + "}"},
		{"comment", "// c\n" + dry}, {"single-quotes", strings.ReplaceAll(dry, `"`, `'`)},
		{"bare-key", strings.Replace(dry, `"name"`, `name`, 1)},
		{"raw-newline", dryWith("message", "\"a\nb\"")}, {"raw-nul", dryWith("message", "\"a\x00b\"")},
		{"nan", dryJSON(`,"x":NaN`)}, {"hexadecimal", dryJSON(`,"x":0x10`)}, {"leading-zero", dryJSON(`,"x":01`)},
		{"bad-escape", dryWith("message", `"\x41"`)}, {"utf-16", "\xff\xfe{\x00}\x00"},
	} {
		json("4.contact", bad.name, saysJSON, bad.text, "")
	}
	json("4.contact", "surrounding-white-space", "White space around the object is legal JSON.", " \r\n\t"+dry+"\r\n ",
		valid)
	json("4.contact", "escaped-keys", "A key may be written with escapes.",
		strings.Replace(dry, `"name"`, `"n\u0061me"`, 1), valid)
	json("4.contact", "surrogate-pair", "A surrogate pair is one character.", dryWith("name", `"Ada\ud83d\ude00"`), valid)
	json("D.rules", "byte-order-mark", saysJSON, "\xef\xbb\xbf"+dry, "")
	json("D.rules", "invalid-utf-8", "Invalid UTF-8 is 400 naming the field.", dryWith("name", "\"a\xffb\""), "name")
	json("D.rules", "overlong-utf-8", "Invalid UTF-8 is 400 naming the field.", dryWith("name", "\"a\xc0\xafb\""), "name")
	json("D.rules", "lone-surrogate", "A lone surrogate is 400 naming the field.", dryWith("name", `"a\ud800"`), "name")
	json("D.rules", "lone-low-surrogate", "A lone surrogate is 400 naming the field.", dryWith("message", `"\udc00 a"`),
		"message")
	json("D.rules", "unknown-field", saysNames, dryJSON(`,"utm":"x","bcc":"eve@conform.example","n":{"a":[1,null]}`),
		valid)
	json("D.rules", "prototype", saysNames, dryJSON(`,"__proto__":{"dry_run":false},"constructor":{}`), valid)
	json("D.rules", "many-unknown-fields", saysNames, dryJSON(","+strings.ReplaceAll(repeatList(`"k%d":0`, 300), " ", "")),
		valid)
	json("D.rules", "key-twice", saysNames, dryJSON(`,"name":"Eve"`), "name")
	json("D.rules", "key-in-capitals", saysNames, dryJSON(`,"EMAIL":"eve@conform.example"`), "email")
	json("D.rules", "key-with-kelvin-sign", saysNames, dryJSON(`,"`+"\u212a"+`":1`), valid)
	json("D.rules", "deep-in-an-unknown-field", "A body that is nested too deep is refused quickly with 400.",
		dryJSON(`,"x":`+deep(3500)), "")
	json("2", "deep-in-a-field", "A field that is an array is 400, however deep.", dryWith("name", deep(900)), "")

	const saysBoolean = "dry_run is a boolean: anything else is 400 and never a send."
	flag := func(section, name, sentence, body string) {
		l.row(section, "dry-run-"+name, sentence, body, "dry_run").MaySend = true
	}
	for _, other := range []struct{ name, value string }{
		{"string-true", `"true"`}, {"string-false", `"false"`}, {"zero", "0"}, {"one", "1"}, {"yes", `"yes"`},
		{"empty", `""`}, {"object", "{}"}, {"array", "[true]"}, {"null", "null"},
	} {
		flag("2", other.name, saysBoolean, dryWith("dry_run", other.value))
	}
	flag("D.rules", "twice", "dry_run must never be lost: given twice it is 400.", dryJSON(`,"dry_run":false`))
	flag("D.rules", "twice-equal", "A key given twice is 400, equal or not.", dryJSON(`,"dry_run":true`))
	flag("D.rules", "in-capitals", "A key that differs only by case is 400: dry_run must never be lost.",
		`{`+validFields+`,"Dry_Run":true}`)
	flag("D.rules", "escaped-twice", "Escapes do not hide that a key is given twice.", dryJSON(`,"dry_\u0072un":false`))

	dryForm := validForm + "&dry_run=true"
	form := func(section, name, sentence, body, want string) {
		l.row(section, "form-"+name, sentence, body, want, conform.TypeForm).MaySend = true
	}
	for _, other := range []struct{ name, value string }{{"one", "1"}, {"capital", "True"}, {"yes", "yes"}, {"on", "on"},
		{"empty", ""}} {
		form("D.rules", "dry-run-"+other.name, "dry_run in a form is true or false; anything else is 400 and never a send.",
			validForm+"&dry_run="+other.value, "dry_run")
	}
	form("4.contact", "missing-name", saysForm, strings.Replace(dryForm, "name=Ada+Lovelace&", "", 1), "name")
	form("4.contact", "bad-address", saysForm, strings.Replace(dryForm, "%40", "", 1), "email")
	form("4.contact", "empty", saysForm, "", "")
	form("4.contact", "semicolons", "Semicolons do not separate fields.", strings.ReplaceAll(dryForm, "&", ";"), "")
	form("4.contact", "brackets", "name[] is another field than name.", strings.Replace(dryForm, "name=", "name[]=", 1),
		"name")
	form("4.contact", "international", "A form is percent-encoded UTF-8.",
		strings.Replace(dryForm, "Ada+Lovelace", "Zo%C3%AB+%E6%9D%8E", 1), valid)
	l.row("4.contact", "form-with-charset", "A media type may have parameters.", dryForm, valid,
		conform.TypeForm+"; charset=UTF-8").MaySend = true
	form("D.rules", "bad-escape", "A form that cannot be read is 400.", dryForm+"&x=%zz", "")
	form("D.rules", "half-an-escape", "A form that cannot be read is 400.", dryForm+"&x=%4", "")
	form("D.rules", "key-twice", saysNames, dryForm+"&name=Eve", "name")
	form("D.rules", "dry-run-twice", saysNames, dryForm+"&dry_run=false", "dry_run")
	form("D.rules", "key-in-capitals", saysNames, validForm+"&DRY_RUN=true", "dry_run")
	form("D.rules", "unknown-field", saysNames, dryForm+"&utm=x", valid)
	form("D.rules", "invalid-utf-8", "Invalid UTF-8 is 400 naming the field.", strings.Replace(dryForm, "Ada", "%FF", 1),
		"name")

	const sentence = "Contact is read by its Content-Type; another type, or several, is 400 with a hint that names the " +
		"two that work."
	typed := func(section, name, sentence, body, want string, header ...string) {
		l.row(section, "type-"+name, sentence, body, want, header...).MaySend = true
	}
	typed("4.contact", "in-capitals", "Media types are compared without case.", dry, valid,
		"Content-Type: APPLICATION/Json")
	typed("D.rules", "with-charset", "A parameter of the JSON type is ignored.", dry, valid,
		conform.TypeJSON+"; charset=utf-8")
	typed("D.rules", "form-with-json", "A body of the form type that starts with { is JSON: curl's default.", dry, valid,
		conform.TypeForm)
	typed("D.rules", "text", sentence, dry, "", "Content-Type: text/plain")
	typed("D.rules", "xml", sentence, "<x/>", "", "Content-Type: application/xml")
	typed("D.rules", "multipart", sentence, "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nAda\r\n--b--\r\n",
		"", "Content-Type: multipart/form-data; boundary=b")
	typed("D.rules", "problem", sentence, dry, "", "Content-Type: application/problem+json")
	typed("D.rules", "malformed", sentence, dry, "", "Content-Type: ;;;")
	typed("D.rules", "two", sentence, dry, "", conform.TypeJSON, conform.TypeForm)
	typed("D.rules", "gzip", "Bodies with a Content-Encoding are 400.", dry, "", "Content-Encoding: gzip")
	typed("D.rules", "unknown-coding", "Bodies with a Content-Encoding are 400.", dry, "", "Content-Encoding: br, gzip")
	typed("D.rules", "identity", "The Content-Encoding identity is accepted.", dry, valid, "Content-Encoding: identity")
}

func addresses(l *list) {
	const sentence = "An address is the whole value: one plain ASCII address of at most 254 bytes."
	at254 := "a@" + strings.Repeat(strings.Repeat("b", 63)+".", 3) + strings.Repeat("c", 254-2-3*64-8) + ".example"
	for _, bad := range []struct{ section, name, address string }{
		{"2", "no-at", "ada"}, {"2", "no-domain", "ada@"}, {"2", "no-local-part", "@conform.example"},
		{"2", "two-ats", "ada@@conform.example"},
		{"2", "two-dots", "ada..x@conform.example"}, {"2", "leading-dot", ".ada@conform.example"},
		{"2", "trailing-dot", "ada.@conform.example"},
		{"2", "space-inside", "a da@conform.example"}, {"2", "space-in-domain", "ada@conform .example"},
		{"2", "mailto", "mailto:ada@conform.example"},
		{"2", "display-name", "Ada <ada@conform.example>"}, {"2", "angle-brackets", "<ada@conform.example>"},
		{"2", "comment", "ada@conform.example (Ada)"},
		{"2", "two-addresses", "ada@conform.example, eve@conform.example"},
		{"2", "semicolon", "ada@conform.example;eve@conform.example"},
		{"2", "line-feed", "ada@conform.example\nBcc: eve@conform.example"},
		{"2", "carriage-return", "ada@conform.example\rBcc: eve@conform.example"},
		{"2", "header-and-body", "ada@conform.example\r\n\r\n<html>"}, {"2", "line-feed-first", "x\n@conform.example"},
		{"2", "nul", "ada@conform.example\x00"},
		{"2", "line-separator", "ada@conform.example\u2028Bcc: eve@conform.example"},
		{"D.rules", "quoted", `"a b"@conform.example`}, {"D.rules", "literal", "ada@[127.0.0.1]"},
		{"D.rules", "final-dot", "ada@conform.example."},
		{"D.rules", "wide-local-part", "ädä@conform.example"}, {"D.rules", "wide-domain", "ada@bücher.example"},
		{"D.rules", "zero-width", "ada@conform.example\u200b"},
		{"D.rules", "at-255", "a" + at254}, {"D.rules", "no-dot", "ada@localhost"},
		{"D.rules", "encoded-word", "=?utf-8?q?ada?=@conform.example,"},
	} {
		l.row(bad.section, "address-"+bad.name, sentence, dryWith("email", conform.EncodeJSON(bad.address)), "email")
	}
	for _, good := range []struct{ section, name, address string }{
		{"2", "plain", "ada@conform.example"}, {"2", "tag", "ada.l+tag@mail.conform.example"},
		{"2", "apostrophe", "o'brien@conform.example"},
		{"2", "a-labels", "ada@xn--fsqu00a.xn--0zwm56d"}, {"D.rules", "at-254", at254},
		{"D.rules", "trimmed", "  ada@conform.example \n"},
	} {
		l.row(good.section, "address-ok-"+good.name, sentence, dryWith("email", conform.EncodeJSON(good.address)), valid)
	}
}

// characters adds checks of control and format characters.
func characters(l *list) {
	const sentence = "Control characters are 400, except tab and line breaks in message; format characters are accepted " +
		"in message, elsewhere only the joiners."
	add := func(field, name, text, want string) {
		l.row("D.rules", "character-"+field+"-"+name, sentence, dryWith(field, conform.EncodeJSON(text)), want)
	}
	for _, field := range []string{"name", "business", "phone", "segment"} {
		for _, bad := range []struct{ name, text string }{
			{"line-feed", "a\nBcc: eve@conform.example"}, {"carriage-return", "a\rb"}, {"nul", "a\x00b"},
			{"escape", "a\x1b[31mb"}, {"delete", "a\x7fb"}, {"c1", "a\u0085b"},
			{"bidi-override", "a\u202eb"}, {"isolate", "a\u2066b"}, {"line-separator", "a\u2028b"},
			{"byte-order-mark", "a\ufeffb"}, {"tag", "a\U000e0041b"},
		} {
			add(field, bad.name, bad.text, field)
		}
		add(field, "joiner", "می\u200cخواهم 👩\u200d💻", valid)
	}
	for _, bad := range []struct{ name, text string }{{"nul", "a\x00b"}, {"escape", "a\x1bb"}, {"bell", "a\ab"},
		{"delete", "a\x7fb"}, {"c1", "a\u009bb"}} {
		add("message", bad.name, bad.text, "message")
	}
	add("message", "lines", "one\r\ntwo\nthree\rfour\tfive", valid)
	add("message", "bidi", "שלום \u202eabc\u202c", valid)
}

// texts adds checks of messages that try to break out of a mail.
func texts(l *list) {
	for _, row := range []struct{ name, field, text string }{
		{"dot-line", "message", "Hi\r\n.\r\nMAIL FROM:<eve@conform.example>"}, {"dot-first", "message", ".\n..\n"},
		{"quit", "message", "Hi\n.\nQUIT\n"},
		{"boundary", "message", "--frontier\r\nContent-Type: text/html\r\n\r\n<b>x</b>"},
		{"header", "message", "Bcc: eve@conform.example\n\nx"},
		{"from-line", "message", "From eve\nFrom: eve@conform.example"}, {"encoded-word", "business", "=?utf-8?q?x?="},
		{"quoted-name", "name", `"Support" <support@conform.example>,`},
		{"markup", "message", "<script>alert(1)</script>"}, {"template", "message", "{{.Secret}} ${x} %s"},
		{"sql", "name", "Robert'); DROP TABLE inquiries;--"}, {"international", "name", "Zoë 李 Ωμέγα"},
	} {
		l.one("2", "text-"+row.name, "A string is only text: the preview shows it unchanged.",
			contact(dryWith(row.field, conform.EncodeJSON(row.text))), func(a *conform.Answer) {
				want := strings.TrimSpace(strings.ReplaceAll(row.text, "\r\n", "\n"))
				previewOf(row.field, want)(a)
				if subject := a.Text("would_send.subject"); strings.ContainsAny(subject, "\r\n") ||
					!strings.Contains(a.Text("would_send.text"), want) {
					a.Fail("a subject of one line, and a text that holds %q", want)
				}
			})
	}
}

func questionBodies(l *list) {
	for _, row := range []struct{ section, name, body string }{
		{"4.ask", "empty", ""}, {"4.ask", "null", "null"}, {"4.ask", "array", `["x"]`}, {"4.ask", "string", `"x"`},
		{"4.ask", "truncated", `{"q":"x"`}, {"4.ask", "two-documents", `{"q":"x"}{"q":"y"}`},
		{"4.ask", "deep", `{"q":` + strings.Repeat("[", 900) + strings.Repeat("]", 900) + `}`},
		{"4.ask", "form", "q=What+does+it+cost"}, {"4.ask", "trailing", `{"q":"x"} x`},
		{"D.rules", "twice", `{"q":"x","q":"y"}`}, {"D.rules", "in-capitals", `{"Q":"x"}`},
		{"D.rules", "invalid-utf-8", "{\"q\":\"a\xff\"}"}, {"D.rules", "lone-surrogate", `{"q":"a\ud800"}`},
		{"D.rules", "nul", `{"q":"a\u0000b"}`}, {"D.rules", "escape", `{"q":"a\u001b[31m"}`},
		{"D.rules", "byte-order-mark", "\xef\xbb\xbf{\"q\":\"x\"}"},
	} {
		l.one(row.section, "ask-body-"+row.name,
			"A question is one JSON object whose q is readable text; anything else is 400.",
			conform.PostJSON(contract.PathAsk, row.body), refused())
	}
	for _, row := range []struct{ name, body string }{
		{"markup", questionJSON(`<img src=x onerror=alert(1)>`)}, {"sql", questionJSON(`' OR 1=1 --`)},
		{"format", questionJSON("a\u202eb\u200f")}, {"emoji", questionJSON("👩\u200d💻?")},
		{"one-letter", questionJSON("a")}, {"unknown-field", `{"q":"x","entry_id":"cost"}`},
		{"only-signs", questionJSON("?!…")}, {"long-word", questionJSON(strings.Repeat("w", 300))},
	} {
		l.one("4.ask", "ask-text-"+row.name, "Any text is a question: it is answered with approved text.",
			conform.PostJSON(contract.PathAsk, row.body), isOK, approved, omits("onerror"))
	}
	l.several("D.rules", "query-fields-are-refused",
		"A query parameter with the name of a field is 400: a form is only the body.",
		send(conform.PostForm(contract.PathContact+"?dry_run=true", validForm), refused("dry_run")),
		send(conform.PostForm(contract.PathContact+"?"+validForm, ""), refused()),
		send(conform.PostForm(contract.PathContact+"?utm=x", validForm+"&dry_run=true"), preview)).MaySend = true
}

// sizes adds checks of bodies far over their cap, which are refused before they are read.
func sizes(l *list) {
	million := contact(`{"message":"` + strings.Repeat("a", 1<<20) + `"}`)
	l.one("8.3", "size-of-a-megabyte", "A body far over the cap is 413 too.", million, tooLarge)
	l.one("8.3", "size-chunked-megabyte", "A body far over the cap is 413 too, without a Content-Length.",
		chunked(million), tooLarge)
	l.one("D.rules", "size-of-a-get", "A body on a GET request does no harm.",
		conform.Request{Method: http.MethodGet, Path: contract.PathHealth, Body: strings.Repeat("a", 100<<10)},
		statusIs(200, 400, 413))
	l.run("8.3", "size-is-told-before-it-is-sent", "A Content-Length over the cap is refused before the body is sent.",
		func(p *conform.Probe) {
			statusIs(413)(p.First(p.SendRaw("POST /v1/contact HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: " +
				"application/json\r\nContent-Length: 9000000\r\nExpect: 100-continue\r\n\r\n")))
		}).LoopbackOnly = true
	l.several("D.rules", "headers-past-32-kib", "431 past 32 KiB of headers.",
		send(conform.Get(contract.PathHealth, "X-Fill: "+strings.Repeat("a", 27<<10)), isOK),
		send(conform.Get(contract.PathHealth, "X-Fill: "+strings.Repeat("a", 40<<10)), statusIs(431))).LoopbackOnly = true
}

// The beginning of requests, and the end of the last one on its connection.
const (
	getLines  = "GET /v1/health HTTP/1.1\r\nHost: {host}\r\n"
	postLines = "POST /v1/nope HTTP/1.1\r\nHost: {host}\r\n"
	closing   = "Connection: close\r\n\r\n"
)

// wire adds checks of how the server reads malformed HTTP (RFC 9110, RFC 9112). None of it
// may be read as a second request.
func wire(l *list) {
	const body = `{"q":"x"}`
	l.run("D.wire", "wire-pipelined", "Two pipelined requests get two answers (RFC 9112 9.3).", func(p *conform.Probe) {
		answers := p.SendRaw(getLines + "\r\n" + getLines + closing)
		if isOK(p.First(answers)); len(answers) != 2 {
			answers[0].Fail("two answers, not %d", len(answers))
		}
	}).LoopbackOnly = true
	l.run("D.wire", "wire-lengths-of-two-kinds",
		"After a refused message with two kinds of length, the bytes that follow are not answered as a request (RFC 9112 "+
			"6.1).", func(p *conform.Probe) {
			answers := p.SendRaw(postLines + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + getLines +
				closing)
			if statusIs(400, 404)(p.First(answers)); len(answers) > 1 && answers[1].Status == 200 && answers[0].Status == 400 {
				answers[1].Fail("no answer to what came after a refused request")
			}
		}).LoopbackOnly = true
	for _, row := range []struct {
		name, sentence, bytes string
		allowed               []int // statuses; 0 is a connection that is closed without an answer
	}{
		{"two-lengths", "Two differing Content-Length are 400 (RFC 9112 6.3).",
			postLines + "Content-Length: 9\r\nContent-Length: 3\r\n\r\n" + body, []int{400}},
		{"negative-length", "A negative Content-Length is 400.", postLines + "Content-Length: -1\r\n\r\n", []int{400}},
		{"plus-length", "A signed Content-Length is 400.", postLines + "Content-Length: +9\r\n\r\n" + body, []int{400}},
		{"worded-length", "A Content-Length that is no number is 400.", postLines + "Content-Length: nine\r\n\r\n" + body,
			[]int{400}},
		{"unknown-coding", "An unknown transfer coding is refused (RFC 9112 6.1).",
			postLines + "Transfer-Encoding: zip\r\n\r\n", []int{400, 501}},
		{"bad-chunk", "A malformed chunk is refused.",
			"POST /v1/contact HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: " +
				"chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", []int{400, 0}},
		{"no-host", "HTTP/1.1 without Host is 400 (RFC 9112 3.2).", "GET /v1/health HTTP/1.1\r\n" + closing, []int{400}},
		{"two-hosts", "Two Host fields are 400.", getLines + "Host: evil.example\r\n\r\n", []int{400}},
		{"bad-host", "A malformed Host is 400.", "GET /v1/health HTTP/1.1\r\nHost: a b/c\r\n\r\n", []int{400}},
		{"nul-in-a-header", "A NUL in a field is refused (RFC 9110 5.5).", getLines + "X-A: a\x00b\r\n\r\n", []int{400}},
		{"space-before-colon", "White space before a colon is refused (RFC 9112 5.1).", getLines + "X-A : b\r\n\r\n",
			[]int{400}},
		{"folded-header", "A folded line is refused or read as one (RFC 9112 5.2).", getLines + "X-A: a\r\n b\r\n" + closing,
			[]int{200, 400}},
		{"http-3-words", "An unknown version is refused.", "GET /v1/health HTTP/9.9\r\nHost: {host}\r\n\r\n",
			[]int{400, 505}},
		{"http-0.9", "HTTP/0.9 is refused.", "GET /v1/health\r\n\r\n", []int{400, 0}},
		{"lower-method", "Methods are case-sensitive.", "get /v1/health HTTP/1.1\r\nHost: {host}\r\n" + closing,
			[]int{400, 405}},
		{"bad-escape", "A bad escape in the path is refused.", "GET /v1/health%zz HTTP/1.1\r\nHost: {host}\r\n" + closing,
			[]int{400, 404}},
		{"space-in-path", "A space in the path is refused.", "GET /v1/he alth HTTP/1.1\r\nHost: {host}\r\n" + closing,
			[]int{400, 404}},
		{"line-in-path", "A bare line feed does not end a field.", "GET /v1/health\nX: y HTTP/1.1\r\nHost: {host}\r\n\r\n",
			[]int{400, 0}},
		{"absolute-form", "The absolute form names the same resource (RFC 9112 3.2.2).",
			"GET http://{host}/v1/health HTTP/1.1\r\nHost: {host}\r\n" + closing, []int{200}},
		{"options-star", "OPTIONS * does no harm.", "OPTIONS * HTTP/1.1\r\nHost: {host}\r\n" + closing,
			[]int{200, 204, 400, 403, 404, 405}},
		{"connect", "The service is not a proxy.", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n" +
			closing, []int{400, 404, 405}},
		{"tls-hello", "Bytes that are not HTTP do no harm.", "\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00\r\n\r\n",
			[]int{400, 0}},
		{"http-2-preface", "The preface of HTTP/2 does no harm.", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
			[]int{400, 404, 405, 505, 0}},
		{"many-headers", "A thousand fields are answered or refused, not a fault.", getLines + "Connection: close\r\n" +
			strings.Repeat("X-A: b\r\n", 1000) + "\r\n", []int{200, 400, 431}},
	} {
		l.run("D.wire", "wire-"+row.name, row.sentence, func(p *conform.Probe) {
			answers := p.SendRaw(row.bytes)
			if len(answers) == 0 && slices.Contains(row.allowed, 0) {
				return
			}
			if statusIs(row.allowed...)(p.First(answers)); len(answers) > 1 {
				answers[1].Fail("one answer, not %d", len(answers))
			}
		}).LoopbackOnly = true
	}
}
