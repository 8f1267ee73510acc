package checks

import (
	"strings"

	"frontdesk/conform"
)

const (
	saysJSON  = "The body is one JSON object; anything else is 400."
	saysNames = "Unknown fields are ignored; keys match exactly; a key given twice, or that equals a known one without " +
		"separators and case, is 400."
)

// valid marks a row that is a valid dry run. Any other row names the field that the refusal
// names, if any.
const valid = "valid"

// row adds a check of a malformed or unusual pilot request, which is meant as a dry run.
func (l *list) row(section, name, sentence, body, want string, header ...string) *conform.Check {
	r := request{Method: "POST", Path: "/v1/contact", Header: header, Body: body}
	if !r.Has("Content-Type") {
		r.Header = append([]string{typeJSON}, header...)
	}
	expected := refused(strings.Fields(want)...)
	if want == valid {
		expected = all(preview, omits("eve@")) // eve is named only in ignored fields
	}
	return l.one(section, name, sentence, r, expected)
}

// bodies adds checks of bodies. A broken service might lose their dry_run.
func bodies(l *list) {
	dry := dryJSON("")
	for _, row := range []struct{ section, name, sentence, body, want string }{
		{"4.contact", "empty", saysJSON, "", ""},
		{"4.contact", "array", saysJSON, "[" + dry + "]", ""}, {"4.contact", "truncated", saysJSON, dry[:len(dry)-1], ""},
		{"4.contact", "two-documents", saysJSON, dry + `{` + validFields + `,"dry_run":false}`, ""},
		{"4.contact", "trailing-word", saysJSON, dry + " x", ""},
		{"4.contact", "raw-newline", saysJSON, dryWith("message", "\"a\nb\""), ""},
		{"D.rules", "byte-order-mark", saysJSON, "\xef\xbb\xbf" + dry, ""},
		{"4.contact", "escaped-keys", "A key may be written with escapes.",
			strings.Replace(dry, `"name"`, `"n\u0061me"`, 1), valid},
		{"D.rules", "invalid-utf-8", "Invalid UTF-8 is 400 naming the field.", dryWith("name", "\"a\xffb\""), "name"},
		{"D.rules", "lone-surrogate", "A lone surrogate is 400 naming the field.", dryWith("name", `"a\ud800"`), "name"},
		{"D.rules", "unknown-field", saysNames, dryJSON(`,"utm":"x","bcc":"eve@conform.example","n":{"a":[1,null]}`), valid},
		{"D.rules", "key-in-capitals", saysNames, dryJSON(`,"EMAIL":"eve@conform.example"`), "email"},
		{"D.rules", "key-with-a-hyphen", saysNames, dryJSON(`,"e-mail":"eve@conform.example"`), "email"},
		{"D.rules", "deep-in-an-unknown-field", "A body that is nested too deep is refused quickly with 400.",
			dryJSON(`,"x":` + strings.Repeat("[", 3500) + strings.Repeat("]", 3500)), ""},
	} {
		l.row(row.section, "json-"+row.name, row.sentence, row.body, row.want).MaySend = true
	}

	for _, row := range []struct{ section, name, body string }{
		{"2", "string-true", dryWith("dry_run", `"true"`)},
		{"2", "object", dryWith("dry_run", "{}")}, {"2", "null", dryWith("dry_run", "null")},
		{"D.rules", "twice", dryJSON(`,"dry_run":false`)}, {"D.rules", "in-capitals", `{` + validFields + `,"Dry_Run":true}`},
		{"D.rules", "in-camel-case", `{` + validFields + `,"dryRun":true}`},
		{"D.rules", "with-a-hyphen", `{` + validFields + `,"dry-run":true}`},
		{"D.rules", "escaped-twice", dryJSON(`,"dry_\u0072un":false`)},
	} {
		l.row(row.section, "dry-run-"+row.name, "dry_run is a boolean that must never be lost: another value or key is 400 "+
			"and never a send.", row.body, "dry_run").MaySend = true
	}

	const isForm = "A form is validated like JSON, and dry_run in it is true or false."
	for _, row := range []struct{ section, name, sentence, body, want string }{
		{"D.rules", "dry-run-one", isForm, validForm + "&dry_run=1", "dry_run"},
		{"D.rules", "dry-run-empty", isForm, validForm + "&dry_run=", "dry_run"},
		{"4.contact", "bad-address", isForm, strings.Replace(dryForm, "%40", "", 1), "email"},
		{"D.rules", "bad-escape", "A form that cannot be read is 400.", dryForm + "&x=%zz", ""},
		{"D.rules", "key-twice", saysNames, dryForm + "&name=Eve", "name"},
		{"D.rules", "dry-run-twice", saysNames, dryForm + "&dry_run=false", "dry_run"},
		{"D.rules", "key-in-capitals", saysNames, validForm + "&DRY_RUN=true", "dry_run"},
		{"D.rules", "key-in-camel-case", saysNames, validForm + "&dryRun=true", "dry_run"},
		{"D.rules", "unknown-field", saysNames, dryForm + "&utm=x", valid},
		{"D.rules", "invalid-utf-8", "Invalid UTF-8 is 400 naming the field.", strings.Replace(dryForm, "Ada", "%FF", 1),
			"name"},
	} {
		l.row(row.section, "form-"+row.name, row.sentence, row.body, row.want, typeForm).MaySend = true
	}

	const byType = "Contact is read by its Content-Type; another type, or several, is 400 with a hint that names the " +
		"two that work."
	const unencoded = "Bodies with a Content-Encoding but identity are 400."
	for _, row := range []struct {
		section, name, sentence, body, want string
		header                              []string
	}{
		{"4.contact", "in-capitals", "Media types are compared without case.", dry, valid,
			[]string{"Content-Type: APPLICATION/Json"}},
		{"4.contact", "form-with-charset", "A parameter of the type is ignored.", dryForm, valid,
			[]string{typeForm + "; charset=UTF-8"}},
		{"D.rules", "form-with-json", "A body of the form type that starts with { is JSON: curl's default.", dry, valid,
			[]string{typeForm}},
		{"D.rules", "text", byType, dry, "", []string{"Content-Type: text/plain"}},
		{"D.rules", "two", byType, dry, "", []string{typeJSON, typeForm}},
		{"D.rules", "gzip", unencoded, dry, "", []string{"Content-Encoding: gzip"}},
		{"D.rules", "identity", unencoded, dry, valid, []string{"Content-Encoding: identity"}},
	} {
		l.row(row.section, "type-"+row.name, row.sentence, row.body, row.want, row.header...).MaySend = true
	}
}

