package checks

import (
	"net/http"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

func typeRows() []row {
	dry := dryJSON("")
	const sentence = "Contact is read by its Content-Type; another type, or several, is 400 with a hint that names the two that work."
	return []row{
		{"4.contact", "in-capitals", "Media types are compared without case.", []string{"Content-Type: APPLICATION/Json"}, dry, true, ""},
		{"D.rules", "with-charset", "A parameter of the JSON type is ignored.", []string{conform.TypeJSON + "; charset=utf-8"}, dry, true, ""},
		{"D.rules", "form-with-json", "A body of the form type that starts with { is JSON: curl's default.", []string{conform.TypeForm}, dry, true, ""},
		{"D.rules", "text", sentence, []string{"Content-Type: text/plain"}, dry, false, ""},
		{"D.rules", "xml", sentence, []string{"Content-Type: application/xml"}, "<x/>", false, ""},
		{"D.rules", "multipart", sentence, []string{"Content-Type: multipart/form-data; boundary=b"}, "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nAda\r\n--b--\r\n", false, ""},
		{"D.rules", "problem", sentence, []string{"Content-Type: application/problem+json"}, dry, false, ""},
		{"D.rules", "malformed", sentence, []string{"Content-Type: ;;;"}, dry, false, ""},
		{"D.rules", "two", sentence, []string{conform.TypeJSON, conform.TypeForm}, dry, false, ""},
		{"D.rules", "gzip", "Bodies with a Content-Encoding are 400.", []string{"Content-Encoding: gzip"}, dry, false, ""},
		{"D.rules", "unknown-coding", "Bodies with a Content-Encoding are 400.", []string{"Content-Encoding: br, gzip"}, dry, false, ""},
		{"D.rules", "identity", "The Content-Encoding identity is accepted.", []string{"Content-Encoding: identity"}, dry, true, ""},
	}
}

func addressRows() []row {
	const sentence = "An address is the whole value: one plain ASCII address of at most 254 bytes."
	label := strings.Repeat("b", 63)
	at254 := "a@" + strings.Repeat(label+".", 3) + strings.Repeat("c", 254-2-3*64-8) + ".example"
	var rows []row
	for _, bad := range []struct{ section, name, address string }{
		{"2", "no-at", "ada"}, {"2", "no-domain", "ada@"}, {"2", "no-local-part", "@conform.example"}, {"2", "two-ats", "ada@@conform.example"},
		{"2", "two-dots", "ada..x@conform.example"}, {"2", "leading-dot", ".ada@conform.example"}, {"2", "trailing-dot", "ada.@conform.example"},
		{"2", "space-inside", "a da@conform.example"}, {"2", "space-in-domain", "ada@conform .example"}, {"2", "mailto", "mailto:ada@conform.example"},
		{"2", "display-name", "Ada <ada@conform.example>"}, {"2", "angle-brackets", "<ada@conform.example>"}, {"2", "comment", "ada@conform.example (Ada)"},
		{"2", "two-addresses", "ada@conform.example, eve@conform.example"}, {"2", "semicolon", "ada@conform.example;eve@conform.example"},
		{"2", "line-feed", "ada@conform.example\nBcc: eve@conform.example"}, {"2", "carriage-return", "ada@conform.example\rBcc: eve@conform.example"},
		{"2", "header-and-body", "ada@conform.example\r\n\r\n<html>"}, {"2", "line-feed-first", "x\n@conform.example"}, {"2", "nul", "ada@conform.example\x00"},
		{"2", "line-separator", "ada@conform.example\u2028Bcc: eve@conform.example"},
		{"D.rules", "quoted", `"a b"@conform.example`}, {"D.rules", "literal", "ada@[127.0.0.1]"}, {"D.rules", "final-dot", "ada@conform.example."},
		{"D.rules", "wide-local-part", "ädä@conform.example"}, {"D.rules", "wide-domain", "ada@bücher.example"}, {"D.rules", "zero-width", "ada@conform.example\u200b"},
		{"D.rules", "at-255", "a" + at254}, {"D.rules", "no-dot", "ada@localhost"}, {"D.rules", "encoded-word", "=?utf-8?q?ada?=@conform.example,"},
	} {
		rows = append(rows, row{bad.section, bad.name, sentence, nil, dryWith("email", conform.EncodeJSON(bad.address)), false, "email"})
	}
	for _, good := range []struct{ section, name, address string }{
		{"2", "plain", "ada@conform.example"}, {"2", "tag", "ada.l+tag@mail.conform.example"}, {"2", "apostrophe", "o'brien@conform.example"},
		{"2", "a-labels", "ada@xn--fsqu00a.xn--0zwm56d"}, {"D.rules", "at-254", at254}, {"D.rules", "trimmed", "  ada@conform.example \n"},
	} {
		rows = append(rows, row{good.section, "ok-" + good.name, sentence, nil, dryWith("email", conform.EncodeJSON(good.address)), true, ""})
	}
	return rows
}

func characterRows() []row {
	const sentence = "Control characters are 400, except tab and line breaks in message; format characters are accepted in message, elsewhere only the joiners."
	var rows []row
	for _, field := range []string{"name", "business", "phone", "segment"} {
		for _, bad := range []struct{ name, text string }{
			{"line-feed", "a\nBcc: eve@conform.example"}, {"carriage-return", "a\rb"}, {"nul", "a\x00b"}, {"escape", "a\x1b[31mb"}, {"delete", "a\x7fb"}, {"c1", "a\u0085b"},
			{"bidi-override", "a\u202eb"}, {"isolate", "a\u2066b"}, {"line-separator", "a\u2028b"}, {"byte-order-mark", "a\ufeffb"}, {"tag", "a\U000e0041b"},
		} {
			body := dryWith(field, conform.EncodeJSON(bad.text))
			rows = append(rows, row{"D.rules", field + "-" + bad.name, sentence, nil, body, false, field})
		}
		rows = append(rows, row{"D.rules", field + "-joiner", sentence, nil, dryWith(field, conform.EncodeJSON("می\u200cخواهم 👩\u200d💻")), true, ""})
	}
	for _, bad := range []struct{ name, text string }{{"nul", "a\x00b"}, {"escape", "a\x1bb"}, {"bell", "a\ab"}, {"delete", "a\x7fb"}, {"c1", "a\u009bb"}} {
		rows = append(rows, row{"D.rules", "message-" + bad.name, sentence, nil, dryWith("message", conform.EncodeJSON(bad.text)), false, "message"})
	}
	return append(rows,
		row{"D.rules", "message-lines", sentence, nil, dryWith("message", conform.EncodeJSON("one\r\ntwo\nthree\rfour\tfive")), true, ""},
		row{"D.rules", "message-bidi", sentence, nil, dryWith("message", conform.EncodeJSON("שלום \u202eabc\u202c")), true, ""},
	)
}

// texts checks messages that try to break out of a mail.
func texts() []conform.Check {
	var checks []conform.Check
	for _, row := range []struct{ name, field, text string }{
		{"dot-line", "message", "Hi\r\n.\r\nMAIL FROM:<eve@conform.example>"}, {"dot-first", "message", ".\n..\n"}, {"quit", "message", "Hi\n.\nQUIT\n"},
		{"boundary", "message", "--frontier\r\nContent-Type: text/html\r\n\r\n<b>x</b>"}, {"header", "message", "Bcc: eve@conform.example\n\nx"},
		{"from-line", "message", "From eve\nFrom: eve@conform.example"}, {"encoded-word", "business", "=?utf-8?q?x?="}, {"quoted-name", "name", `"Support" <support@conform.example>,`},
		{"markup", "message", "<script>alert(1)</script>"}, {"template", "message", "{{.Secret}} ${x} %s"}, {"sql", "name", "Robert'); DROP TABLE inquiries;--"}, {"international", "name", "Zoë 李 Ωμέγα"},
	} {
		checks = append(checks, one("2", "text-"+row.name, "A string is only text: the preview shows it unchanged.",
			conform.PostJSON(contract.PathContact, dryWith(row.field, conform.EncodeJSON(row.text))), func(a *conform.Answer) {
				want := strings.TrimSpace(strings.ReplaceAll(row.text, "\r\n", "\n"))
				previewOf(row.field, want)(a)
				if subject := a.Text("would_send.subject"); strings.ContainsAny(subject, "\r\n") || !strings.Contains(a.Text("would_send.text"), want) {
					a.Fail("a subject of one line, and a text that holds %q", want)
				}
			}))
	}
	return checks
}

// questionTexts checks bodies of questions.
func questionTexts() []conform.Check {
	var checks []conform.Check
	for _, row := range []struct{ section, name, body string }{
		{"4.ask", "empty", ""}, {"4.ask", "null", "null"}, {"4.ask", "array", `["x"]`}, {"4.ask", "string", `"x"`}, {"4.ask", "truncated", `{"q":"x"`}, {"4.ask", "two-documents", `{"q":"x"}{"q":"y"}`},
		{"4.ask", "deep", `{"q":` + strings.Repeat("[", 900) + strings.Repeat("]", 900) + `}`}, {"4.ask", "form", "q=What+does+it+cost"}, {"4.ask", "trailing", `{"q":"x"} x`},
		{"D.rules", "twice", `{"q":"x","q":"y"}`}, {"D.rules", "in-capitals", `{"Q":"x"}`}, {"D.rules", "invalid-utf-8", "{\"q\":\"a\xff\"}"}, {"D.rules", "lone-surrogate", `{"q":"a\ud800"}`},
		{"D.rules", "nul", `{"q":"a\u0000b"}`}, {"D.rules", "escape", `{"q":"a\u001b[31m"}`}, {"D.rules", "byte-order-mark", "\xef\xbb\xbf{\"q\":\"x\"}"},
	} {
		checks = append(checks, one(row.section, "ask-body-"+row.name, "A question is one JSON object whose q is readable text; anything else is 400.",
			conform.PostJSON(contract.PathAsk, row.body), isProblem(contract.InvalidRequest)))
	}
	for _, row := range []struct{ name, body string }{
		{"markup", questionJSON(`<img src=x onerror=alert(1)>`)}, {"sql", questionJSON(`' OR 1=1 --`)}, {"format", questionJSON("a\u202eb\u200f")}, {"emoji", questionJSON("👩\u200d💻?")},
		{"one-letter", questionJSON("a")}, {"unknown-field", `{"q":"x","entry_id":"cost"}`}, {"only-signs", questionJSON("?!…")}, {"long-word", questionJSON(strings.Repeat("w", 300))},
	} {
		checks = append(checks, one("4.ask", "ask-text-"+row.name, "Any text is a question: it is answered with approved text.",
			conform.PostJSON(contract.PathAsk, row.body), isOK, approved, omits("onerror")))
	}
	return append(checks, risky(several("D.rules", "query-fields-are-refused", "A query parameter with the name of a field is 400: a form is only the body.",
		send(conform.PostForm(contract.PathContact+"?dry_run=true", validForm), isProblem(contract.InvalidRequest, "dry_run")),
		send(conform.PostForm(contract.PathContact+"?"+validForm, ""), isProblem(contract.InvalidRequest)),
		send(conform.PostForm(contract.PathContact+"?utm=x", validForm+"&dry_run=true"), preview))))
}

// sizes checks bodies far over their cap, which are refused before they are read.
func sizes() []conform.Check {
	million := `{"message":"` + strings.Repeat("a", 1<<20) + `"}`
	return []conform.Check{
		one("8.3", "size-of-a-megabyte", "A body far over the cap is 413 too.",
			conform.PostJSON(contract.PathContact, million), isProblem(contract.PayloadTooLarge)),
		one("8.3", "size-chunked-megabyte", "A body far over the cap is 413 too, without a Content-Length.",
			chunked(conform.PostJSON(contract.PathContact, million)), isProblem(contract.PayloadTooLarge)),
		one("D.rules", "size-of-a-get", "A body on a GET request does no harm.",
			conform.Request{Method: http.MethodGet, Path: contract.PathHealth, Body: strings.Repeat("a", 100<<10)},
			statusIs(200, 400, 413)),
		{Section: "8.3", Name: "size-is-told-before-it-is-sent", LoopbackOnly: true,
			Sentence: "A Content-Length over the cap is refused before the body is sent.",
			Run: func(p *conform.Probe) {
				answers := p.SendRaw("POST /v1/contact HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\nExpect: 100-continue\r\n\r\n")
				statusIs(413)(p.First(answers))
			}},
		loopbackOnly(several("D.rules", "headers-past-32-kib", "431 past 32 KiB of headers.",
			send(conform.Get(contract.PathHealth, "X-Fill: "+strings.Repeat("a", 27<<10)), isOK),
			send(conform.Get(contract.PathHealth, "X-Fill: "+strings.Repeat("a", 40<<10)), statusIs(431)))),
	}
}
