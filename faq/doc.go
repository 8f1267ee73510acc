// Package faq turns a question into approved text.
//
// A [Book] is made of the entries of one content snapshot. It asks them in order:
// is the question an approved wording of an entry; if not, does the selector know
// an entry that surely answers it; if not, the fallback. Whatever the question is,
// the answer is an entry's text or the fallback, byte for byte. A [Ladder] is a book
// with a language model's rung before the fallback.
//
// The selector (package lexical) needs no model and no network. It is trained on the
// entries when they are loaded, and knows how sure it is, because a wrong answer is
// worse than none.
package faq
