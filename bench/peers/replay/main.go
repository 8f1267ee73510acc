// Command replay is the physical limit: net/http that sends recorded bytes, without
// routing, layers or any decision but which bytes to send.
package main

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"strconv"

	"frontdesk/bench/load"
	"frontdesk/bench/peers/recorded"
)

func main() {
	log.Fatal(run())
}

func run() error {
	answers, err := recorded.Read()
	if err != nil {
		return err
	}
	return recorded.Listen(newReplay(answers))
}

// replay holds the prepared answers.
type replay struct {
	health, catalog, notModified, gzip, ask, refused, dryRun, list, initialize, askFAQ *prepared
}

func newReplay(answers recorded.Answers) *replay {
	of := func(scenario string) *prepared { return prepare(answers[scenario]) }
	return &replay{
		health: of(recorded.Health), catalog: of(recorded.Catalog), notModified: of(recorded.NotModified),
		gzip: of(recorded.Gzip), ask: of(recorded.Ask), refused: of(recorded.Refused), dryRun: of(recorded.DryRun),
		list: of(recorded.ListServices), initialize: of(recorded.Initialize), askFAQ: of(recorded.AskFAQ),
	}
}

// ServeHTTP chooses the answer by the few differences between the scenarios.
func (p *replay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body []byte
	if r.Method == http.MethodPost {
		body = make([]byte, r.ContentLength)
		_, _ = io.ReadFull(r.Body, body) // the driver sends the whole body
	}
	p.choose(r, body).write(w)
}

func (p *replay) choose(r *http.Request, body []byte) *prepared {
	switch r.URL.Path {
	case recorded.PathHealth:
		return p.health
	case "/v1/catalog":
		switch {
		case r.Header.Get("If-None-Match") != "":
			return p.notModified
		case r.Header.Get("Accept-Encoding") != "":
			return p.gzip
		}
		return p.catalog
	case "/v1/ask":
		if r.Header.Get("X-Forwarded-For") == load.TheOneClient {
			return p.refused
		}
		return p.ask
	case "/v1/contact":
		return p.dryRun
	}
	switch {
	case bytes.Contains(body, []byte(`"initialize"`)):
		return p.initialize
	case bytes.Contains(body, []byte(`"ask_faq"`)):
		return p.askFAQ
	}
	return p.list
}

// prepared is an answer with a complete header.
type prepared struct {
	status int
	header http.Header
	body   []byte
}

func prepare(answer recorded.Answer) *prepared {
	p := &prepared{answer.Status, answer.Header.Clone(), answer.Body}
	if p.header == nil {
		p.header = http.Header{}
	}
	p.header.Del("Date") // net/http's own
	if p.status != http.StatusNotModified {
		p.header["Content-Length"] = []string{strconv.Itoa(len(p.body))}
	}
	return p
}

func (p *prepared) write(w http.ResponseWriter) {
	header := w.Header()
	for name, values := range p.header {
		header[name] = values
	}
	w.WriteHeader(p.status)
	if len(p.body) > 0 {
		_, _ = w.Write(p.body) // fails when the driver has gone
	}
}
