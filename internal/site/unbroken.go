package site

import (
	"bytes"
	"regexp"
	"slices"
	"unicode/utf8"
)

// maxUnbroken is how long a word with hyphens may be, in characters, to be kept on one line:
// it fits the narrowest phone.
const maxUnbroken = 20

// joined matches what a browser would break at a hyphen, a dash or a space, and a reader would
// not: "contactar-nos", "1300-149", "10–18", "1 240,50 €", "un cours ?".
var joined = regexp.MustCompile(`[\p{Latin}\p{Greek}\p{Cyrillic}\p{M}\p{N}]+(?:[-–][\p{Latin}\p{Greek}\p{Cyrillic}\p{M}\p{N}]+)+(?: [?!:»])?|\p{N}[\p{N}.,]*(?: \p{N}{3}(?:,\p{N}+)?)* (?:[€£$%]|°[CF]?)|[\p{Latin}\p{Greek}\p{Cyrillic}\p{M}\p{N}]+ [?!:;»]`)

// joints are what every match of joined has one of; looking for them is faster.
var joints = bytes.Split([]byte("-|–| €| £| $| %| °| ?| !| :| ;| »"), []byte("|"))

// literal are the elements whose text is not changed.
var literal = [][]byte{[]byte("pre"), []byte("code"), []byte("samp"), []byte("textarea")}

// unbroken keeps words and numbers of a page on one line. Its text stays as it is.
func unbroken(page []byte) []byte {
	at := max(bytes.Index(page, []byte("<body")), 0)
	out := append(make([]byte, 0, len(page)+len(page)/8), page[:at]...)
	for at < len(page) {
		end := at + 1
		if page[at] != '<' {
			end = indexFrom(page, at, "<")
			out = append(out, wrapped(page[at:end])...)
			at = end
			continue
		}
		name := page[at+1:]
		if i := slices.IndexFunc(literal, func(element []byte) bool { return bytes.HasPrefix(name, element) }); i >= 0 {
			end = indexFrom(page, at, "</"+string(literal[i]))
		}
		end = min(indexFrom(page, end, ">")+1, len(page))
		out = append(out, page[at:end]...)
		at = end
	}
	return out
}

// indexFrom returns where part begins at or after a place of a page, or the end of the page.
func indexFrom(page []byte, at int, part string) int {
	if i := bytes.Index(page[at:], []byte(part)); i >= 0 {
		return at + i
	}
	return len(page)
}

func wrapped(text []byte) []byte {
	if !slices.ContainsFunc(joints, func(joint []byte) bool { return bytes.Contains(text, joint) }) {
		return text
	}
	return joined.ReplaceAllFunc(text, func(match []byte) []byte {
		if utf8.RuneCount(match) > maxUnbroken {
			return match
		}
		return slices.Concat([]byte(`<span class="nobreak">`), match, []byte("</span>"))
	})
}
