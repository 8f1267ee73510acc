// Package meaning chooses the entry that answers a question by what both mean, and by their words.
//
// A sentence encoder turns the wordings and answers of the content, and each question that words leave open,
// into vectors. A linear model ranks the entries by the likeness of the vectors and by the scores of package
// lexical, and gradient-boosted trees turn the evidence for the first entry into one probability that it
// answers the question. Both are fitted by tools/selector and shipped (data/README.md).
package meaning
