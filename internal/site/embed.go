package site

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"

	"frontdesk/contract"
	"frontdesk/internal/i18n"
	"frontdesk/internal/payload"
)

// Embed returns the script that puts the desk inside another site. It needs no further
// request until someone asks: everything it shows is in it.
//
// It also names the origins whose requests the service answers, and does nothing on a page
// of another one. The script cannot try: a request before a click would tell the service
// about every visitor of the page. Nor can the service choose by the request for the
// script, which has no Origin, and a Referer only if the page wants that. Whoever reads
// the list learns nothing new: each of the pages has the script, and the service answers
// preflights with a yes or a no.
//
// asked are the ids of entries, the most asked first.
func (s *Site) Embed(asked ...string) []byte {
	first := s.editions[0]
	var keys []string // of the messages that the script shows; it has their numbers
	source := messageKey.ReplaceAllFunc(embedded("embed.js"), func(quoted []byte) []byte {
		key := string(bytes.Trim(quoted, `"`))
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
		return strconv.AppendInt(nil, int64(slices.Index(keys, key)), 10)
	})
	editions := slices.Clone(s.editions) // those with a stand-in for their language last
	slices.SortStableFunc(editions, func(a, b *edition) int { return cmp.Compare(a.words.StandIn(), b.words.StandIn()) })
	words := map[string][]any{} // by language: the name, the invitation, what is often asked, and a message for each key
	for _, language := range i18n.Languages() {
		e := *first // with the messages of another language
		e.words, e.Request = i18n.WithTone(language, s.Content.Tone), ""
		if at := slices.IndexFunc(editions, func(e *edition) bool { return e.words.Language == language }); at >= 0 {
			e = *editions[at]
		}
		texts := []any{e.Name, cmp.Or(e.Request, e.t("answer.write")), e.questions(asked)}
		for _, key := range keys {
			texts = append(texts, e.words.Format(key))
		}
		words[language] = texts
	}
	business := ""
	if !s.Content.AskBusiness {
		business = contract.NoBusiness
	}
	accent, _ := accentStyles(s.Content.Brand.Accent)
	style := slices.Concat(embedded("colours.css"), accent, embedded("embed.css"))
	style = bytes.ReplaceAll(style, []byte(":root"), []byte("section")) // where no page can set a variable
	return slices.Concat(
		[]byte("("), between.ReplaceAll(source, []byte("$2")), []byte(")("),
		payload.JSON(map[string]any{
			"base": s.Base, "related": s.related, "origins": s.Origins, "lang": first.words.Language, "words": words,
			"style": string(cssBetween.ReplaceAll(style, []byte("$1"))), "business": business,
			"max": map[string]int{
				contract.FieldQuestion: contract.MaxQuestion, contract.FieldName: contract.MaxName,
				contract.FieldBusiness: contract.MaxBusiness, contract.FieldMessage: contract.MaxMessage,
			},
		}), []byte(")"),
	)
}

// questions are those of the examples.
func (e *edition) questions(asked []string) []string {
	questions := []string{}
	for _, entry := range e.examples(asked) {
		questions = append(questions, entry.Question)
	}
	return questions
}

var (
	// messageKey finds the keys of the messages in the script.
	messageKey = regexp.MustCompile(`"[a-z]+(\.[a-z]+)+"`)
	// between and cssBetween are what a script and a style do not need: comments and white
	// space. No string of the script has a space beside one of these signs.
	between    = regexp.MustCompile(`(?m)^\s*(//.*\n\s*)*| *([={}<>?&|+,]+) *`)
	cssBetween = regexp.MustCompile(`(?s)/\*.*?\*/|\s*([{},;:])\s+`)
)
