# Start with `make run` and `make test`. Each installs missing dependencies first.

SWIFT ?= swift
export SWIFT
# Warnings are errors in builds of our own (Package.swift).
export FLEET_TOKEN_LANE ?= development
# swiftly puts Swift here; shells that were started before do not know it.
export PATH := $(PATH):$(HOME)/.local/share/swiftly/bin
BUILD := .build/debug
# Tests are found in the index for editors, which takes a third of a debug build unless it leaves out what is imported. All
# debug builds of the package have the same flags: they share a folder, and other flags would compile everything again.
DEBUG := -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules
# Without that index, where no tests are to be found.
WITHOUT_INDEX := --disable-index-store
SHIP := .build/ship
VENV := .build/venv
# The programs that tests start, where they do not test these alone.
PROGRAMS := $(CURDIR)/$(if $(CI),$(SHIP),$(BUILD))

.PHONY: $(shell sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' Makefile)

### Every day

## help: list the targets
help:
	@sed -n 's/^### /\n/p; s/^## \([^:]*\):/\1\t/p' Makefile | awk -F'\t' 'NF > 1 { $$1 = sprintf("  make %-20s", $$1) } { print $$1 $$2 }'

## run: serve tokens on this machine for development; ARGS="--port 8081" adds options
run:
	@exec scripts/install.sh run $(MAKE) --no-print-directory run-here 'ARGS=$(ARGS)'

run-here: Package.resolved $(BUILD)/tokend
	@exec $(BUILD)/tokend dev $(ARGS)

# The reviewed versions, of which every build is made. SwiftPM alone would take the newest.
Package.resolved FleetEngine/Package.resolved: Package.versions.json
	@cp $< $@

# SwiftPM alone takes ten seconds to find that nothing has changed.
$(BUILD)/tokend: Package.swift $(shell find Sources -type f)
	@echo "Building tokend. The first time, dependencies are fetched and compiled: usually 3 to 4 minutes on two cores."
	@$(SWIFT) build $(DEBUG) --product tokend
	@touch $@

## demo: drive a vehicle and follow its trip with the emulator; ARGS="--faults flaky", "--delivery", "--help"
demo: install-run
	@echo "Building tokend, the emulator and the demo; the first build takes some minutes."
	@$(SWIFT) build $(DEBUG) --product tokend
	@$(SWIFT) build $(DEBUG) --package-path FleetEngine --product fleet-engine-emulator
	@$(SWIFT) build $(DEBUG) --package-path FleetEngine --product fleet-demo
	@exec FleetEngine/demo.sh $(ARGS)

## emulator: build the Fleet Engine emulator, and start it with the keys of `make run`; ARGS="--help"
emulator: install-run
	@$(SWIFT) build $(DEBUG) --package-path FleetEngine --product fleet-engine-emulator
	@exec FleetEngine/.build/debug/fleet-engine-emulator --keys keys $(ARGS)

## test: build everything, and run the Swift, end-to-end and JavaScript tests: about ten minutes after the first build
test:
	@echo "Not in it: browsers, reverse proxies, emulator, sanitizers, examples and packages (.ci/run all)."
	@scripts/install.sh test $(MAKE) --no-print-directory test-here

# Serially: tests of timeouts must not measure the load of other tests.
SWIFT_TEST := $(SWIFT) test $(DEBUG) --skip-build --no-parallel
# Tests without sockets, timeouts and child processes: a busy machine only makes them slow. Two modules, and a property.
COMPUTATIONS := '^(FleetToken|JOSE)Tests[.]|[.]GrantPropertyTests/'
PYTEST := $(VENV)/bin/pytest

test-here: export FLEET_TOKEN_BUILD ?= $(PROGRAMS)
test-here: Package.resolved $(if $(CI),release) build-tests
	$(MAKE) --no-print-directory --jobs 2 --output-sync test-computations test-commands
	@# Tests that measure times or need the whole machine. Only the files that have one: to collect all takes as long as some.
	$(PYTEST) $(shell grep -l 'mark[.]alone' Tests/EndToEnd/test_*.py) -m alone
	$(SWIFT_TEST) --skip $(COMPUTATIONS)
	@# Each test has a time limit (Tests/Web/support.js). Debian 12 has Node 18, without options for one.
	tsc -p web && node --test Tests/Web/*.test.js

# Swift tests without I/O run at low priority beside the end-to-end tests, which mostly wait.
test-computations:
	nice -n 19 $(SWIFT_TEST) --filter $(COMPUTATIONS)
	nice -n 19 $(SWIFT) test --package-path Tests/Shims

# Files with slow tests come first (conftest.py).
test-commands:
	$(PYTEST) Tests/EndToEnd -m 'not alone and not browser and not tools' -n 4 --dist loadfile --no-loadscope-reorder

## check: formatting, what client modules may use, documentation and scripts
check: install-test
	@# The longest first.
	$(MAKE) --no-print-directory --keep-going --jobs 2 --output-sync $(CHECKS)

CHECKS := check-snippets check-app check-format check-objective-c check-schemas check-shell check-docs \
    check-images check-workflows

check-app check-objective-c:
	scripts/$@.sh

check-snippets check-docs:
	scripts/$@.py

check-format:
	$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)

check-schemas:
	$(GITHUB_SCHEMAS)

check-shell:
	shellcheck --external-sources .ci/* scripts/*.sh Tests/EndToEnd/*.sh deploy/*.sh deploy/debian/p*

check-images:
	$(VENV)/bin/hadolint --config deploy/hadolint.yaml deploy/Dockerfile FleetEngine/Dockerfile

check-workflows:
	$(VENV)/bin/zizmor --offline --quiet --no-progress .github

FORMATTED := Package.swift Sources FleetEngine Tests Examples Benchmarks/Peers/Swift Fuzz
SCHEMA := $(VENV)/bin/check-jsonschema --quiet --builtin-schema
GITHUB_SCHEMAS := $(SCHEMA) vendor.github-workflows .github/workflows/*.yml && $(SCHEMA) vendor.dependabot .github/dependabot.yml \
    && $(SCHEMA) vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml \
    && $(SCHEMA) vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))

## format: format the sources for `make check`
format:
	$(SWIFT) format --in-place --parallel --recursive $(FORMATTED)

## clean: remove everything that was built
clean:
	rm -rf .build FleetEngine/.build Examples/.build Examples/Backend/.build Tests/Shims/.build Tests/ThreadSanitizer/.build

### More tests

## test-browser: test the pages in a headless browser
test-browser: export FLEET_TOKEN_BUILD ?= $(PROGRAMS)
test-browser: install-browser $(if $(CI),release,build-tests)
	$(PYTEST) Tests/EndToEnd -m browser

## test-tools: run the tests that need reverse proxies
test-tools: export FLEET_TOKEN_BUILD ?= $(PROGRAMS)
test-tools: install-all $(if $(CI),release,build-programs)
	$(PYTEST) Tests/EndToEnd -m tools -n 4 --dist loadfile

## test-emulator: build the companion, and test it, with Google's own client libraries too
test-emulator: export FLEET_TOKEN_BUILD ?= $(PROGRAMS)
test-emulator: install-browser $(if $(CI),release,build-programs)
	$(SWIFT) test $(DEBUG) --package-path FleetEngine
	tsc -p FleetEngine/Tests/Page && node --test FleetEngine/Tests/Page/*.test.js
	$(SWIFT) test --package-path FleetEngine/Examples/MapStyle
	$(VENV)/bin/pytest FleetEngine/Tests/EndToEnd

## examples: build the examples, run their tests, and run the programs against a service
examples: export FLEET_TOKEN_BUILD ?= $(PROGRAMS)
examples: install-test $(if $(CI),release,build-programs)
	$(SWIFT) build $(WITHOUT_INDEX) --package-path Examples/Backend --scratch-path .build/backend
	$(SWIFT) test --package-path Examples --scratch-path .build/examples
	$(VENV)/bin/pytest Tests/EndToEnd/examples.py

## docs: build the documentation of the client modules; warnings are errors
docs: install-run
	scripts/docs.sh

## test-release: run the Swift tests in release configuration, with the release binaries
test-release: export FLEET_TOKEN_BUILD := $(CURDIR)/$(SHIP)
test-release: install-test release
	FLEET_TOKEN_LANE=testing $(SWIFT) test -c release --no-parallel

### Sanitizers and fuzzing

## sanitizers: run the client modules and the service under ThreadSanitizer, and the service under AddressSanitizer
sanitizers: thread-sanitizer-client thread-sanitizer-service address-sanitizer

# Tells ThreadSanitizer that a Mutex synchronizes.
SEEN_MUTEX := .build/mutex.o
$(SEEN_MUTEX): Tests/ThreadSanitizer/mutex.c
	@mkdir -p $(@D)
	clang -fsanitize=thread -O1 -c $< -o $@

# Run the tests of the client modules under ThreadSanitizer.
thread-sanitizer-client: THREADS := --package-path Tests/ThreadSanitizer --scratch-path .build/threads --sanitize=thread \
    -Xlinker $(CURDIR)/$(SEEN_MUTEX)
thread-sanitizer-client: install-run $(SEEN_MUTEX)
	$(SWIFT) build $(THREADS) --build-tests
	@# Only tests that start threads; the others check rules.
	TSAN_OPTIONS=suppressions=Tests/ThreadSanitizer/suppressions.txt \
	    $(SWIFT) test $(THREADS) --skip-build --no-parallel \
	    --filter 'StressTests|SharedFetchTests|ColdStartTests|SignInTests|ProviderOverHTTPTests'

# Run the service under ThreadSanitizer, with load and reloads.
thread-sanitizer-service: export FLEET_TOKEN_BUILD := $(CURDIR)/.build/service-threads/bin
thread-sanitizer-service: install-test $(SEEN_MUTEX) $(if $(CI),release,build-programs)
	$(SWIFT) build --sanitize=thread $(WITHOUT_INDEX) --scratch-path .build/service-threads --product tokend \
	    -Xlinker $(CURDIR)/$(SEEN_MUTEX)
	install -D -t $(FLEET_TOKEN_BUILD) .build/service-threads/debug/tokend $(PROGRAMS)/tokenctl
	$(VENV)/bin/pytest Tests/EndToEnd/threads.py

# Run the service under AddressSanitizer, with the tests of callers' tokens and faulty configurations.
address-sanitizer: export FLEET_TOKEN_BUILD := $(CURDIR)/.build/service-addresses/bin
# Swift's runtime keeps what it allocates for types.
address-sanitizer: export ASAN_OPTIONS := detect_leaks=0
address-sanitizer: install-test build-programs
	$(SWIFT) build --sanitize=address $(WITHOUT_INDEX) --scratch-path .build/service-addresses --product tokend
	install -D -t $(FLEET_TOKEN_BUILD) .build/service-addresses/debug/tokend $(PROGRAMS)/tokenctl
	$(VENV)/bin/pytest Tests/EndToEnd/test_callers.py Tests/EndToEnd/test_faults.py

## fuzz: run each parser under libFuzzer for a minute; SECONDS=600 sets the time, `scripts/fuzz.sh keep` keeps new inputs
SECONDS ?= 60
fuzz: install-test
	scripts/fuzz.sh run $(SECONDS)

### Releases

# The same flags as in deploy/Dockerfile; a test compares them. No library is taken from the program's own folder, where
# nobody checks who may write, and all symbols are bound at the start, so that their table is read-only afterwards.
RELEASE := -c release --static-swift-stdlib -Xlinker -s -Xlinker --no-export-dynamic --disable-local-rpath -Xlinker -z -Xlinker now

# `--version` prints it. A change of it compiles little, and links the programs.
REVISION := $(shell git rev-parse --short=12 HEAD 2>/dev/null)

## release: build tokend and tokenctl for release, stripped and with the static Swift runtime, into .build/ship
release: export FLEET_TOKEN_REVISION ?= $(REVISION)
release: install-release
	@# Compiled modules name their folder, so a checkout that was moved is compiled anew.
	@! [ -e .build/static/checkout ] || [ "$$(cat .build/static/checkout)" = "$(CURDIR)" ] || rm -rf .build/static
	@mkdir -p .build/static && echo "$(CURDIR)" > .build/static/checkout
	@# In a separate folder: the static runtime changes how everything is compiled.
	$(SWIFT) build $(RELEASE) --scratch-path .build/static --product tokend
	$(SWIFT) build $(RELEASE) --scratch-path .build/static --product tokenctl
	@# Nothing is written if nothing changed: tests may already be running them.
	install -C -D -t $(SHIP) .build/static/release/tokend .build/static/release/tokenctl

## dist: build the Debian package for this machine's architecture into .build/dist
dist: install-dist release
	scripts/dist.sh package

## test-dist: build the Debian package, and install, upgrade, run and remove it in a fresh root file system
test-dist: export FLEET_TOKEN_BUILD := $(CURDIR)/$(SHIP)
test-dist: install-test install-test-dist dist
	$(VENV)/bin/pytest Tests/EndToEnd/dist_*.py

## update: take the newest versions of the Swift packages; review the change of Package.versions.json, and commit it
update:
	$(SWIFT) package update
	$(SWIFT) package --package-path FleetEngine update
	jq --slurp '{pins: (map(.pins[]) | unique_by(.identity) | map(.state |= {version})), version: 2}' \
	    Package.resolved FleetEngine/Package.resolved > Package.versions.json.new
	mv Package.versions.json.new Package.versions.json

### Benchmarks

BENCH_PYTHON := .build/bench/venv/bin/python

## bench: measure the service beside its peers; ARGS="--against OTHER/tokend", or "--smoke" to try all rows quickly
bench: install-bench release
	$(BENCH_PYTHON) Benchmarks/bench.py $(ARGS)

# Builds for the targets above

resolve: Package.resolved FleetEngine/Package.resolved
	$(SWIFT) package resolve
	$(SWIFT) package --package-path FleetEngine resolve

build-tests: install-release
	$(SWIFT) build $(DEBUG) --build-tests

build-programs: install-run
	$(SWIFT) build $(DEBUG) --product tokend
	$(SWIFT) build $(DEBUG) --product tokenctl

# What each purpose needs: scripts/install.sh.
install-%: Package.resolved FleetEngine/Package.resolved
	@scripts/install.sh $*
