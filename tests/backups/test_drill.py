"""The drill: what was dumped is restored elsewhere, adds up, and lets its people in."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from rewards_app import seeding
from rewards_app.backups import dumping, keeping, proving
from rewards_app.backups.dumping import BackupFailed
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine, transaction
from rewards_app.core.settings import settings
from rewards_app.features.accounts import signing_in
from rewards_app.features.accounts.steps import Ticket
from rewards_app.features.shop import service
from rewards_app.features.shop.demo import DEMO_ORDERS
from tests.keyring import SECOND
from tests.people import a_browser
from tests.serving import PROJECT
from tests.shop import THE_PACKAGE, a_buyer, balance_of, buys
from tests.test_cli import an_empty_database, rewards

ROWS = int(os.environ.get("DRILL_ROWS", "50000"))
"""`make drill` takes a million."""
STOPS_IN_THE_MIDDLE = """
    create function stops() returns event_trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(7); end';
    create event trigger stops on ddl_command_end when tag in ('CREATE TABLE')
        execute function stops();
"""


@pytest.fixture
def template(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue("demo")


@contextmanager
def here(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = os.environ["DATABASE_URL"]
    monkeypatch.setenv("DATABASE_URL", url)
    settings.cache_clear()
    try:
        yield
    finally:
        monkeypatch.setenv("DATABASE_URL", before)
        settings.cache_clear()


def of_ledger(url: str) -> tuple[int, int, int]:
    """Entries, what they add up to, and what the balances say."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "select count(*), sum(amount),"
            " (select sum(balance + held) from coin_balances) from coin_entries"
        ).fetchone()
    assert found
    return found


