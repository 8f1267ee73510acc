# What CI checks, and shortcuts. Everything but lint needs Go alone.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: check fmt vet staticcheck test faults lint bench figures microbench fuzz eval calibrate

check: fmt vet staticcheck test

fmt:
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "gofmt would change: $$unformatted"; exit 1; }

vet:
	go vet ./...
	cd bench && go vet ./...

staticcheck:
	go run $(STATICCHECK) ./...
	cd bench && go run $(STATICCHECK) ./...

test:
	go test -race ./...
	cd bench && go test -race ./...

faults: # what takes longer than a few seconds; some minutes. FRONTDESK_FAULTS_SEED gives a run's numbers again
	FRONTDESK_FAULTS=1 go test -count=1 -parallel 32 -timeout 10m -v ./faults

lint: # needs golangci-lint v2
	golangci-lint run

ARGS ?=
bench: # CPU a request beside the limit and the peers; a minute or two, on Linux. ARGS=-help lists what it can
	cd bench && go run . $(ARGS)

figures: # the figures and plots of docs/performance.md and docs/scale.md, made anew; some ten minutes
	cd bench && go run . -rounds 15 -growth -docs ../docs $(ARGS)

microbench: # Go's benchmarks of the parts
	go test -run '^$$' -bench . -benchmem ./...

DATA ?= ../shared/data
eval: # the figures of docs/answers.md; some minutes
	go run ./tools/selector table --data $(DATA) --plot docs/risk-coverage.svg

calibrate: # what the selector ships, made anew of the training parts
	go run ./tools/selector calibrate --data $(DATA)

FUZZTIME ?= 30s
FUZZED ?= ./...
fuzz: # each fuzz test of FUZZED for FUZZTIME
	@for package in $$(go list $(FUZZED)); do \
	  for name in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
	    go test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
	  done; \
	done
