// Package lexical chooses the entry that answers a question, by its words, without a
// model from elsewhere.
//
// Texts become vectors of stems, pairs and skips of stems, parts of words and
// concepts (space.go, vector.go). Entries are scored by BM25 (bm25.go), by the
// likeness of their wordings, one by one and together (scratch.go), and, while entries
// times features are not too many, by logistic regression and support vector machines
// that are trained at load (logistic.go, svm.go, matrix.go). What speaks for the best
// one (evidence.go, weigh.go) becomes one confidence (calibration.go), which is
// fitted to simulated FAQs and refitted to what the content shows of itself when some of
// it is taken out (holdout.go, fit.go, threshold.go). Questions that the owner wants
// unanswered are trained on as belonging to no entry, and words behind a typing error are
// read as the word that was meant (typos.go). docs/answers.md explains it for owners.
package lexical