func addresses(l *list) {
	const sentence = "An address is the whole value: one plain ASCII address of at most 254 bytes."
	at254 := "a@" + strings.Repeat(strings.Repeat("b", 63)+".", 3) + strings.Repeat("c", 254-2-3*64-8) + ".example"
	for _, row := range []struct{ section, name, address, want string }{
		{"2", "no-at", "ada", "email"},
		{"2", "two-dots", "ada..x@conform.example", "email"},
		{"2", "display-name", "Ada <ada@conform.example>", "email"},
		{"2", "two-addresses", "ada@conform.example, eve@conform.example", "email"},
		{"2", "header-and-body", "ada@conform.example\r\n\r\n<html>", "email"},
		{"2", "line-separator", "ada@conform.example\u2028Bcc: eve@conform.example", "email"},
		{"D.rules", "quoted", `"a b"@conform.example`, "email"},
		{"D.rules", "at-255", "a" + at254, "email"},
		{"D.rules", "no-dot", "ada@localhost", "email"}, {"2", "ok-tag", "ada.l+tag@mail.conform.example", valid},
		{"2", "ok-apostrophe", "o'brien@conform.example", valid},
		{"D.rules", "ok-at-254", at254, valid},
	} {
		l.row(row.section, "address-"+row.name, sentence, dryWith("email", encode(row.address)), row.want)
	}
}

// characters adds checks of control and format characters.
func characters(l *list) {
	const sentence = "Control characters are 400, except tab and line breaks in message; format characters are accepted " +
		"in message, elsewhere only the joiners."
	add := func(field, name, text, want string) {
		l.row("D.rules", "character-"+field+"-"+name, sentence, dryWith(field, encode(text)), want)
	}
	for _, field := range []string{"name", "business", "phone", "segment"} {
		add(field, "line-feed", "a\nBcc: eve@conform.example", field)
		add(field, "nul", "a\x00b", field)
		add(field, "c1", "a\u0085b", field)
		add(field, "bidi-override", "a\u202eb", field)
		add(field, "joiner", "می\u200cخواهم 👩\u200d💻", valid)
	}
	add("message", "nul", "a\x00b", "message")
	add("message", "escape", "a\x1bb", "message")
	add("message", "lines", "one\r\ntwo\nthree\rfour\tfive", valid)
	add("message", "bidi", "שלום \u202eabc\u202c", valid)
}

