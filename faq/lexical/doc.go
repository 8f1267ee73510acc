// Package lexical chooses the entry that answers a question by the words of both. It is trained on the entries when
// they are loaded.
//
//   - A text becomes a vector of stems, pairs and skips of stems, parts of words and concepts (space.go, vector.go). A
//     word with a typing error is read as the word that was meant (typos.go).
//   - Entries are ranked by BM25 (bm25.go), by the similarity of their wordings, one by one and together (scratch.go),
//
// and,
//
//	  unless the content is too large, by support vector machines (svm.go).
//	- The evidence for the first entry (evidence.go, weigh.go) becomes its confidence, by a logistic model that
//	  faq/train/selector fitted (knowledge.go).
//
// Questions that the owner wants unanswered are trained on as belonging to no entry. docs/selector.md has the
// measurements.
package lexical
