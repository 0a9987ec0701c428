"""`rewards doctor` as an operator types it: its lines, and what it exits with."""

from pathlib import Path

import pytest

from rewards_app import build
from tests.core.test_settings import PRODUCTION
from tests.test_cli import rewards
from tools.ports import free_port


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As if the pages had been built of this version, for these settings."""
    folder = tmp_path / "web"
    monkeypatch.setenv("REFLEX_WEB_WORKDIR", str(folder))
    build.pages_folder().mkdir(parents=True)
    (build.pages_folder() / "index.html").write_text("<html></html>")
    (folder / "built-from").write_text(build.fingerprint())
    return folder


class TestTheDoctor:
    async def test_finds_nothing_wrong_with_a_first_try(self, database: str, built: Path):
        done = await rewards("doctor")
        assert (done.returncode, "WRONG" in done.stdout) == (0, False), done.stdout + done.stderr
        assert "note   MODE is development" in done.stdout
        assert done.stdout.splitlines()[-1].startswith("0 wrong, ")

    async def test_exits_1_with_pages_of_other_settings(self, database: str, built: Path):
        done = await rewards("doctor", SUPPORT_EMAIL="help@example.com")
        assert done.returncode == 1
        assert "built of something else (support): run 'rewards build'" in done.stdout

    async def test_exits_1_with_pages_that_were_never_built(self, database: str, tmp_path: Path):
        done = await rewards("doctor", REFLEX_WEB_WORKDIR=str(tmp_path))
        assert done.returncode == 1
        assert "WRONG  The frontend is not built: run 'rewards build'." in done.stdout

    async def test_looks_on_past_what_cannot_be_read(self, database: str, tmp_path: Path):
        (tmp_path / "built-from").mkdir()
        done = await rewards("doctor", REFLEX_WEB_WORKDIR=str(tmp_path))
        [line] = [line for line in done.stdout.splitlines() if line.startswith("WRONG")]
        assert f"the frontend could not be seen ({tmp_path}/built-from: Is a directory)" in line
        assert "connections to the database are free" in done.stdout
        assert (done.returncode, "Traceback" in done.stderr) == (1, False)

    async def test_names_each_setting_that_cannot_work(self):
        done = await rewards("doctor", MODE="production", PUBLIC_URL=PRODUCTION["PUBLIC_URL"])
        lines = [line for line in done.stdout.splitlines() if line.startswith("WRONG")]
        assert done.returncode == 1
        assert [line for line in lines if "SECRET_KEY" in line]
        assert [line for line in lines if "SMTP_HOST" in line]

    async def test_says_that_a_database_of_its_own_is_not_started_for_it(self, tmp_path: Path):
        done = await rewards("doctor", DATABASE_URL="", DATA_DIR=str(tmp_path / "new"))
        assert done.returncode == 1
        assert "DATABASE_URL is not set" in done.stdout
        assert "does not run: start the app first." in done.stdout
        assert not (tmp_path / "new").exists()

    async def test_looks_from_outside_alone_where_that_is_asked(self):
        done = await rewards("doctor", "--from-outside", f"http://127.0.0.1:{free_port()}")
        assert done.returncode == 1
        assert "does not answer" in done.stdout
        assert "MODE" not in done.stdout
