package faq

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq/text"
)

// synonyms replaces words that no entry uses with words of the same meaning that entries use.
type synonyms struct {
	pattern *regexp.Regexp    // with the word as its second group; nil for no words
	used    map[string]string // by word in lower case: the word that entries use in its place
}

// newSynonyms returns synonyms that replace each word that no entry uses with the word of its list that most entries
// use.
func newSynonyms(faq content.FAQ) synonyms {
	s := synonyms{used: map[string]string{}}
	var unused []string
	for _, words := range faq.Synonyms {
		uses := make([]int, len(words))
		for i, word := range words {
			pattern := patternOf(word)
			for j := range faq.Entries {
				if slices.ContainsFunc(faq.Entries[j].Texts(), pattern.MatchString) {
					uses[i]++
				}
			}
		}
		most := slices.Index(uses, slices.Max(uses))
		for i, word := range words {
			if uses[i] == 0 && uses[most] > 0 {
				unused, s.used[strings.ToLower(word)] = append(unused, word), words[most]
			}
		}
	}
	if len(unused) > 0 {
		slices.SortStableFunc(unused, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
		s.pattern = patternOf(unused...)
	}
	return s
}

// wordEdge is what may stand beside a word: no letter or digit, except in scripts without spaces. Katakana writes a
// compound without a mark, and its parts are no words of their own.
const wordEdge = `[^\pL\pN]|[\p{Han}\p{Hiragana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]`

// patternOf returns a pattern that finds the first of words in a text. Its second group is the word.
func patternOf(words ...string) *regexp.Regexp {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = regexp.QuoteMeta(word)
	}
	return regexp.MustCompile(`(?i)(^|` + wordEdge + `)(` + strings.Join(quoted, "|") + `)(?:$|` + wordEdge + `)`)
}

// replace returns q with its unused words replaced by those that entries use.
func (s synonyms) replace(q string) string {
	if s.pattern == nil {
		return q
	}
	var replaced strings.Builder
	for {
		at := s.pattern.FindStringSubmatchIndex(q)
		if at == nil {
			break
		}
		from, to := at[4], at[5]
		replaced.WriteString(q[:from] + s.used[strings.ToLower(q[from:to])])
		q = q[to:]
	}
	return replaced.String() + q
}

// A synonym is looked for among so many of the closest entries, for words of so many letters.
const (
	synonymEntries = 2
	synonymLetters = 4
)

var anyWord = regexp.MustCompile(`[\pL\pN]+`)

// Synonym returns the one word of a question that no entry has, and the word of the closest entries with which the
// question would most surely be answered; both are empty if there is none.
func (b *Answerer) Synonym(ctx context.Context, q string) (word, used string) {
	known := map[string]bool{}
	for i := range b.entries {
		for _, w := range text.AppendWords(nil, strings.Join(b.entries[i].Texts(), "\n")) {
			known[w] = true
		}
	}
	unknown := slices.DeleteFunc(anyWord.FindAllStringIndex(q, -1), func(at []int) bool {
		w := q[at[0]:at[1]]
		return utf8.RuneCountInString(w) < synonymLetters || known[strings.ToLower(w)]
	})
	if len(unknown) != 1 {
		return "", ""
	}
	from, to := unknown[0][0], unknown[0][1]
	live, tried, surest := b.live(), map[string]bool{}, 0.0
	for _, w := range text.AppendWords(nil, q) {
		tried[w] = true
	}
	best := b.choose(ctx, q, live).Best
	for _, at := range best[:min(len(best), synonymEntries)] {
		entry := &b.entries[at]
		texts := append([]string{entry.Question}, entry.Own()...)
		for _, w := range anyWord.FindAllString(strings.Join(texts, "\n"), -1) {
			if tried[strings.ToLower(w)] || utf8.RuneCountInString(w) < synonymLetters {
				continue
			}
			tried[strings.ToLower(w)] = true
			answer := b.Ask(ctx, q[:from]+w+q[to:])
			isIts := answer.EntryID != nil && *answer.EntryID == entry.ID
			if isIts && answer.Match != contract.MatchSelector { // it is a wording
				return q[from:to], w
			}
			if isIts && answer.Confidence > surest {
				word, used, surest = q[from:to], w, answer.Confidence
			}
		}
	}
	return word, used
}
