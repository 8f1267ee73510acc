package site

import (
	"bytes"
	"html/template"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

// markdown turns a page's source into HTML: tables, and headings that carry their
// own ids ({#errors-not_found}), because made-up ones would lose the underscore.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAttribute()),
)

// frame is the HTML around a page.
var frame = template.Must(template.New("frame").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
</head>
<body>
<main>
{{.Body}}</main>
</body>
</html>
`))

// render makes an HTML page of Markdown.
func render(title, source string) []byte {
	var body, page bytes.Buffer
	if err := markdown.Convert([]byte(source), &body); err != nil {
		panic(err) // goldmark writes to memory and reads any text
	}
	data := struct {
		Title string
		Body  template.HTML
	}{title, template.HTML(body.String())} //nolint:gosec // goldmark drops raw HTML
	if err := frame.Execute(&page, data); err != nil {
		panic(err) // the template and its data are our own
	}
	return page.Bytes()
}