// texts adds checks of messages that try to break out of a mail.
func texts(l *list) {
	for _, row := range []struct{ name, field, text string }{
		{"header", "message", "Bcc: eve@conform.example\n\nx"},
		{"markup", "message", "<script>alert(1)</script>"},
		{"international", "name", "Zoë 李 Ωμέγα"},
	} {
		l.one("2", "text-"+row.name, "A string is only text: the preview shows it unchanged.",
			contact(dryWith(row.field, encode(row.text))), func(a *answer) {
				want := strings.ReplaceAll(row.text, "\r\n", "\n")
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
		{"4.ask", "empty", ""}, {"4.ask", "array", `["x"]`}, {"4.ask", "two-documents", `{"q":"x"}{"q":"y"}`},
		{"4.ask", "deep", `{"q":` + strings.Repeat("[", 900) + strings.Repeat("]", 900) + `}`},
		{"4.ask", "form", "q=What+does+it+cost"}, {"D.rules", "twice", `{"q":"x","q":"y"}`},
		{"D.rules", "in-capitals", `{"Q":"x"}`}, {"D.rules", "invalid-utf-8", "{\"q\":\"a\xff\"}"},
		{"D.rules", "nul", `{"q":"a\u0000b"}`},
	} {
		l.one(row.section, "ask-body-"+row.name,
			"A question is one JSON object whose q is readable text; anything else is 400.",
			post("/v1/ask", row.body), refused())
	}
	for _, row := range []struct{ name, body string }{
		{"markup", questionJSON(`<img src=x onerror=alert(1)>`)},
		{"unknown-field", `{"q":"x","entry_id":"cost"}`}, {"only-signs", questionJSON("?!…")},
	} {
		l.one("4.ask", "ask-text-"+row.name, "Any text is a question: it is answered with approved text.",
			post("/v1/ask", row.body), isOK, approved, omits("onerror"))
	}
	for _, name := range []string{"question", "query", "text"} {
		l.one("D.rules", "ask-hint-names-"+name, "When q is missing, the hint names the field that seems to hold it.",
			post("/v1/ask", `{"`+name+`":"x"}`), refused("q"), memberContains("hint", name))
	}
	l.one("D.rules", "ask-reads-json-only", "The refusal of a form sent to ask says that ask reads only JSON.",
		postForm("/v1/ask", "q=x"), refused(), memberContains("detail", "JSON only"))
	l.several("D.rules", "query-fields-are-refused",
		"A query parameter with the name of a field is 400: a form is only the body.",
		send(postForm("/v1/contact?dry_run=true", validForm), refused("dry_run")),
		send(postForm("/v1/contact?dry-run=true", validForm), refused("dry_run")),
		send(postForm("/v1/contact?"+validForm, ""), refused()),
		send(postForm("/v1/contact?utm=x", dryForm), preview)).MaySend = true
}

// sizes adds checks of bodies far over their cap, which are refused before they are read.
func sizes(l *list) {
	million := contact(`{"message":"` + strings.Repeat("a", 1<<20) + `"}`)
	l.several("8.3", "size-of-a-megabyte", "A body far over the cap is 413 too, without a Content-Length as well.",
		send(million, tooLarge), send(chunked(million), tooLarge))
	l.run("8.3", "declared-size-is-checked-first", "A Content-Length over the cap is refused before the body is sent.",
		func(p *probe) {
			statusIs(413)(p.First(p.SendRaw("POST /v1/contact HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: " +
				"application/json\r\nContent-Length: 9000000\r\nExpect: 100-continue\r\n\r\n")))
		}).LoopbackOnly = true
	l.onLoopback("D.rules", "headers-past-32-kib", "431 past 32 KiB of headers.",
		send(get("/v1/health", "X-Fill: "+strings.Repeat("a", 27<<10)), isOK),
		send(get("/v1/health", "X-Fill: "+strings.Repeat("a", 40<<10)), statusIs(431)))
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
	l.run("D.wire", "wire-pipelined", "Two pipelined requests get two answers (RFC 9112 9.3).", func(p *probe) {
		answers := p.SendRaw(getLines + "\r\n" + getLines + closing)
		if isOK(p.First(answers)); len(answers) != 2 {
			answers[0].Fail("two answers, not %d", len(answers))
		}
	}).LoopbackOnly = true
	l.run("D.wire", "wire-lengths-of-two-kinds",
		"After a refused message with two kinds of length, the bytes that follow are not answered as a request (RFC 9112 "+
			"6.1).", func(p *probe) {
			answers := p.SendRaw(postLines + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + getLines +
				closing)
			if statusIs(400, 404)(p.First(answers)); len(answers) > 1 && answers[1].Status == 200 && answers[0].Status == 400 {
				answers[1].Fail("no answer to what came after a refused request")
			}
		}).LoopbackOnly = true
	for _, row := range []struct{ name, sentence, bytes string }{
		{"two-lengths", "Two differing Content-Length are 400 (RFC 9112 6.3).",
			postLines + "Content-Length: 9\r\nContent-Length: 3\r\n\r\n" + `{"q":"x"}`},
		{"no-host", "HTTP/1.1 without Host is 400 (RFC 9112 3.2).", "GET /v1/health HTTP/1.1\r\n" + closing},
		{"nul-in-a-header", "A NUL in a field is refused (RFC 9110 5.5).", getLines + "X-A: a\x00b\r\n\r\n"},
		{"space-before-colon", "White space before a colon is refused (RFC 9112 5.1).", getLines + "X-A : b\r\n\r\n"},
	} {
		l.run("D.wire", "wire-"+row.name, row.sentence, func(p *probe) {
			answers := p.SendRaw(row.bytes)
			if statusIs(400)(p.First(answers)); len(answers) > 1 {
				answers[1].Fail("one answer, not %d", len(answers))
			}
		}).LoopbackOnly = true
	}
}
