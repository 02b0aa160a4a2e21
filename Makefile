# The two commands to begin with are `make run` and `make test`; each installs what is missing first.

SWIFT ?= swift
BUILD := .build/debug
VENV := .build/venv

.PHONY: run test test-threads fuzz bench bench-smoke bench-cache bench-build soak check format clean install-run \
    install-test install-bench

## run: serve tokens on this machine for development; ARGS="--port 8081" adds options
run: install-run
	@echo "Building tokend; the first build fetches and compiles its dependencies and takes some minutes."
	@$(SWIFT) build --product tokend
	@exec $(BUILD)/tokend dev $(ARGS)

## test: build everything and run all tests
test: install-test
	$(SWIFT) build --build-tests
	@# One after the other: what the tests of time-outs measure must not be how busy the others keep the machine.
	$(SWIFT) test --skip-build --no-parallel
	$(SWIFT) test --package-path Tests/Shims
	$(VENV)/bin/pytest Tests/EndToEnd

## test-threads: run the tests of what apps embed under ThreadSanitizer
test-threads: THREADS := --package-path Tests/ThreadSanitizer --scratch-path .build/threads --sanitize=thread
test-threads: install-run
	$(SWIFT) build $(THREADS) --build-tests
	@# Those with threads of their own; the others check rules, and the model checker one thread for minutes.
	TSAN_OPTIONS=suppressions=Tests/ThreadSanitizer/suppressions.txt \
	    $(SWIFT) test $(THREADS) --skip-build --no-parallel --filter 'StressTests|CallbackTests'

## check: formatting, shell scripts, and what the client modules may use
check: install-test
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Examples Benchmarks Fuzz/Package.swift \
	    Fuzz/Sources/Fuzz
	shellcheck .ci/run scripts/*.sh
	scripts/check-ios14.sh --self-test
	scripts/check-ios14.sh
	scripts/check-light-client.sh --self-test
	scripts/check-light-client.sh

## fuzz: run each parser under libFuzzer for a minute; SECONDS=600 makes it ten
SECONDS ?= 60
fuzz: install-test
	scripts/fuzz.sh $(SECONDS)

## format: rewrite the sources as `make check` wants them
format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Examples Benchmarks Fuzz/Package.swift \
	    Fuzz/Sources/Fuzz

BENCH_PYTHON := .build/bench/venv/bin/python

## bench: compare the service with its peers and with the machine's limits; half an hour, on a machine that does nothing else
bench: bench-build
	$(BENCH_PYTHON) Benchmarks/bench.py $(ARGS)
	$(BENCH_PYTHON) Benchmarks/growth.py
	$(BENCH_PYTHON) Benchmarks/instructions.py

## bench-smoke: whether all benchmarks run and all tokens verify, with debug builds; how fast doesn't matter
bench-smoke: export FLEET_TOKEN_BUILD := $(CURDIR)/$(BUILD)
bench-smoke: install-bench
	$(SWIFT) build --product tokend
	$(SWIFT) build --product tokenctl
	$(SWIFT) build --package-path Benchmarks/Mint --scratch-path .build/mint
	$(BENCH_PYTHON) Benchmarks/bench.py --smoke
	$(BENCH_PYTHON) Benchmarks/growth.py --smoke
	$(BENCH_PYTHON) Benchmarks/instructions.py --only claims

## soak: half an hour under load with rotations, reloads and slow clients; ARGS="--minutes 5" makes it shorter
soak: bench-build
	$(BENCH_PYTHON) Benchmarks/soak.py $(ARGS)

bench-build: install-bench
	$(SWIFT) build -c release --product tokend
	$(SWIFT) build -c release --product tokenctl
	$(SWIFT) build -c release --package-path Benchmarks/Mint --scratch-path .build/mint

## bench-cache: compare a cache hit with a bare lock and with an actor
bench-cache: install-run
	$(SWIFT) package --package-path Benchmarks --disable-sandbox benchmark

clean:
	rm -rf .build

install-run:
	@scripts/install.sh run

install-test:
	@scripts/install.sh test

install-bench:
	@scripts/install.sh bench