class TestARestoredBackup:
    async def test_adds_up_and_lets_its_people_in(
        self, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        buyer = await a_buyer(coins_owned=500)
        await buys(buyer, 89, THE_PACKAGE)
        file = tmp_path / "all.dump"
        dumping.dump(file)
        await buys(buyer, 89, THE_PACKAGE)  # too late for this backup
        await dispose_engine()
        with an_empty_database(database) as empty, here(empty, monkeypatch):
            dumping.restore(file)
            assert dumping.count_rows() == dumping.refuse_damaged(file).rows  # pyright: ignore
            assert (await proving.prove([])).problems == []
            assert (await balance_of(buyer))[0] == 411
            assert len(json.loads(seeding.accounts_file().read_text())) == 4
            for person in json.loads(seeding.accounts_file().read_text()):
                async with transaction() as session:
                    let_in = await signing_in.sign_in(
                        session,
                        person["email"],
                        person["password"],
                        a_browser(),
                        may_log_address=False,
                        now=utc_now(),
                    )
                assert isinstance(let_in, Ticket)
            await dispose_engine()
        assert (await balance_of(buyer))[0] == 322

    async def test_sells_no_code_again_that_was_delivered_after_it(
        self, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        buyer = await a_buyer(coins_owned=500)
        dumping.dump(tmp_path / "all.dump")
        bought = await buys(buyer, 89, THE_PACKAGE)
        delivered = await service.code_of(buyer, bought.purchase_id)
        kept = await rewards("codes", "delivered", "--keep", BACKUP_DIR=str(tmp_path))
        assert kept.returncode == 0, kept.stderr
        await dispose_engine()
        with an_empty_database(database) as empty, here(empty, monkeypatch):
            dumping.restore(tmp_path / "all.dump")
            done = await rewards("codes", "withhold", str(tmp_path / "delivered"))
            assert done.stdout == "1 codes are withheld, and sold no more.\n", done.stderr
            again = await buys(buyer, 89, THE_PACKAGE)
            assert await service.code_of(buyer, again.purchase_id) != delivered
            assert (await proving.prove([])).problems == []
            await dispose_engine()

    # The look of every test into its books is made for few entries; this one looks itself.
    @pytest.mark.usefixtures("spoilt_books")
    async def test_has_every_row_of_a_large_ledger(
        self, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        buyer = await a_buyer()
        with psycopg.connect(database) as connection:
            connection.execute(
                "insert into coin_entries (month, account_id, amount, kind, cause, subject,"
                " balance_after, created_at)"
                " select month_of_cause('drill:' || n), %s, 15, 'welcome', 'drill:' || n, '',"
                " 15 * n, now() from generate_series(1, %s) n",
                (buyer.user_id, ROWS),
            )
            connection.execute(
                "insert into coin_balances (account_id, total, balance, held, ads)"
                " values (%(id)s, %(sum)s, %(sum)s, 0, 0) on conflict (account_id)"
                " do update set total = excluded.total, balance = excluded.balance",
                {"id": buyer.user_id, "sum": 15 * ROWS},
            )
        file = tmp_path / "all.dump"
        dumping.dump(file)
        await dispose_engine()
        with an_empty_database(database) as empty, here(empty, monkeypatch):
            dumping.restore(file)
            assert of_ledger(empty) == of_ledger(database)
            assert of_ledger(empty)[0] > ROWS
            assert (await proving.prove([])).problems == []
            await dispose_engine()


class TestCommands:
    async def test_a_backup_is_made_kept_and_proven(self, database: str, tmp_path: Path):
        made = await rewards("backup", "make", BACKUP_DIR=str(tmp_path))
        assert made.returncode == 0, made.stderr
        [file] = tmp_path.glob("watchcoins-*.dump")
        assert file.stat().st_mode & 0o077 == 0
        assert (tmp_path / "forgotten").read_text() == ""
        assert len((tmp_path / "delivered").read_text().split()) == len(DEMO_ORDERS)
        proven = await rewards("backup", "verify", str(file))
        assert proven.returncode == 0, proven.stderr
        assert "Everything adds up" in proven.stdout
        note = dumping.read_note(file)
        assert note
        assert note.proven_at
        # A folder of somebody else's, or a disk that is full.
        (tmp_path / f"{file.name}.part").mkdir()
        again = await rewards("backup", "verify", str(file))
        assert again.returncode == 0, again.stderr
        assert "Everything adds up" in again.stdout
        assert "it cannot be written" in again.stdout
        with psycopg.connect(database) as connection:
            query = "select action from audit_entries order by number desc limit 1"
            assert connection.execute(query).fetchone() == ("backup_made",)

    async def test_one_that_is_stopped_leaves_nothing(self, database: str, tmp_path: Path):
        with psycopg.connect(database) as holding:
            holding.execute("lock gift_codes")
            making = subprocess.Popen(
                [str(Path(sys.executable).parent / "rewards"), "backup", "make"],
                cwd=PROJECT,
                env={**os.environ, "BACKUP_DIR": str(tmp_path)},
            )
            with psycopg.connect(database, autocommit=True) as looking:
                until(lambda: waits_for_a_table(looking))
            assert list(tmp_path.iterdir()) != []
            making.terminate()
            assert making.wait(30) == 128 + signal.SIGTERM
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.usefixtures("spoilt_books")
    async def test_one_that_does_not_add_up_is_not_proven(self, database: str, tmp_path: Path):
        file = tmp_path / "all.dump"
        buyer = await a_buyer(coins_owned=15)
        with psycopg.connect(database) as connection:
            connection.execute("update coin_balances set balance = 16 where balance = 15")
        dumping.dump(file)
        note = dumping.read_note(file)
        assert note
        rows = {**note.rows, "accounts": note.rows["accounts"] + 1}
        dumping.write_note(file, note.model_copy(update={"rows": rows}))
        await dispose_engine()
        with proving.restored(file) as differing:
            proof = await proving.prove(differing)
            await dispose_engine()
        [missing, unbalanced] = proof.problems
        assert missing.startswith("accounts: ")
        assert unbalanced == f"account {buyer.user_id}: the balance is not its entries"

    async def test_one_that_the_key_does_not_open_is_not_proven(
        self, database: str, tmp_path: Path
    ):
        file = tmp_path / "all.dump"
        dumping.dump(file)
        verified = await rewards("backup", "verify", str(file), SECRET_KEY=SECOND)
        assert verified.returncode == 1
        for column in ("accounts.birth_date", "gift_codes.code"):
            assert f"{column}: " in verified.stderr
        assert "sealed with an unknown key" in verified.stderr
        note = dumping.read_note(file)
        assert note
        assert note.proven_at is None

    def test_where_nothing_can_be_written_it_is_said_why(self, database: str, tmp_path: Path):
        (tmp_path / "file").touch()
        with pytest.raises(BackupFailed, match="cannot be written, Not a directory"):
            dumping.dump(tmp_path / "file/folder/all.dump")

    def test_without_a_folder_it_is_said_what_is_missing(self):
        with pytest.raises(BackupFailed, match="BACKUP_DIR is not set"):
            keeping.make()


RESTORE = """
import sys
from pathlib import Path
from rewards_app.backups import dumping

dumping.restore(Path(sys.argv[1]))
"""


def is_being_filled(connection: psycopg.Connection) -> bool:
    """Something was made there, and is not committed."""
    query = (
        "select from pg_locks join pg_stat_activity using (pid)"
        " where datname = current_database() and application_name = 'psql'"
        " and mode = 'AccessExclusiveLock'"
    )
    return connection.execute(query).fetchone() is not None


def waits_for_a_table(connection: psycopg.Connection) -> bool:
    query = (
        "select from pg_stat_activity where datname = current_database()"
        " and application_name = 'pg_dump' and wait_event_type = 'Lock'"
    )
    return connection.execute(query).fetchone() is not None


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


class TestDamage:
    async def test_of_a_byte_is_noticed_before_anything_is_restored(
        self, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        file = tmp_path / "all.dump"
        dumping.dump(file)
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
        with an_empty_database(database) as empty, here(empty, monkeypatch):
            with pytest.raises(BackupFailed, match="is not what was written"):
                dumping.restore(file)
            assert dumping.is_empty()

    async def test_of_the_end_leaves_an_empty_database(
        self, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        file = tmp_path / "all.dump"
        dumping.dump(file)
        dumping.note_of(file).unlink()
        file.write_bytes(file.read_bytes()[: file.stat().st_size * 2 // 3])
        with an_empty_database(database) as empty, here(empty, monkeypatch):
            with pytest.raises(BackupFailed, match="nothing was changed"):
                dumping.restore(file)
            assert dumping.is_empty()

    async def test_of_who_restores_leaves_an_empty_database(self, database: str, tmp_path: Path):
        file = tmp_path / "all.dump"
        dumping.dump(file)
        with (
            an_empty_database(database) as empty,
            psycopg.connect(empty, autocommit=True) as watching,
        ):
            watching.execute(STOPS_IN_THE_MIDDLE)
            with psycopg.connect(empty) as holding:
                holding.execute("select pg_advisory_lock(7)")
                restoring = subprocess.Popen(
                    [sys.executable, "-c", RESTORE, str(file)],
                    cwd=PROJECT,
                    env={**os.environ, "DATABASE_URL": empty},
                )
                until(lambda: is_being_filled(watching))
                restoring.kill()
                restoring.wait()
            until(lambda: not is_being_filled(watching))
            assert watching.execute(dumping.TABLES).fetchone() is None

    async def test_a_database_with_something_in_it_is_left_alone(
        self, database: str, tmp_path: Path
    ):
        file = tmp_path / "all.dump"
        dumping.dump(file)
        with pytest.raises(BackupFailed, match=r"not empty.* create an empty one in its place"):
            dumping.restore(file)

    def test_of_reading_is_said(self, database: str, tmp_path: Path):
        """What the system refuses: here a name that is too long, whoever asks."""
        with pytest.raises(BackupFailed, match=r"cannot be read: .+ Nothing was restored\."):
            dumping.restore(tmp_path / ("x" * 300))

    async def test_a_password_is_not_on_a_command_line(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        account = "app:told-to-nobody"  # pragma: allowlist secret
        address = f"postgresql://{account}@db.example.com:5433/x?sslmode=require"
        monkeypatch.setenv("DATABASE_URL", address)
        settings.cache_clear()
        given = dumping._connected()
        settings.cache_clear()
        assert (given["PGHOST"], given["PGPORT"]) == ("db.example.com", "5433")
        assert (given["PGUSER"], given["PGPASSWORD"]) == ("app", "told-to-nobody")
        assert (given["PGDATABASE"], given["PGSSLMODE"]) == ("x", "require")
