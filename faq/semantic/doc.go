// Package semantic chooses the entry that answers a question by what both mean, and by their words.
//
//   - A sentence encoder turns the wordings and answers of the content into vectors, and each question (embedder.go,
//     store.go, index.go).
//   - A linear model ranks the entries by the similarity of the vectors and of their words (words.go, parts.go), and by
//     the evidence of package lexical (evidence.go). Content of many wordings decides itself how much words count
//     beside that (blend.go).
//   - Gradient-boosted trees turn what speaks for the first entry into one probability that it answers (parameters.go),
//     and into one that the question is about the business at all.
//
// faq/train/selector fits both models; data/README.md says to what.
package semantic
