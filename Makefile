# Everything on a fresh machine: `make fixture` runs the benchmark, `make test` the project's own tests.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=
# What the reference system is known to miss of web-questions-v1, at seed 0 (docs/questions.md).
KNOWN := --webretrieval-baseline=benchmarks/web-questions-v1.baseline.yaml
CORPORA ?= web-retrieval-v1 web-retrieval-faults-v1 web-hostile-v1
REAL := $(abspath $(BIN))/toxiproxy-server
# Runs and tests start many processes: none of them shall compile what another has compiled.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(abspath $(VENV))/pycache

.PHONY: help toxiproxy fixture test agents mutants mutants-full real-bugs yardsticks lint format bench clean

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

$(VENV)/.use: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[all]'
	@touch $@

$(VENV)/.dev: $(VENV)/.use pyproject.toml
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

# A browser is looked for on the machine first, and brought only when there is none. Without one the cases that need it
# are left out, visibly.
$(VENV)/.browser: $(VENV)/.use
	-$(BIN)/webretrieval browser && touch $@

# A real Toxiproxy for the tests that hold the embedded one against it; only where Go is, and never a reason to stop.
$(VENV)/.toxiproxy: $(BIN)/python
	@if command -v go > /dev/null; then \
	  place=$$(mktemp -d) && \
	  GOBIN=$$place go install github.com/Shopify/toxiproxy/v2/cmd/server@latest && \
	  mv $$place/server $(BIN)/toxiproxy-server && touch $@ || echo "no Toxiproxy could be built: its tests are skipped"; \
	else echo "no Go here: tests against a real Toxiproxy are skipped"; fi

toxiproxy: $(VENV)/.toxiproxy  ## build a real Toxiproxy where Go is, for the tests that compare

fixture: $(VENV)/.use $(VENV)/.browser $(VENV)/.toxiproxy  ## run all corpora in the fixture lane (no key, no network)
	$(BIN)/pytest --lane=fixture $(addprefix --webretrieval-corpus=,$(CORPORA)) $(ARGS)
	$(BIN)/pytest --lane=fixture --webretrieval-corpus=web-questions-v1 $(if $(ARGS),$(ARGS),$(KNOWN))
	@if [ -x $(REAL) ]; then echo "the faults again, by a real Toxiproxy" && \
	  $(BIN)/pytest --lane=fixture --webretrieval-corpus=web-retrieval-faults-v1 --webretrieval-toxiproxy=$(REAL) $(ARGS); fi

test: $(VENV)/.dev $(VENV)/.browser $(VENV)/.toxiproxy  ## run the project's own tests
	$(BIN)/pytest -n auto --dist loadfile $(ARGS)

agents: $(VENV)/.use $(VENV)/.browser  ## run the example agents, each in an environment of its own (no key)
	$(BIN)/python examples/agents/run.py $(ARGS)

mutants: $(VENV)/.dev $(VENV)/.browser  ## prove every rule by wrong systems that it catches and right ones that it leaves alone
	$(BIN)/python -m tests.mutants.matrix $(ARGS)

mutants-full: $(VENV)/.dev $(VENV)/.browser  ## the same, each system on every case that it could meet (takes hours)
	$(BIN)/python -m tests.mutants.matrix --full $(ARGS)

real-bugs: $(VENV)/.use  ## run systems on libraries that have a known bug, and on the same libraries without it
	$(BIN)/python examples/real_bugs/run.py $(ARGS)

yardsticks: $(VENV)/.dev  ## measure graders on outside data (WEBRETRIEVAL_DATA names its folder)
	$(BIN)/python -m benchmarks.yardsticks $(ARGS)

bench: $(VENV)/.dev  ## measure the overhead beside plain pytest, and how runs overlap (some minutes)
	$(BIN)/python benchmarks/overhead.py $(ARGS)
	$(BIN)/python benchmarks/overlap.py

lint: $(VENV)/.dev  ## ruff, mypy --strict, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev  ## mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## remove what builds and runs left
	rm -rf build dist .webretrieval .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
