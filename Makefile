# Two commands matter: `make study` shows the product, `make test` proves it.
# Both set up .venv on a fresh machine that has Python >= 3.11 (with venv) and make.

PYTHON ?= python3
BIN := .venv/bin
JOBS ?= auto
export OPENBLAS_NUM_THREADS ?= 1
export PIP_DISABLE_PIP_VERSION_CHECK = 1
unexport PYTHONDONTWRITEBYTECODE  # tests start some fifty processes; each would compile the package anew

CASES ?= 100000
.PHONY: help study test test-long attack quick check bench examples test-oldest clean

help:
	@echo "make study        run a study on a bundled data set and print where its report is"
	@echo "make test         every test, with simulations in their short version"
	@echo "make test-long    the long simulations of coverage and type-I error, the attack, and test-oldest"
	@echo "make attack       hostile cases against honest loops (CASES=100000); a part of make test-long"
	@echo "make quick        lint and the fast tests, in less than a minute: before every commit"
	@echo "make check        lint, types, layers"
	@echo "make bench        measure against peers; writes benchmarks/RESULTS.md"
	@echo "make examples     draw every figure of the gallery into out/examples"
	@echo "make test-oldest  the tests on the oldest supported dependencies; a part of make test-long"

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Suffice needs Python 3.11 or newer; set PYTHON=...")'
	@$(PYTHON) -m venv .venv

.venv/.study: .venv/bin/python pyproject.toml constraints.txt
	@echo "Installing Suffice into .venv ..."
	@$(BIN)/python -m pip install -q -c constraints.txt -e '.[study]'
	@touch $@

.venv/.dev: .venv/bin/python pyproject.toml constraints.txt
	@echo "Installing Suffice and what its developers need into .venv ..."
	@$(BIN)/python -m pip install -q -c constraints.txt -e '.[dev]'
	@touch $@ .venv/.study

study: .venv/.study
	@$(BIN)/suffice study @diabetes --target progression --out out/study

test: .venv/.dev
	@$(BIN)/python -m pytest -q -n $(JOBS) -m "not long"

test-long: .venv/.dev
	@HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -q -n $(JOBS) -m long
	@$(BIN)/python tests/attack --cases $(CASES)
	@$(MAKE) test-oldest

attack: .venv/.dev
	@$(BIN)/python tests/attack --cases $(CASES)

quick: .venv/.dev
	@$(BIN)/ruff check -q . && $(BIN)/ruff format -q --check . && $(BIN)/lint-imports --no-logo >/dev/null
	@$(BIN)/python -m pytest -q -n $(JOBS) -m "not slow and not long"

check: .venv/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

bench: .venv/.dev
	@env -u OPENBLAS_NUM_THREADS $(BIN)/python -m benchmarks

examples: .venv/.dev
	@for script in examples/[a-z]*.py; do echo "$$script"; $(BIN)/python $$script || exit 1; done

.venv-oldest/.dev: pyproject.toml constraints-oldest.txt
	@$(PYTHON) -m venv .venv-oldest
	@.venv-oldest/bin/python -m pip install -q -c constraints-oldest.txt -e '.[dev]'
	@touch $@

test-oldest: .venv-oldest/.dev
	@.venv-oldest/bin/python -m pytest -q -n $(JOBS) -W default -m "not long"

clean:
	@rm -rf .venv .venv-oldest out suffice-study .mypy_cache .ruff_cache .hypothesis .import_linter_cache
