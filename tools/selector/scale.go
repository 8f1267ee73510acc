package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"frontdesk/content"
	"frontdesk/faq"
)

// The largest FAQ that is promised: real texts, dealt out as entries of two wordings.
const (
	scaleEntries = 10_000
	scaleTexts   = 2
	scaleAsked   = 2000
)

// scale measures load, memory and time of the whole cascade without a model.
func scale(s *simulator, out io.Writer) {
	texts := slices.Concat(s.texts["clinc150"], s.texts["hwu64"])
	rng := rand.New(rand.NewPCG(5, 5))
	rng.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	book := content.FAQ{Fallback: "-"}
	for i := range min(scaleEntries, (len(texts)-scaleAsked)/scaleTexts) {
		wordings := texts[i*scaleTexts:][:scaleTexts]
		book.Entries = append(book.Entries, content.Entry{
			ID: fmt.Sprint("e", i), Question: wordings[0], Alternates: wordings[1:], Answer: "-",
		})
	}
	before, began := heap(), time.Now()
	asked := faq.New(book, nil, func(url string) string { return url })
	load, memory := time.Since(began), heap()-before
	var took []time.Duration
	for _, q := range texts[len(texts)-scaleAsked:] {
		began := time.Now()
		asked.Try(q)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	fmt.Fprintf(out, "%d entries of %d wordings: load %.2fs, %d MiB, p50 %s, p90 %s, p99 %s\n", len(book.Entries), scaleTexts,
		load.Seconds(), memory>>20, took[len(took)/2], took[len(took)*9/10], took[len(took)*99/100])
	runtime.KeepAlive(asked)
}

// heap is what is in use once all that is not is gone.
func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
