package lexical

import "frontdesk/content"

// wording is a question of an entry, or of none.
type wording struct {
	text  string
	entry int32
}

// NoEntry is the entry of a question that is out of scope.
const NoEntry = -1

// wordings lists the question and the alternates of each entry, and then the unanswered questions.
func wordings(entries []content.Entry, unanswered []string) []wording {
	var all []wording
	for i := range entries {
		all = append(all, wording{entries[i].Question, int32(i)})
		for _, alternate := range entries[i].Alternates {
			all = append(all, wording{alternate, int32(i)})
		}
	}
	for _, question := range unanswered {
		all = append(all, wording{question, NoEntry})
	}
	return all
}

// learn numbers the features of the wordings, and returns how many wordings have each.
func (r *reader) learn(all []wording) (counts []int32) {
	var last []int32 // wording that was counted
	for i, w := range all {
		r.features(w.text, true, func(f feature) {
			for int(f) >= len(counts) {
				counts, last = append(counts, 0), append(last, -1)
			}
			if last[f] != int32(i) {
				last[f] = int32(i)
				counts[f]++
			}
		})
	}
	return counts
}
