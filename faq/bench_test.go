package faq

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"frontdesk/content"
)

// large makes an FAQ of n entries whose words are as unevenly common as in real
// text, and a question close to one of its wordings.
func large(n int) (content.FAQ, string) {
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.2, 4, uint64(40*n))
	sentence := func() string {
		parts := strings.Fields("how do I the for")
		for range 5 {
			parts = append(parts, fmt.Sprintf("word%ding", zipf.Uint64()))
		}
		rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		return strings.Join(parts, " ") + "?"
	}
	faq := content.FAQ{Fallback: "-"}
	for i := range n {
		faq.Entries = append(faq.Entries, content.Entry{
			ID: fmt.Sprint("e", i), Question: sentence(), Answer: "Yes.",
			Alternates: []string{sentence(), sentence(), sentence()},
		})
	}
	return faq, "please " + faq.Entries[n/2].Question
}
