// Package faq answers questions with approved text.
//
// A [Answerer] holds the entries of one content snapshot. It answers a question with the first
// of these steps that applies:
//
//  1. The question is worded as an entry's question or alternate, whatever its case, punctuation (except inside
//     numbers) and spaces.
//  2. The selector is sure enough of one entry. An encoder turns the question into vectors (package encoder), the
//     entries are ranked by meaning and words (packages semantic and lexical), and the probability that the first entry
//     answers is compared with a threshold. The threshold follows from the share of answers that must be right.
//  3. A language model, if there is one, picks an entry or none ([Cascade]).
//  4. The fallback, with up to five candidates: the entries that come closest, unless the question seems to be about
//     something else than the business.
//
// The answer is an entry's text or the fallback, byte for byte, whatever the question is. A question of two parts that
// two entries answer gets the fallback with both as the first candidates. If the content has several languages and that
// of the question is certain, only entries in that language are considered.
//
// The selector needs no network. It prepares the entries when the content is loaded; what it knows besides was fitted
// by faq/train/selector and is embedded. A wrong answer is worse than none, so it answers only when it is sure.
package faq
