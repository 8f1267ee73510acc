// Package semantic chooses the entry that answers a question, by meaning and by words.
//
//   - A sentence encoder turns each question, and the wordings and answers of the content, into vectors (embedder.go,
//     store.go, index.go).
//   - A linear model ranks the entries by the similarity of vectors (index.go), of single words by meaning (words.go,
//     parts.go), and by the evidence of package lexical (evidence.go).
//   - Gradient-boosted trees estimate from the features of the first entry how probably it answers, and how probably
//     the question is about the business at all (parameters.go).
//
// faq/train/selector fits these models; data/README.md names the data.
package semantic
