package site

import (
	"html/template"

	"frontdesk/internal/i18n"
)

// On the pages of a language without messages, the program's own texts are English and marked as such: in HTML and in
// the Markdown, as elements. Everywhere else these functions change nothing.

// mark marks a text if it is the program's own.
func (e *edition) mark(text string, isOwn bool) string {
	if !isOwn {
		return text
	}
	return e.begin + text + e.end
}

// marked is t for templates. What the owner says within the message is marked as in the language of the page. In
// attributes, html/template removes the tags.
func (e *edition) marked(key string, arguments ...any) any {
	if e.begin == "" {
		return e.t(key, arguments...)
	}
	for i, argument := range arguments {
		if text, ok := argument.(string); ok && text != "" {
			arguments[i] = `<span lang="` + e.Language + `" dir="auto">` + template.HTMLEscapeString(text) + `</span>`
		}
	}
	return template.HTML(e.mark(e.t(key, arguments...), true)) // a message has nothing to escape
}

// said marks a sentence of the program's own for templates.
func (e *edition) said(text string) template.HTML {
	return template.HTML(e.mark(template.HTMLEscapeString(text), true))
}

// markedInvitation is the invitation for templates.
func (e *edition) markedInvitation() any {
	if e.Request != "" {
		return e.Request
	}
	return e.marked("answer.write")
}

// ownWords returns the lang attribute of an element that has only the program's own words.
func (e *edition) ownWords() template.HTMLAttr {
	if e.words.StandIn() == "" {
		return ""
	}
	return template.HTMLAttr(` lang="` + e.words.StandIn() + `"`)
}

// inLanguage returns the attributes of an element in a language, nothing for that of the page.
func inLanguage(language string) template.HTMLAttr {
	direction := "ltr"
	switch {
	case language == "":
		return ""
	case i18n.IsRightToLeft(language):
		direction = "rtl"
	}
	return template.HTMLAttr(` lang="` + language + `" dir="` + direction + `"`)
}

// title returns the title of one of the service's pages, as the owner gave it or else by its message, and the rest of
// the owner's text.
func (e *edition) title(page, key string) (title, rest string, isOwn bool) {
	if title, rest = splitTitle(e.intros[page].Markdown, ""); title != "" {
		return title, rest, false
	}
	return e.t(key), rest, true
}
