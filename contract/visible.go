package contract

import (
	"strings"
	"unicode"
)

// VisibleText is the part of a text that a reader sees: without control and format
// characters, such as those that change the writing direction, and without other
// characters that are drawn as nothing. White space of every kind becomes one space. A
// joiner between two letters of a script that needs it is kept, because it changes how
// words look.
//
// What strangers wrote passes through it before it is written into a file, shown to the
// owner or given to a model: hidden text must not reach anyone who cannot see it.
func VisibleText(s string) string {
	runes := []rune(s)
	var visible strings.Builder
	for i, r := range runes {
		switch {
		case unicode.IsSpace(r):
			visible.WriteByte(' ')
		case r == zeroWidthNonJoiner || r == zeroWidthJoiner:
			if i > 0 && i+1 < len(runes) && joins(runes[i-1]) && joins(runes[i+1]) {
				visible.WriteRune(r)
			}
		case !isHidden(r):
			visible.WriteRune(r)
		}
	}
	return CleanQuestion(visible.String())
}

// hidden are assigned characters that are drawn as nothing without being format
// characters: fillers of Hangul, the combining grapheme joiner, the vowels of Khmer that
// have no form, and the empty pattern of Braille. Unicode lists most of them as
// Default_Ignorable_Code_Point.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034F, Hi: 0x034F, Stride: 1},
		{Lo: 0x115F, Hi: 0x1160, Stride: 1},
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1},
		{Lo: 0x2800, Hi: 0x2800, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1},
	},
}

// isHidden reports whether a character is not drawn, or has no meaning that all readers
// share: controls, format characters, variation selectors, private and unassigned ones.
func isHidden(r rune) bool {
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.Variation_Selector, hidden)
}

// joiningScripts need joiners between letters: Persian writes "می‌خواهم" with one.
var joiningScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
}

// joins reports whether a joiner beside a character can change how it looks.
func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && unicode.In(r, joiningScripts...)
}
