package payload

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"
)

// acceptRange is one element of an Accept header: a media range and its weight.
// Parameters other than q are ignored, so that text/markdown;variant=GFM accepts
// text/markdown.
type acceptRange struct {
	name   string // in lower case: text/html, text/*, */*
	weight float64
}

// Accept is a parsed Accept header. The zero value is an absent header, which
// accepts everything.
type Accept []acceptRange

// ParseAccept reads the values of an Accept header. A malformed element is ignored and never an error, so that a
// client with a faulty header still gets an answer. The other functions of this file do the same (RFC 9110 12.5).
func ParseAccept(values []string) Accept {
	var accept Accept
	for name, weight := range weighted(values) {
		name = strings.ToLower(name)
		mainType, subType, _ := strings.Cut(name, "/")
		if mainType != "" && subType != "" && !strings.Contains(subType, "/") && (mainType != "*" || subType == "*") {
			accept = append(accept, acceptRange{name, weight})
		}
	}
	return accept
}

// match is the weight, 0 to 1, that the header gives a media type such as "text/html", and
// its rank: 0 if only a wildcard covers it, else the higher the earlier the header names it.
// The most specific range decides; of two equal ones, the first.
func (a Accept) match(mediaType string) (weight float64, rank int) {
	if len(a) == 0 {
		return 1, 0
	}
	most := noType
	for i, r := range a {
		if precision := r.precision(mediaType); precision > most {
			weight, rank, most = r.weight, 0, precision
			if precision == exactType {
				rank = len(a) - i
			}
		}
	}
	return weight, rank
}

// Lists reports whether the header accepts a media type by its full name, not only by
// a wildcard.
func (a Accept) Lists(mediaType string) bool {
	weight, rank := a.match(mediaType)
	return weight > 0 && rank > 0
}

// Best returns the offered media type that the client prefers, or "" when it accepts
// none. The greatest weight wins. On equal weights a type that the header names beats
// one that a wildcard covers, of two named ones the first in the header wins
// (decisions, Rules), and of two that wildcards cover the first offer.
func (a Accept) Best(offers ...string) (best string) {
	mostWeight, mostRank := 0.0, 0
	for _, offer := range offers {
		weight, rank := a.match(offer)
		if weight > mostWeight || weight > 0 && weight == mostWeight && rank > mostRank {
			best, mostWeight, mostRank = offer, weight, rank
		}
	}
	return best
}

// PreferredLanguage returns the offer that the values of an Accept-Language header prefer (RFC 9110 12.5.4), or "" if
// they name none. German of Austria is German; regions and scripts only choose among offers of one language.
func PreferredLanguage(values []string, offers ...string) string {
	preferred, _, err := language.ParseAcceptLanguage(strings.Join(values, ","))
	if err != nil {
		return ""
	}
	for _, tag := range preferred {
		for t := tag; !t.IsRoot(); t = t.Parent() { // pt-PT, then pt
			if slices.Contains(offers, t.String()) {
				return t.String()
			}
		}
		base, _ := tag.Base()
		for _, offer := range offers {
			if offered, _ := language.Make(offer).Base(); offered == base {
				return offer
			}
		}
	}
	return ""
}

// How precisely a range names a media type.
const (
	noType = iota
	anyType
	mainType
	exactType
)

func (r acceptRange) precision(mediaType string) int {
	main, _, _ := strings.Cut(mediaType, "/")
	switch r.name {
	case mediaType:
		return exactType
	case main + "/*":
		return mainType
	case "*/*":
		return anyType
	}
	return noType
}

// AcceptsGzip reports whether an Accept-Encoding header accepts gzip: by name or by *, with a
// weight above zero. An absent header does not.
func AcceptsGzip(values []string) bool {
	accepted, named := false, false
	for name, weight := range weighted(values) {
		switch {
		case strings.EqualFold(name, "gzip") || strings.EqualFold(name, "x-gzip"):
			accepted, named = weight > 0, true
		case name == "*" && !named:
			accepted = weight > 0
		}
	}
	return accepted
}

// weighted yields the names of a header's elements with their weights, the q parameter.
// A weight that cannot be read is ignored, which leaves 1.
func weighted(values []string) iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for _, value := range values {
			for element := range strings.SplitSeq(value, ",") {
				name, parameters, _ := strings.Cut(element, ";")
				weight := 1.0
				for parameter := range strings.SplitSeq(parameters, ";") {
					key, value, _ := strings.Cut(parameter, "=")
					if !strings.EqualFold(strings.TrimSpace(key), "q") {
						continue
					}
					if q, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && q >= 0 && q <= 1 {
						weight = q
					}
				}
				if !yield(strings.TrimSpace(name), weight) {
					return
				}
			}
		}
	}
}
