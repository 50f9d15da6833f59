# Everything a person or CI does with this repository. Needs Python 3.11 or later and make; the rest is installed here.
#
#   make demo        rank the bundled example and a made-up venue
#   make test        install what the tests need; lint, types, tests
#   make reproduce   the paper's figures and numbers, into build/reproduction
#   make accuracy    how good the methods are, into build/accuracy (about half an hour on two processors)
#   make test-slow   the exhaustive checks
#   make bench       speed, as ratios to bare polars and numpy
#   make golden      recompute the expected results of the golden cases
#   make page        rewrite paper/REPRODUCTION.md and its pictures
#   make clean       remove everything that was installed or built here

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV := .venv
LEAN := .venv-lean
PIP := -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
BUILD := hatchling editables

.PHONY: demo test lint types unit lean reproduce accuracy test-slow bench golden page clean

demo: $(VENV)/run.stamp
	@echo
	@echo "== surpeer score examples/workshop.csv"
	@$(VENV)/bin/surpeer score examples/workshop.csv --format table
	@echo
	@echo "== surpeer explain examples/workshop.csv W07"
	@$(VENV)/bin/surpeer explain examples/workshop.csv W07
	@echo
	@echo "== surpeer score examples/hotcrp-reviews.csv --form examples/hotcrp-form.json --to hotcrp --output build/demo/tags.csv"
	@mkdir -p build/demo
	@$(VENV)/bin/surpeer score examples/hotcrp-reviews.csv --form examples/hotcrp-form.json --to hotcrp --output build/demo/tags.csv
	@head -n 6 build/demo/tags.csv
	@echo
	@echo "== surpeer demo --output build/demo"
	@$(VENV)/bin/surpeer demo --output build/demo
	@echo
	@echo "== surpeer plan --prior 2,2 --noise 0@40% --noise 0.5@60% --accuracy 75% --output build/demo/plan.svg"
	@$(VENV)/bin/surpeer plan --prior 2,2 --noise 0@40% --noise 0.5@60% --accuracy 75% --output build/demo/plan.svg

test: lint types unit lean

lint: $(VENV)/test.stamp
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check --quiet .
	$(VENV)/bin/python tools/check_rings.py

types: $(VENV)/test.stamp
	$(VENV)/bin/mypy

unit: $(VENV)/test.stamp
	$(VENV)/bin/python -m pytest -m "not slow"

# The command with nothing installed but what the package itself asks for.
lean: $(LEAN)/run.stamp
	$(LEAN)/bin/python tools/check_lean.py

reproduce: $(VENV)/run.stamp
	$(VENV)/bin/surpeer reproduce --output build/reproduction

accuracy: $(VENV)/run.stamp
	$(VENV)/bin/surpeer bench accuracy --output build/accuracy

test-slow: $(VENV)/test.stamp
	$(VENV)/bin/python -m pytest -m slow

bench: $(VENV)/run.stamp
	$(VENV)/bin/python benchmarks/score_cli.py
	$(VENV)/bin/python benchmarks/score_cli.py --method venue --reviews 80000 --levels 10 --repeats 3
	$(VENV)/bin/python benchmarks/experiments.py
	$(VENV)/bin/python benchmarks/connectors.py

golden: $(VENV)/test.stamp
	$(VENV)/bin/python tools/regenerate_golden.py

page: $(VENV)/test.stamp
	$(VENV)/bin/python tools/write_reproduction.py

clean:
	rm -rf $(VENV) $(LEAN) build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage

%/bin/python:
	@test -n "$(PYTHON)" || { echo "No Python found. Install Python 3.11 or later (Debian: apt install python3 python3-venv)."; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11. Install a later one, or name it: make PYTHON=/path/to/python3.11"; exit 1; }
	@"$(PYTHON)" -m venv $* || { rm -rf $*; echo "$(PYTHON) cannot make virtual environments (Debian: apt install python3-venv)."; exit 1; }

# The package with what its pictures and workbooks need, and (lean) with its own dependencies alone.
$(VENV)/run.stamp: WITH := [excel,figures]

%/run.stamp: %/bin/python pyproject.toml constraints.txt
	$*/bin/python $(PIP) $(BUILD)
	$*/bin/python $(PIP) --no-build-isolation --editable '.$(WITH)'
	@touch $@

$(VENV)/test.stamp: $(VENV)/run.stamp
	$(VENV)/bin/python $(PIP) --no-build-isolation --editable '.[test]'
	@touch $@

.PRECIOUS: %/bin/python %/run.stamp
