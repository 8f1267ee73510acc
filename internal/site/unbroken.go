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

// literal are the ends of the elements whose text is not changed.
var literal = [][]byte{[]byte("/pre"), []byte("/code"), []byte("/samp"), []byte("/textarea")}

// unbroken keeps words and numbers of a page on one line. Its text stays as it is.
func unbroken(page []byte) []byte {
	at := max(bytes.Index(page, []byte("<body")), 0)
	out := append(make([]byte, 0, len(page)+len(page)/8), page[:at]...)
	inside := -1 // the element of literal that is open
	for i, part := range bytes.SplitAfter(page[at:], []byte("<")) {
		text := 0 // where it begins, behind the tag
		if i > 0 {
			text = bytes.IndexByte(part, '>') + 1
		}
		tag := part[:text]
		out = append(out, tag...)
		if inside < 0 {
			inside = slices.IndexFunc(literal, func(end []byte) bool { return bytes.HasPrefix(tag, end[1:]) })
		} else if bytes.HasPrefix(tag, literal[inside]) {
			inside = -1
		}
		if inside < 0 {
			out = append(out, wrapped(part[text:])...)
		} else {
			out = append(out, part[text:]...)
		}
	}
	return out
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
