// Package negotiate reads the Accept and Accept-Encoding headers (RFC 9110 12.5)
// for pages, errors and MCP. A malformed element is passed over, never an error:
// what a client cannot say clearly must not cost it the answer.
package negotiate

import (
	"strconv"
	"strings"
)

// Range is one element of an Accept header: a media range and its weight.
// Parameters other than q are ignored, so that text/markdown;variant=GFM accepts
// text/markdown.
type Range struct {
	mainType, subType string
	weight            float64
}

// Accept is a parsed Accept header. The zero value is an absent header, which
// accepts everything.
type Accept []Range

// Parse reads the values of an Accept header.
func Parse(values []string) Accept {
	var accept Accept
	for element := range elements(values) {
		name, weight := weighted(element)
		mainType, subType, ok := strings.Cut(strings.ToLower(name), "/")
		if !ok || mainType == "" || subType == "" || (mainType == "*" && subType != "*") {
			continue
		}
		accept = append(accept, Range{mainType, subType, weight})
	}
	return accept
}

// Quality is the weight, 0 to 1, that the header gives a media type such as
// "text/html". The most specific range decides; of two equal ones the first.
func (a Accept) Quality(mediaType string) float64 {
	if len(a) == 0 {
		return 1
	}
	weight, precision := 0.0, noType
	for _, r := range a {
		if p := r.precision(mediaType); p > precision {
			weight, precision = r.weight, p
		}
	}
	return weight
}

// Best returns the offered media type with the greatest weight, of equal ones the
// first, or "" when none is accepted.
func (a Accept) Best(offers ...string) string {
	best, most := "", 0.0
	for _, offer := range offers {
		if quality := a.Quality(offer); quality > most {
			best, most = offer, quality
		}
	}
	return best
}

// How precisely a range names a media type.
const (
	noType = iota
	anyType
	mainType
	exactType
)

func (r Range) precision(mediaType string) int {
	main, sub, _ := strings.Cut(mediaType, "/")
	switch {
	case r.mainType == "*":
		return anyType
	case r.mainType != main:
		return noType
	case r.subType == "*":
		return mainType
	case r.subType == sub:
		return exactType
	}
	return noType
}

// Gzip reports whether an Accept-Encoding header welcomes gzip: by name or by *,
// with a weight above zero. An absent header does not.
func Gzip(values []string) bool {
	welcome, named := false, false
	for element := range elements(values) {
		name, weight := weighted(element)
		switch {
		case strings.EqualFold(name, "gzip") || strings.EqualFold(name, "x-gzip"):
			welcome, named = weight > 0, true
		case name == "*" && !named:
			welcome = weight > 0
		}
	}
	return welcome
}

// elements yields the comma-separated elements of a header's values.
func elements(values []string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, value := range values {
			for element := range strings.SplitSeq(value, ",") {
				if element = strings.TrimSpace(element); element != "" && !yield(element) {
					return
				}
			}
		}
	}
}

// weighted splits an element into its name and the weight of its q parameter. A
// weight that cannot be read counts as 1, as if it were absent.
func weighted(element string) (name string, weight float64) {
	name, parameters, _ := strings.Cut(element, ";")
	weight = 1
	for parameter := range strings.SplitSeq(parameters, ";") {
		key, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(key), "q") {
			continue
		}
		if q, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && q >= 0 && q <= 1 {
			weight = q
		}
	}
	return strings.TrimSpace(name), weight
}
