package lexical

// vote is a wording that is near the question, and whose it is.
type vote struct {
	near  float32
	entry int32
}

// voters are the nearest wordings that are counted.
const voters = 8

// vote keeps v if it is among the nearest; the nearest stand first.
func (d *scratch) vote(v vote) {
	at := voters
	for at > 0 && d.votes[at-1].near < v.near {
		at--
	}
	if at < voters {
		copy(d.votes[at+1:], d.votes[at:])
		d.votes[at] = v
	}
}

// voted is the share of an entry in the votes, nearer ones counting more.
func (d *scratch) voted(entry int32) float64 {
	var own, all float32
	for _, v := range d.votes {
		weight := v.near * v.near * v.near
		all += weight
		if v.entry == entry {
			own += weight
		}
	}
	if all == 0 {
		return 0
	}
	return float64(own / all)
}
