# Two commands matter: `make run` serves the app, `make test` proves it. `make help` lists the rest.
.DEFAULT_GOAL := help
.PHONY: help run dev cluster test attack chaos looks lint drill promises bench audit locks clean
PYTHON ?= python3
BIN := .venv/bin

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

run: .venv/run-ready ## migrate, build what changed, serve; PORT=… and DATA_DIR=… choose where
	@exec $(BIN)/rewards run

dev: .venv/run-ready ## the same with hot reload
	@exec $(BIN)/rewards dev

cluster: .venv/run-ready ## several workers behind nginx on this machine; ARGS="kill 1" and more: docs/cluster.md
	@exec $(BIN)/python -m tools.cluster $(ARGS)

test: .venv/dev-ready ## everything: rules, services, browser journeys, house rules
	@bash tests/prepare.sh
	@$(BIN)/python -m pytest $(ARGS)

chaos: .venv/dev-ready ## a thousand random bad days; ARGS="--seed N --only K" replays one
	@bash tests/prepare.sh
	@$(BIN)/python -m tests.chaos $(ARGS)

attack: .venv/dev-ready ## the attacks with other calls; ATTACK_SEED=… ATTACK_ROUNDS=… repeat what was found
	@bash tests/prepare.sh
	@ATTACK_SEED=$${ATTACK_SEED:-$$(shuf -n 1 -i 1-999999)} ATTACK_ROUNDS=$${ATTACK_ROUNDS:-10}; export ATTACK_SEED ATTACK_ROUNDS; \
	  echo "ATTACK_SEED=$$ATTACK_SEED ATTACK_ROUNDS=$$ATTACK_ROUNDS"; $(BIN)/python -m pytest --hypothesis-seed=$$ATTACK_SEED tests/hostile $(ARGS)

looks: .venv/dev-ready ## every page beside its reviewed picture; ARGS=--accept takes what is new
	@bash tests/prepare.sh
	@$(BIN)/python -m tests.browser.looks $(ARGS)

lint: .venv/dev-ready ## ruff, pyright, import contracts
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/pyright
	@$(BIN)/lint-imports

drill: .venv/dev-ready ## restore a backup of a million ledger rows, and go back to a moment
	@bash tests/prepare.sh
	@DRILL_ROWS=1000000 $(BIN)/python -m pytest -n 0 tests/backups $(ARGS)

FULL := COMPLETIONS=10000 KILLS=1000 CRASHES=100 LAST_ONE_LASTS=60 REDIS_AWAY=60 LEDGER_STEPS=20000 HISTORIES=2000 \
  DRILL_ROWS=1000000
PROMISED := tests/features/ads/test_service.py::TestAtTheSameTime tests/features/coins/test_model.py \
  tests/features/ads/test_histories.py tests/features/shop/test_histories.py \
  tests/faults/test_kills.py tests/faults/test_crashes.py tests/faults/test_redis.py tests/backups

promises: .venv/dev-ready ## what must hold, with the whole figures: docs/bad-days.md
	@bash tests/prepare.sh
	@DRAWN=$$(shuf -n 1 -i 1-999999); for name in LEDGER ADS HISTORIES; do \
	  export $${name}_SEED=$$(printenv $${name}_SEED || echo $$DRAWN); printenv $${name}_SEED | sed "s/^/$${name}_SEED=/"; done; \
	  $(FULL) $(BIN)/python -m pytest -n 0 $(PROMISED) $(ARGS)

bench: .venv/dev-ready ## measure, side by side; writes bench/report.json
	@bash tests/prepare.sh
	@$(BIN)/python -m bench $(ARGS)

audit: .venv/dev-ready ## known vulnerabilities of PyPI's and npm's packages (a registry must answer)
	@$(BIN)/pip-audit --require-hashes --disable-pip -r requirements.txt
	@cd reflex.lock && ../$(BIN)/bun audit

locks: .venv/dev-ready ## resolve the dependencies again, within the bounds of pyproject.toml
	@for target in "pyproject.toml -o requirements.txt" "--extra dev pyproject.toml -o requirements-dev.txt" "requirements-uv.in -o requirements-uv.txt"; do \
	  $(BIN)/uv pip compile -q --upgrade --generate-hashes --no-emit-index-url --no-header --python-version 3.11 $$target; done

clean: ## remove what was built; data folders stay
	@rm -rf .venv .web .build

.venv/uv-ready: requirements-uv.txt
	@$(PYTHON) -m venv .venv || { echo "Python's venv is missing. On Debian: apt-get install python3-venv"; exit 1; }
	@$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements-uv.txt
	@touch $@

.venv/run-ready: .venv/uv-ready requirements.txt pyproject.toml
	@test -e .venv/dev-ready || $(BIN)/uv pip sync -q --python $(BIN)/python requirements-uv.txt requirements.txt
	@$(BIN)/python tools/link.py
	@touch $@

.venv/dev-ready: .venv/uv-ready requirements-dev.txt pyproject.toml
	@$(BIN)/uv pip sync -q --python $(BIN)/python requirements-uv.txt requirements-dev.txt
	@$(BIN)/python tools/link.py
	@touch $@
