# Needs git, make and Python 3.11 or newer; everything else is installed into .venv from the lock files.
# Another interpreter: make PYTHON=/path/to/python3.12 setup

PYTHONS := python3 python3.14 python3.13 python3.12 python3.11 python
PY := .venv/bin/python
LOCKS := requirements/runtime.txt requirements/dev.txt requirements/build.txt
PIP := $(PY) -m pip install -qq --disable-pip-version-check

.PHONY: help setup test demo lint format bench mutation crash contention lock lock-check clean

help:
	@echo 'make setup    environment in .venv (the other targets do it when needed)'
	@echo 'make demo     import a bundled game and ask who decided'
	@echo 'make test     all tests (PYTEST_ARGS="-k name" for some)'
	@echo 'make lint     format, lint, types, import order, lock files'
	@echo 'make format   rewrite the code in the project format'
	@echo 'make bench    measurements, printed as ratios'
	@echo 'make mutation faults put in on purpose: how many are noticed (MUTATION_ARGS="kernel --sample 400")'
	@echo 'make crash    work killed at 1,000 random moments: nothing lost (CRASH_ARGS="--runs 100 --kinds import")'
	@echo 'make contention 8 processes append to 20 games: nothing lost (CONTENTION_ARGS="--seconds 10")'
	@echo 'make lock     lock files from pyproject.toml (needs uv)'
	@echo 'make clean    remove .venv and caches'

setup: .venv/installed

# The environment is made anew when a lock changes, so that it holds what is locked and nothing else.
.venv/locked: $(LOCKS)
	@found=; \
	for candidate in $(if $(PYTHON),"$(PYTHON)",$(PYTHONS)); do \
	  if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    found="$$candidate"; break; \
	  fi; \
	done; \
	if [ -z "$$found" ]; then \
	  echo 'Python 3.11 or newer is needed and none of these is: $(or $(PYTHON),$(PYTHONS))' >&2; \
	  echo 'Name one: make PYTHON=/path/to/python3.12 setup' >&2; \
	  exit 1; \
	fi; \
	"$$found" -m venv --clear .venv
	@echo 'Installing the locked packages into .venv (a minute or so)'
	@$(PIP) --require-hashes $(LOCKS:%=-r %)
	@touch $@

.venv/installed: .venv/locked pyproject.toml
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

test: setup
	$(PY) -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile $(PYTEST_ARGS)

demo: setup
	@.venv/bin/whodecided demo

lint: setup
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	.venv/bin/lint-imports --no-logo
	$(PY) requirements/check.py

lock-check: setup
	$(PY) requirements/check.py

format: setup
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

bench: setup
	$(PY) -m benchmarks

mutation: setup
	$(PY) -m tests.mutation $(MUTATION_ARGS)

crash: setup
	$(PY) -m tests.crash $(CRASH_ARGS)

contention: setup
	$(PY) -m tests.contention $(CONTENTION_ARGS)

lock:
	requirements/compile.sh

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
