"""Starting: one owner, clear words, nothing lost."""

import os
import secrets
import shutil
import socket
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from fasteners import InterProcessLock
from sqlalchemy import text
from structlog.testing import CapturedCall, CapturingLogger

from rewards_app import build, launch
from rewards_app.core.postgres import embedded, schema
from rewards_app.core.settings import Mode, settings
from rewards_app.server import CannotRun
from tests import scratch
from tests.conftest import SCRATCH
from tools.ports import free_port


@pytest.fixture
def data() -> Iterator[Path]:
    """Another pytest keeps PostgreSQL's user out of the folders that this one makes for tests."""
    folder = SCRATCH / secrets.token_hex(4)
    yield folder
    scratch.remove(folder)


class Notes(CapturingLogger):
    """What is said to it, and a file once something was."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def __getattr__(self, name: str) -> Callable[..., None]:
        note = super().__getattr__(name)

        def noted(*words: object, **values: object) -> None:
            note(*words, **values)
            self._file.touch()

        return noted


class TestDataFolder:
    def test_has_one_owner(self, tmp_path):
        with (
            launch.own_data_folder(tmp_path),
            pytest.raises(CannotRun, match=f"process {os.getpid()}"),
            launch.own_data_folder(tmp_path),
        ):
            pass

    def test_is_free_again_after_its_owner(self, tmp_path):
        with launch.own_data_folder(tmp_path):
            pass
        with launch.own_data_folder(tmp_path):
            pass

    def test_that_cannot_be_made_is_named(self, tmp_path):
        (tmp_path / "file").touch()
        with (
            pytest.raises(embedded.CannotStart, match=r"file/data cannot be used: Not a directory"),
            launch.own_data_folder(tmp_path / "file/data"),
        ):
            pass

    def test_of_an_older_version_is_refused_and_left_alone(self, tmp_path):
        version = tmp_path / "PG_VERSION"
        version.write_text("16\n")
        with pytest.raises(embedded.CannotStart, match="PostgreSQL 16"):
            embedded.refuse_unusable(tmp_path)
        assert version.read_text() == "16\n"

    def test_on_a_full_disk_is_refused(self, tmp_path, monkeypatch):
        usage = namedtuple("usage", "total used free")(10, 10, 1024)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
        with pytest.raises(embedded.CannotStart, match="256 MB"):
            embedded.refuse_unusable(tmp_path / "postgres")

    def test_starts_where_the_temporary_folder_has_the_lock_of_another_user(
        self, data, tmp_path, monkeypatch
    ):
        not_ours = InterProcessLock(tmp_path / "of_nobody" / ".lockfile")
        (tmp_path / "of_nobody").touch()
        monkeypatch.setattr(embedded.PostgresServer, "_lock", not_ours)
        with embedded.embedded_database(data) as running:
            assert "/rewards?host=" in running.url

    def test_starts_where_the_database_reads_its_log_for_longer_than_ten_seconds(
        self, data, caplog, monkeypatch
    ):
        """As after a power cut; here it waits for what an archive brings."""
        with embedded.embedded_database(data):
            pass
        folder = embedded.database_folder(data)
        brings = "test -e asked || { touch asked; until test -e said; do sleep 0.1; done; }; false"
        with (folder / "postgresql.auto.conf").open("a") as chosen:
            chosen.write(f"hot_standby = off\nrestore_command = '{brings}'\n")
        (folder / "recovery.signal").touch()
        said = Notes(folder / "said")
        monkeypatch.setattr(embedded, "_log", said)
        with (
            embedded.embedded_database(data) as running,
            psycopg.connect(running.url) as connection,
        ):
            assert connection.execute("select 1").fetchone() == (1,)
        assert said.calls == [
            CapturedCall("warning", ("database.recovers",), {"said_in": str(folder / "log")})
        ]
        assert "Failed to start server" not in caplog.text

    def test_whose_database_does_not_start_names_the_file_that_says_why(self, data):
        with embedded.embedded_database(data):
            pass
        folder = embedded.database_folder(data)
        with (folder / "postgresql.auto.conf").open("a") as chosen:
            chosen.write("shared_buffers = 'much'\n")
        with (
            pytest.raises(embedded.CannotStart, match=f"does not start.* {folder / 'log'}"),
            embedded.embedded_database(data),
        ):
            pass

    def test_says_which_file_was_left_behind_where_its_server_is_another_program_by_now(self, data):
        with embedded.embedded_database(data):
            left = embedded.database_folder(data) / "postmaster.pid"
            lines = left.read_text().splitlines()
        left.write_text("\n".join([str(os.getpid()), *lines[1:7], "starting"]))
        with (
            pytest.raises(embedded.CannotStart, match=rf"{left} .*process {os.getpid()}.*Remove"),
            embedded.embedded_database(data),
        ):
            pass
        left.unlink()
        with embedded.embedded_database(data) as running:
            assert running.url

    @pytest.mark.parametrize("name", ["LANG", "LC_ALL"])
    def test_is_made_where_the_machine_lacks_the_language_of_who_came(
        self, name, data, monkeypatch
    ):
        monkeypatch.delenv("LC_ALL", raising=False)
        monkeypatch.setenv(name, "xx_XX.UTF-8")
        with embedded.embedded_database(data) as running:
            assert os.environ[name] == "xx_XX.UTF-8"
            with psycopg.connect(running.url) as connection:
                found = connection.execute("select upper('å')").fetchone()
        assert found == ("Å",)
        assert os.environ.get("LC_ALL") == ("xx_XX.UTF-8" if name == "LC_ALL" else None)


class TestBuild:
    def test_depends_on_the_address_that_is_served(self, monkeypatch):
        before = build.fingerprint()
        monkeypatch.setattr(build.settings(), "port", 9999)
        assert build.fingerprint() != before

    def test_is_the_same_for_the_same_sources(self):
        assert build.fingerprint() == build.fingerprint()

    def test_is_the_same_however_the_npm_packages_are_written(self, tmp_path, monkeypatch):
        packages = tmp_path / "package.json"
        monkeypatch.setattr(build, "NPM_PACKAGES", packages)
        monkeypatch.setattr(build, "PROJECT", tmp_path)
        monkeypatch.setattr(build, "SOURCES", ["package.json"])
        packages.write_text('{"dependencies": {"lucide-react": "25"}}')
        before = build.fingerprint()
        packages.write_text('{\n\t"dependencies": {"lucide-react":"25"}}')
        assert build.fingerprint() == before
        packages.write_text('{"dependencies": {"lucide-react": "26"}}')
        assert build.fingerprint() != before


class TestBuildIfChanged:
    @pytest.fixture
    def builds(self, tmp_path, monkeypatch) -> list[str]:
        """Each build that was made, with the sources it was made of."""
        made: list[str] = []
        monkeypatch.setenv("REFLEX_WEB_WORKDIR", str(tmp_path))
        monkeypatch.setattr(build, "fingerprint", lambda: self.sources)
        monkeypatch.setattr(build, "build", lambda: made.append(self.sources))
        return made

    def test_builds_once_for_the_same_sources(self, builds):
        self.sources = "one"
        assert build.build_if_changed()
        assert not build.build_if_changed()
        assert builds == ["one"]

    def test_what_is_saved_during_a_build_is_built_next(self, builds, monkeypatch):
        self.sources = "one"

        def save_meanwhile() -> None:
            builds.append(self.sources)
            self.sources = "two"

        monkeypatch.setattr(build, "build", save_meanwhile)
        build.build_if_changed()
        assert not build.is_current()


class TestPeopleOfTheDemo:
    @pytest.mark.parametrize(("mode", "made"), [(Mode.PRODUCTION, 0), (Mode.DEVELOPMENT, 1)])
    def test_are_made_at_no_start_in_production(
        self, database: str, tmp_path, monkeypatch, mode: Mode, made: int
    ):
        chosen = {"mode": mode, "data_dir": tmp_path / "data", "port": free_port()}
        for name, value in chosen.items():
            monkeypatch.setattr(settings(), name, value)
        seeded: list[str] = []
        with ExitStack() as house:
            launch._prepare(house, lambda: seeded.append("the demo"))
        assert len(seeded) == made


class TestServing:
    """`rewards serve`, many of which share a database and a build."""

    @pytest.fixture
    def built(self, tmp_path, monkeypatch) -> None:
        monkeypatch.setenv("REFLEX_WEB_WORKDIR", str(tmp_path))
        (tmp_path / "built-from").write_text(build.fingerprint())

    def test_needs_a_database_that_several_may_use(self, monkeypatch):
        monkeypatch.setattr(settings(), "database_url", "")
        with pytest.raises(CannotRun, match="DATABASE_URL"):
            launch.refuse_unprepared()

    def test_starts_where_all_is_prepared(self, database: str, built):
        launch.refuse_unprepared()

    def test_builds_nothing(self, database: str, built, monkeypatch):
        monkeypatch.setattr(settings(), "support_email", "help@example.com")
        with pytest.raises(CannotRun, match=r"\(support\).*rewards build"):
            launch.refuse_unprepared()

    def test_migrates_nothing(self, database: str, built):
        with schema.sync_connection() as connection:
            connection.execute(text("delete from alembic_version"))
        with pytest.raises(schema.SchemaMismatch, match="rewards migrate"):
            launch.refuse_unprepared()

    def test_becomes_the_server(self, database: str, built, monkeypatch):
        become: list[tuple[str, list[str]]] = []
        monkeypatch.setattr(os, "execve", lambda path, line, _: become.append((path, line)))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            monkeypatch.setattr(settings(), "port", probe.getsockname()[1])
        (build.web_folder() / "built-from").write_text(build.fingerprint())
        launch.serve()
        [(path, line)] = become
        assert path.endswith("/granian")
        assert line[-1] == "rewards_app.served:app"
