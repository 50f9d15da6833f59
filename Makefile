# Everything a person or CI does with this repository. Needs Python 3.11 or later and make; the rest is installed here.
#
#   make demo        rank the bundled example and a made-up venue, and make a report to open in a browser
#   make test        install what the tests need; lint, types, tests, documentation
#   make docs        the documentation as a web site, into build/site
#   make reproduce   the paper's figures and numbers, into build/reproduction
#   make accuracy    how good the methods are, into build/accuracy (about half an hour on two processors)
#   make test-slow   the exhaustive checks
#   make bench       speed, as ratios to bare polars and numpy
#   make golden      recompute the expected results of the golden cases
#   make page        rewrite paper/REPRODUCTION.md and the pictures of the documentation
#   make clean       remove everything that was installed or built here

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV := .venv
LEAN := .venv-lean
PIP := -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
BUILD := hatchling editables setuptools wheel  # the last two for PySpark, which comes as sources
WORKERS := --numprocesses logical --maxprocesses 8 --no-loadscope-reorder  # of pytest, by file: tests/conftest.py

.PHONY: demo test docs browser java postgresql lint types unit lean reproduce accuracy test-slow bench golden page clean

demo: $(VENV)/run.stamp
	@mkdir -p build/demo
	@echo
	@echo "== surpeer score examples/workshop.csv"
	@echo "   A workshop of twelve papers, ranked by ratings and predictions:"
	@$(VENV)/bin/surpeer score examples/workshop.csv --format table
	@echo
	@echo "== surpeer explain examples/workshop.csv W07"
	@echo "   Why does W07 stand where it stands?"
	@$(VENV)/bin/surpeer explain examples/workshop.csv W07
	@echo
	@echo "== surpeer report examples/workshop.csv --accept 25% --title Workshop --output build/demo/workshop.html"
	@echo "   The same to look at, if a quarter of the papers can be accepted:"
	@$(VENV)/bin/surpeer report examples/workshop.csv --accept 25% --title Workshop --output build/demo/workshop.html
	@echo
	@echo "== surpeer demo --output build/demo"
	@$(VENV)/bin/surpeer demo --output build/demo
	@echo
	@echo "Now open build/demo/report.html in a browser."
	@echo "A venue that collects reviews in the browser, to look around in: $(VENV)/bin/surpeer serve --demo"

test: lint types unit lean

lint: $(VENV)/test.stamp
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check --quiet .
	$(VENV)/bin/python tools/check_rings.py
	$(VENV)/bin/python tools/check_tracked.py

types: $(VENV)/test.stamp
	SURPEER_SECRET_KEY=only-for-types $(VENV)/bin/mypy

# Tests start hundreds of processes; where Python may not keep what it compiles, each would compile everything anew, and
# so would each worker of pytest with its own form of the tests, which takes it a third of the time to list them.
unit: $(VENV)/test.stamp browser java postgresql
	@$(VENV)/bin/python -m compileall -q src tests
	PYTHONDONTWRITEBYTECODE= $(VENV)/bin/python -m pytest -m "not slow" $(WORKERS)

docs: $(VENV)/test.stamp
	$(VENV)/bin/python -m sphinx -q -W --keep-going -n -E -a -c docs -b html -d build/doctrees . build/site
	@echo "build/site/index.html"

# The report and the venue in the browser are tested in a real one; that without windows is the same at half the time.
browser:
	@command -v chromium-headless-shell >/dev/null || { \
	  if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium chromium-headless-shell >/dev/null; } \
	      || command -v chromium >/dev/null; \
	  elif ! command -v chromium >/dev/null; then \
	    echo "Chromium is not installed: the tests in a browser are skipped. (Debian: sudo apt install chromium)"; \
	  fi; }

# Apache Spark runs on Java 17 or later.
java:
	@command -v java >/dev/null || { \
	  if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq openjdk-17-jre-headless >/dev/null; \
	  else \
	    echo "Java is not installed: the tests on Apache Spark are skipped. (Debian: sudo apt install openjdk-17-jre-headless)"; \
	  fi; }

# The venue in the browser runs on an embedded database and on this one. Debian keeps its programs off the path.
postgresql:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
	  if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null; \
	  else \
	    echo "PostgreSQL is not installed: the tests on it are skipped. (Debian: sudo apt install postgresql)"; \
	  fi; }

# The command with nothing installed but what the package itself asks for.
lean: $(LEAN)/run.stamp
	$(LEAN)/bin/python tools/check_lean.py

reproduce: $(VENV)/run.stamp
	$(VENV)/bin/surpeer reproduce --output build/reproduction

accuracy: $(VENV)/run.stamp
	$(VENV)/bin/surpeer bench accuracy --output build/accuracy

test-slow: $(VENV)/test.stamp browser java postgresql
	@$(VENV)/bin/python -m compileall -q src tests
	PYTHONDONTWRITEBYTECODE= $(VENV)/bin/python -m pytest -m slow $(WORKERS)

bench: $(VENV)/run.stamp
	$(VENV)/bin/python benchmarks/score_cli.py
	$(VENV)/bin/python benchmarks/score_cli.py --method venue --reviews 80000 --levels 10 --repeats 3
	$(VENV)/bin/python benchmarks/experiments.py
	$(VENV)/bin/python benchmarks/connectors.py
	$(VENV)/bin/python benchmarks/report.py
	$(VENV)/bin/python benchmarks/scale.py --quick --only binary sorted levels text csv out-of-core start thousand growth

golden: $(VENV)/test.stamp
	$(VENV)/bin/python tools/regenerate_golden.py

page: $(VENV)/test.stamp browser
	$(VENV)/bin/python tools/write_reproduction.py
	$(VENV)/bin/python tools/write_explanation_pictures.py
	$(VENV)/bin/python tools/write_web_pictures.py

clean:
	rm -rf $(VENV) $(LEAN) build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage

%/bin/python:
	@test -n "$(PYTHON)" || { echo "No Python found. Install Python 3.11 or later (Debian: apt install python3 python3-venv)."; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11. Install a later one, or name it: make PYTHON=/path/to/python3.11"; exit 1; }
	@"$(PYTHON)" -m venv $* || { rm -rf $*; echo "$(PYTHON) cannot make virtual environments (Debian: apt install python3-venv)."; exit 1; }

# The package with what its reports, pictures, workbooks and venues in the browser need, and (lean) with its own
# dependencies alone.
$(VENV)/run.stamp: WITH := [excel,figures,report,web]

%/run.stamp: %/bin/python pyproject.toml constraints.txt
	$*/bin/python $(PIP) $(BUILD)
	$*/bin/python $(PIP) --no-build-isolation --editable '.$(WITH)'
	@touch $@

$(VENV)/test.stamp: $(VENV)/run.stamp
	$(VENV)/bin/python $(PIP) --no-build-isolation --editable '.[test]'
	@touch $@

.PRECIOUS: %/bin/python %/run.stamp
