package faq

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"frontdesk/content"
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
				e := &faq.Entries[j]
				texts := append([]string{e.Question, e.Answer}, e.Alternates...)
				if slices.ContainsFunc(texts, pattern.MatchString) {
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

// patternOf returns a pattern that finds the first of words in a text. Its second group is the word.
func patternOf(words ...string) *regexp.Regexp {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = regexp.QuoteMeta(word)
	}
	return regexp.MustCompile(`(?i)(^|[^\pL\pN])(` + strings.Join(quoted, "|") + `)(?:[^\pL\pN]|$)`)
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
