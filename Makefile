# reproduce and test are the two commands of the README. Each sets up .venv first, if it has to.
# Needed beforehand: make, Python 3.11 to 3.13, and a package index that pip can reach.
#
#   make reproduce CORES=2      on two processors (default: all)
#   make test PYTHON=python3.12 with this Python (default: the first that fits)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help reproduce verify test browser fuzz benchmark compare

CORES ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

# Candidates are run, not only looked up: a version manager leaves commands that exist and fail, and
# some distributions ship a Python without ensurepip, which cannot make an environment.
FITS = -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'
PYTHON ?= $(shell for candidate in python3 python3.13 python3.12 python3.11; do \
    if $$candidate $(FITS) >/dev/null 2>&1; then echo $$candidate; break; fi; done)

# Two thread pools on the same processors cost a hundredfold; Snakemake sets these per job itself.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export MKL_NUM_THREADS := 1

PIP := .venv/bin/python -m pip --disable-pip-version-check --no-input --quiet

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

reproduce: .venv/.ready ## fetch the public data, estimate, draw, report, and verify it all
	.venv/bin/snakemake --cores $(CORES)

# Checked again whatever looks up to date, and nothing is made anew that a change could hide behind.
verify: .venv/.ready ## check the results again: raw files, every line, the recomputation
	.venv/bin/snakemake results/verification/verified.json --cores $(CORES) \
	    --forcerun recompute_tables recompute_deliveries recompute_factors verify

test: .venv/.ready ## run all tests
	.venv/bin/pytest

browser: .venv/.browser ## test the report in a headless Chromium, which has to be installed
	.venv/bin/pytest -m browser tests/browser

fuzz: .venv/.fuzz ## feed the readers of avowed import 100,000 damaged files, guided by coverage
	.venv/bin/python benchmarks/fuzz_readers.py

benchmark: .venv/.benchmark ## time the bootstrap against the libraries one would use instead
	.venv/bin/python benchmarks/run.py

compare: .venv-comparison/.ready ## set the corrected rate beside packages one would use instead
	.venv-comparison/bin/python benchmarks/compare_corrections.py

# The stamp is removed first and written last: a set-up that was interrupted is begun anew. It holds
# the folder it was made for, because an environment that was copied or moved along with the checkout
# still runs the code of the old place.
ifneq ($(shell cat .venv/.ready 2>/dev/null),$(CURDIR))
.PHONY: .venv/.ready
endif

.venv/.ready: requirements.lock pyproject.toml
	@test -n '$(PYTHON)' && $(PYTHON) $(FITS) >/dev/null 2>&1 || { \
	    echo "No usable Python 3.11, 3.12 or 3.13 with the venv module was found$(if $(PYTHON), (tried $(PYTHON)));" \
	        "install one, or name one: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@rm -f $@
	@echo "Setting up .venv (about a minute, only this time)"
	$(PYTHON) -m venv --clear .venv
	$(PIP) install --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation -e .
	@echo '$(CURDIR)' > $@

.venv/.browser: .venv/.ready requirements-browser.lock
	$(PIP) install --require-hashes -r requirements-browser.lock
	@touch $@

.venv/.fuzz: .venv/.ready requirements-fuzz.lock
	$(PIP) install --require-hashes -r requirements-fuzz.lock
	@touch $@

.venv/.benchmark: .venv/.ready requirements-benchmark.lock
	$(PIP) install --require-hashes -r requirements-benchmark.lock
	@touch $@

# What is compared brings numba, scikit-learn and more, which stay out of .venv.
ifneq ($(shell cat .venv-comparison/.ready 2>/dev/null),$(CURDIR))
.PHONY: .venv-comparison/.ready
endif

COMPARISON_PIP := $(PIP:.venv/%=.venv-comparison/%)

.venv-comparison/.ready: .venv/.ready requirements.lock requirements-comparison.lock pyproject.toml
	@rm -f $@
	@echo "Setting up .venv-comparison (about a minute, only this time)"
	.venv/bin/python -m venv --clear .venv-comparison
	$(COMPARISON_PIP) install --require-hashes -r requirements.lock
	$(COMPARISON_PIP) install --require-hashes -r requirements-comparison.lock
	$(COMPARISON_PIP) install --no-deps --no-build-isolation -e .
	@echo '$(CURDIR)' > $@
