"""The house rules that a reader would otherwise have to trust."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from reflex_base.registry import RegistrationContext

import rewards_app.rewards_app  # noqa: F401  (registers every state)
from rewards_app.core.access import access_of
from rewards_app.core.reflex_events import OWN

PROJECT = Path(__file__).parents[2]
SOURCES = sorted((PROJECT / "rewards_app").rglob("*.py"))
COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b|\brgba?\(|\bhsla?\(")
BY_THEME = re.compile(r"\b(dark|light):[a-z\[]|\.(dark|light)\s|color_?[mM]ode|resolvedTheme")
ASSETS = PROJECT / "assets"
PINNED_BY_HASH = re.compile(r"\S+==\S+(?: ; .+)? \\\n    --hash=sha256:[0-9a-f]{64}")
SHA512 = re.compile(r"sha512-[A-Za-z0-9+/]{86}==")
WHERE_COLOURS_LIVE = {"palette.py", "mail.mjml"}


def run(*command: str) -> subprocess.CompletedProcess[str]:
    tool, *arguments = command
    program = str(Path(sys.executable).parent / tool)
    return subprocess.run([program, *arguments], cwd=PROJECT, text=True, capture_output=True)


class TestTools:
    def test_import_contracts_hold(self):
        done = run("lint-imports", "--no-cache")
        assert done.returncode == 0, done.stdout

    def test_ruff_finds_nothing(self):
        done = run("ruff", "check", "--no-cache", ".")
        assert done.returncode == 0, done.stdout

    def test_the_code_is_formatted(self):
        done = run("ruff", "format", "--no-cache", "--check", ".")
        assert done.returncode == 0, done.stdout

    def test_the_types_are_right(self):
        done = run("pyright")
        assert done.returncode == 0, done.stdout[-3000:]


class TestHandlers:
    def test_every_handler_of_ours_declares_who_may_call_it(self):
        handlers = RegistrationContext.get().event_handlers
        ours = {
            name: registered
            for name, registered in handlers.items()
            if "rewards_app" in name and not name.endswith(".setvar")
        }
        assert len(ours) > 10
        assert [name for name, found in ours.items() if access_of(found.handler.fn) is None] == []

    def test_what_the_gate_lets_through_unasked_is_reflexs_own(self):
        handlers = RegistrationContext.get().event_handlers
        assert set(handlers) >= OWN.keys()
        for name in OWN:
            assert handlers[name].handler.fn.__module__.startswith("reflex")


class TestSources:
    def test_colours_stand_in_one_place(self):
        strays = [
            str(file.relative_to(PROJECT))
            for file in [*SOURCES, *(PROJECT / "rewards_app").rglob("*.css")]
            if file.name not in WHERE_COLOURS_LIVE and COLOUR.search(file.read_text("utf-8"))
        ]
        assert strays == []

    def test_themes_differ_in_colours_alone(self):
        """What axe finds in one of them, but for colours, it would find in the other."""
        files = [*SOURCES, *(PROJECT / "rewards_app").rglob("*.css"), *ASSETS.glob("*.js")]
        strays = [str(file) for file in files if BY_THEME.search(file.read_text("utf-8"))]
        assert strays == []

    def test_only_the_clock_reads_the_time(self):
        reads = re.compile(r"datetime\.(now|utcnow|today)\(|date\.today\(")
        readers = {file.name for file in SOURCES if reads.search(file.read_text("utf-8"))}
        assert readers == {"clock.py"}

    def test_only_the_database_module_commits(self):
        commits = re.compile(r"\.commit\(\)|\.begin\(\)")
        committing = {file.name for file in SOURCES if commits.search(file.read_text("utf-8"))} - {
            "schema.py"
        }
        assert committing == {"database.py"}

    def test_only_the_state_of_every_page_reads_what_an_address_asks_for(self):
        """It gives it to the others without what the database refuses."""
        reads = re.compile(r"\bquery_parameters\b|\burl\.query\b")
        readers = [file for file in SOURCES if reads.search(file.read_text("utf-8"))]
        assert [str(file.relative_to(PROJECT)) for file in readers] == ["rewards_app/core/state.py"]

    def test_nothing_evaluates_scripts_that_the_server_sends(self):
        evals = re.compile(r"rx\.(call_script|call_function|toast|html|markdown|window_alert)\b")
        assert [str(f) for f in SOURCES if evals.search(f.read_text("utf-8"))] == []

    def test_no_state_is_kept_in_a_cookie_and_nothing_is_uploaded(self):
        """Pages load neither: `ui/chunks.py` leaves them out."""
        asks = re.compile(r"rx\.(Cookie|remove_cookie|upload\w*|selected_files|clear_selected)\b")
        assert [str(f) for f in SOURCES if asks.search(f.read_text("utf-8"))] == []

    def test_no_field_of_several_lines_cuts_what_is_pasted(self):
        """A browser says no word of it: what is too long is refused beside its field, and stays."""
        fields = [
            call
            for file in SOURCES
            for call in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "textarea_field"
        ]
        assert len(fields) > 10
        cuts = [one for one in fields if "max_length" in {option.arg for option in one.keywords}]
        assert [ast.unparse(one) for one in cuts] == []

    @pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt", "reflex.lock"])
    def test_locks_carry_no_address(self, lock: str):
        path = PROJECT / lock
        files = list(path.iterdir()) if path.is_dir() else [path]
        assert not any("http://" in f.read_text() or "https://" in f.read_text() for f in files)

    @pytest.mark.parametrize("lock", ["", "-dev", "-uv"])
    def test_locks_carry_hashes(self, lock: str):
        entries = (PROJECT / f"requirements{lock}.txt").read_text()
        pinned = re.findall(r"^\S.*(?:\n .*)*", entries, re.MULTILINE)
        assert pinned
        assert [one for one in pinned if not PINNED_BY_HASH.match(one)] == []

    def test_the_lock_of_the_pages_packages_carries_hashes(self):
        text = (PROJECT / "reflex.lock" / "bun.lock").read_text()
        packages = json.loads(re.sub(r",(\s*[}\]])", r"\1", text))["packages"]
        assert packages
        unproven = [name for name, known in packages.items() if not SHA512.fullmatch(known[-1])]
        assert unproven == []

    def test_no_secret_is_committed(self):
        tracked = run_git("ls-files").split()
        scanned = [name for name in tracked if not name.endswith(NOT_PROSE)]
        done = run("detect-secrets-hook", *SCAN, *scanned)
        assert done.returncode == 0, done.stdout


COIN_MODELS = re.compile(r"\bCoin(Entry|Balance|Hold)\b")
WRITING_TO_COINS = re.compile(
    r"\b(insert\s+into|update|delete\s+from|truncate(\s+table)?|merge\s+into|copy)\s+(only\s+)?"
    r"\"?coin_(entries|balances|holds)\b",
    re.IGNORECASE,
)
LEDGER = PROJECT / "rewards_app" / "features" / "coins"


class TestTheLedger:
    """Only its own service writes it: whoever wants coins moved asks there."""

    def test_its_models_are_imported_by_its_own_repository_and_service_alone(self):
        importers = {
            file.relative_to(PROJECT / "rewards_app").as_posix()
            for file in SOURCES
            if COIN_MODELS.search(file.read_text("utf-8"))
        }
        assert importers == {
            "models/__init__.py",
            "models/coins.py",
            "features/coins/repository.py",
            "features/coins/service.py",
        }

    def test_its_service_makes_and_changes_no_row_itself(self):
        changes = re.compile(r"Coin(Entry|Balance|Hold)\(|\b(insert|update|delete)\(|session\.exec")
        assert not changes.search((LEDGER / "service.py").read_text("utf-8"))

    def test_nobody_else_writes_its_tables(self):
        writers = [
            str(file.relative_to(PROJECT))
            for file in SOURCES
            if file.parent != LEDGER and WRITING_TO_COINS.search(file.read_text("utf-8"))
        ]
        assert writers == []


NOT_PROSE = (".txt", ".lock", ".png", ".avif", ".ico", ".webm", ".json", ".sql")
# Test passwords and hashes of nothing: lines that say so themselves are believed.
SCAN = ("--disable-plugin", "KeywordDetector", "--exclude-files", "(tests|alembic)/.*")


def run_git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=PROJECT, text=True, capture_output=True, check=True
    ).stdout
