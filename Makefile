# The two commands to begin with are `make run` and `make test`; each installs what is missing first.

SWIFT ?= swift
BUILD := .build/debug
SHIP := .build/ship
VENV := .build/venv

.PHONY: run test test-commands test-release test-threads test-service-threads examples docs fuzz fuzz-keep release bench \
    bench-smoke bench-cache bench-build soak check format clean install-run install-release install-test install-bench

## run: serve tokens on this machine for development; ARGS="--port 8081" adds options
run: install-run
	@echo "Building tokend; the first build fetches and compiles its dependencies and takes some minutes."
	@$(SWIFT) build --product tokend
	@exec $(BUILD)/tokend dev $(ARGS)

## test: build everything and run all tests; with debug builds, which take less time, but in CI the commands are those that ship
test: install-test
	$(SWIFT) build --build-tests
	@# One after the other: what the tests of time-outs measure must not be how busy the others keep the machine.
	$(SWIFT) test --skip-build --no-parallel
	$(SWIFT) test --package-path Tests/Shims
	@$(MAKE) test-commands

## test-commands: run the end-to-end tests of tokend and tokenctl; FLEET_TOKEN_BUILD says which builds, where not the debug ones
test-commands: export FLEET_TOKEN_BUILD ?= $(CURDIR)/$(if $(CI),$(SHIP),$(BUILD))
test-commands: install-test $(if $(CI),release)
	@# Two workers; what measures times or needs the machine to itself comes after, alone.
	$(VENV)/bin/pytest Tests/EndToEnd -m "not alone" -n 2 --dist loadfile
	$(VENV)/bin/pytest Tests/EndToEnd -m alone

## test-release: run the Swift tests as the optimizer makes them, and the commands that ship where they run commands
test-release: export FLEET_TOKEN_BUILD := $(CURDIR)/$(SHIP)
test-release: install-test release
	FLEET_TOKEN_LANE=testing $(SWIFT) build -c release --build-tests
	FLEET_TOKEN_LANE=testing $(SWIFT) test -c release --skip-build --no-parallel

# As deploy/Dockerfile has them; a test compares.
RELEASE := -c release --static-swift-stdlib -Xlinker -s -Xlinker --no-export-dynamic

## release: build tokend and tokenctl as they ship, stripped and with the Swift runtime inside, into .build/ship
release: install-release
	@# In a folder of its own: with the static runtime everything is compiled differently.
	$(SWIFT) build $(RELEASE) --scratch-path .build/static --product tokend
	@# Foundation's URLSession needs libcurl and doesn't say so to the linker.
	$(SWIFT) build $(RELEASE) --scratch-path .build/static -Xlinker -lcurl --product tokenctl
	install -D -t $(SHIP) .build/static/release/tokend .build/static/release/tokenctl

## test-threads: run the tests of what apps embed under ThreadSanitizer
test-threads: THREADS := --package-path Tests/ThreadSanitizer --scratch-path .build/threads --sanitize=thread
test-threads: install-run
	$(SWIFT) build $(THREADS) --build-tests
	@# Those with threads of their own; the others check rules, and the model checker one thread for minutes.
	TSAN_OPTIONS=suppressions=Tests/ThreadSanitizer/suppressions.txt \
	    $(SWIFT) test $(THREADS) --skip-build --no-parallel \
	    --filter 'StressTests|CallbackTests|DeadlinesTests|DemandFaultTests|LatenessFaultTests'
	scripts/check-thread-sanitizer.sh $(THREADS)

## test-service-threads: run the service under ThreadSanitizer, loaded and reloaded
test-service-threads: export FLEET_TOKEN_BUILD := $(CURDIR)/.build/service-threads/bin
test-service-threads: install-test
	mkdir -p $(FLEET_TOKEN_BUILD)
	clang -fsanitize=thread -O1 -c Tests/ThreadSanitizer/mutex.c -o .build/service-threads/mutex.o
	$(SWIFT) build --sanitize=thread --scratch-path .build/service-threads --product tokend \
	    -Xlinker $(CURDIR)/.build/service-threads/mutex.o
	$(SWIFT) build --product tokenctl
	install -D -t $(FLEET_TOKEN_BUILD) .build/service-threads/debug/tokend $(BUILD)/tokenctl
	$(VENV)/bin/pytest Tests/EndToEnd/threads.py

## examples: build the example and run it against a service
examples: install-test
	$(SWIFT) build --product tokend
	$(SWIFT) build --package-path Examples --scratch-path .build/examples
	$(VENV)/bin/pytest Tests/EndToEnd/examples.py

## docs: build the documentation of what apps embed; a warning is an error
docs: install-run
	scripts/docs.sh

## check: formatting, shell scripts, what the client modules may use, and the examples of the documentation
check: install-test
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Examples Benchmarks Fuzz
	shellcheck .ci/run scripts/*.sh
	scripts/check-ios14.sh --self-test
	scripts/check-ios14.sh
	scripts/check-light-client.sh --self-test
	scripts/check-light-client.sh
	scripts/check-snippets.sh --self-test
	scripts/check-snippets.sh

## fuzz: run each parser under libFuzzer for a minute; SECONDS=600 makes it ten
SECONDS ?= 60
fuzz: install-test
	scripts/fuzz.sh $(SECONDS)

## fuzz-keep: add to Fuzz/Corpus what `make fuzz` found and its inputs don't reach, to be committed
fuzz-keep:
	scripts/fuzz-keep.sh

## format: rewrite the sources as `make check` wants them
format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Examples Benchmarks Fuzz

BENCH_PYTHON := .build/bench/venv/bin/python

## bench: compare the service with its peers and with the machine's limits; half an hour, on a machine that does nothing else
bench: bench-build
	$(BENCH_PYTHON) Benchmarks/bench.py $(ARGS)
	$(BENCH_PYTHON) Benchmarks/growth.py
	$(BENCH_PYTHON) Benchmarks/instructions.py

## bench-smoke: whether all benchmarks run and all tokens verify; how fast doesn't matter
bench-smoke: bench-build
	$(BENCH_PYTHON) Benchmarks/bench.py --smoke
	$(BENCH_PYTHON) Benchmarks/growth.py --smoke
	$(BENCH_PYTHON) Benchmarks/instructions.py --only claims

## soak: half an hour under load with rotations, reloads and slow clients; ARGS="--minutes 5" makes it shorter
soak: bench-build
	$(BENCH_PYTHON) Benchmarks/soak.py $(ARGS)

bench-build: install-bench release
	FLEET_TOKEN_LANE=testing $(SWIFT) build -c release --product MintBenchmark
	install -D -t .build/mint .build/release/MintBenchmark

## bench-cache: compare a cache hit with a bare lock and with an actor
bench-cache: install-run
	$(SWIFT) package --package-path Benchmarks --disable-sandbox benchmark

clean:
	rm -rf .build

install-run:
	@scripts/install.sh run

install-release:
	@scripts/install.sh release

install-test:
	@scripts/install.sh test

install-bench:
	@scripts/install.sh bench
