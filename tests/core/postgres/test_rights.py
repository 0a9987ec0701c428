"""The role that serves: it does all that the app does, and cannot touch what guards the books."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import InsufficientPrivilege

from rewards_app import launch
from rewards_app.backups import dumping
from rewards_app.commands.months import months as make_months
from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine, transaction
from rewards_app.core.postgres import months, rights
from rewards_app.core.postgres.months import COIN_ENTRIES, CUTS
from rewards_app.core.settings import BadSettings, read_settings, settings
from rewards_app.doctor import stored
from rewards_app.doctor.findings import Kind
from rewards_app.features.accounts import closing
from rewards_app.features.audit import service as audit
from rewards_app.features.coins import service as coins
from rewards_app.features.health import growing, site
from rewards_app.features.leaderboard import counting
from rewards_app.features.privacy import erasing, exports
from rewards_app.server import server_environment
from tests.people import an_account
from tests.serving import PROJECT
from tests.shop import a_buyer, buys
from tests.shop import stock as in_stock
from tests.test_cli import an_empty_database, rewards
from tools.ports import free_port

ROLE = "serves_only"


@pytest.fixture
async def serving(database: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The URL of a role with the rights that a migration gives, which everything here uses."""
    with psycopg.connect(database, autocommit=True) as connection:
        if not connection.execute("select 1 from pg_roles where rolname = %s", [ROLE]).fetchone():
            connection.execute(sql.SQL("create role {} login").format(sql.Identifier(ROLE)))
    url = as_role(database)
    os.environ["DATABASE_URL"] = url
    monkeypatch.setenv("DATABASE_OWNER_URL", database)
    settings.cache_clear()
    launch.migrate()
    monkeypatch.delenv("DATABASE_OWNER_URL")
    settings.cache_clear()
    await dispose_engine()
    yield url
    await dispose_engine()
    os.environ["DATABASE_URL"] = database
    settings.cache_clear()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(sql.SQL("drop owned by {}").format(sql.Identifier(ROLE)))


def as_role(url: str) -> str:
    scheme, rest = url.split("://", 1)
    return f"{scheme}://{ROLE}@{rest.rpartition('@')[2]}"


@pytest.fixture
def connection(serving: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(serving, autocommit=True) as connected:
        yield connected


class TestTheRole:
    async def test_sells_forgets_and_copies_as_the_owner_does(self, serving: str):
        buyer = await a_buyer(coins_owned=100)
        await in_stock(1)
        await buys(buyer, 0)
        async with transaction() as session:
            await audit.record(session, None, audit.Action.BACKUP_MADE, "database", now=utc_now())
            await exports.ask(session, buyer, now=utc_now())
            assert (await coins.check(session)).is_clean
        await counting.rebuild(now=utc_now())
        leaving = await an_account("nils@example.com")
        assert await erased(leaving.id)
        async with transaction() as session:
            assert (await audit.check(session)).is_clean
        async with jobs.queue().open_async() as queue:
            assert await queue.job_manager.check_connection_async()

    async def test_is_what_the_doctor_asks_for(
        self, serving: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("DATA_DIR", str(tmp_path))
        settings.cache_clear()
        found = [one for one in await stored.findings() if one.kind is Kind.FINE]
        assert any("the books not at all" in one.what for one in found)

    async def test_sees_how_many_connections_others_have(self, serving: str, database: str):
        with ExitStack() as others:
            for _ in range(7):
                others.enter_context(psycopg.connect(database))
            async with transaction() as session:
                assert (await site.seen(session, now=utc_now())).connections > 7
            found = [one.what for one in await stored.findings()]
        [said] = [what for what in found if "connections to the database are free" in what]
        free, _, allowed = said.split()[:3]
        assert int(allowed) - int(free) > 7


class TestMonths:
    async def test_are_made_by_the_owner_and_missed_by_who_serves(
        self, serving: str, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        in_a_year = utc_now() + timedelta(days=365)
        assert await growing.make_months(now=in_a_year) == {"made": 0, "without_month": len(CUTS)}
        with psycopg.connect(serving) as connected, pytest.raises(InsufficientPrivilege):
            connected.execute("drop table coin_entries_later")
        with pytest.raises(rights.NotTheOwner, match="systemctl start watchcoins-months"):
            make_months()
        monkeypatch.setenv("DATABASE_OWNER_URL", database)
        settings.cache_clear()
        with launch.changing_tables():
            assert months.make_ahead(now=in_a_year) >= 12 * len(CUTS)
        assert settings().database_url == serving
        assert await growing.make_months(now=in_a_year) == {"made": 0, "without_month": 0}
        month = months.name_of(COIN_ENTRIES, months.month_of(in_a_year))
        with psycopg.connect(serving) as connected:
            connected.execute(sql.SQL("select from {}").format(sql.Identifier(month)))

    async def test_that_were_made_before_it_broke_off_may_be_read(
        self, serving: str, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        in_a_year = utc_now() + timedelta(days=365)
        monkeypatch.setenv("DATABASE_OWNER_URL", database)
        settings.cache_clear()
        with pytest.raises(ZeroDivisionError), launch.changing_tables():
            assert months.make_ahead(now=in_a_year) / 0
        month = months.name_of(COIN_ENTRIES, months.month_of(in_a_year))
        with psycopg.connect(serving) as connected:
            connected.execute(sql.SQL("select from {}").format(sql.Identifier(month)))

    async def test_are_made_by_who_serves_where_it_owns_them(self, database: str):
        made = await growing.make_months(now=utc_now() + timedelta(days=365))
        assert made["made"] >= 12 * len(CUTS)
        assert made["without_month"] == 0


REFUSED = (
    *(f"update {table} set created_at = now()" for table in rights.APPEND_ONLY),
    *(f"delete from {table}" for table in rights.APPEND_ONLY),
    *(f"truncate {table}" for table in rights.APPEND_ONLY),
    *(f"alter table {table} disable trigger all" for table in rights.APPEND_ONLY),
    "update audit_entries set action = 'nothing'",
    "update alembic_version set version_num = 'later'",
    "drop trigger coin_entries_are_append_only on coin_entries",
    "create or replace function refuse_change_of_coin_entries() returns trigger"
    " language plpgsql as $$ begin return new; end $$",
    "set session_replication_role = replica",
    "create table more (id int)",
    "alter table accounts add column more int",
    "drop table accounts",
    "truncate accounts cascade",
    "create role another",
)


def test_is_refused(connection: psycopg.Connection):
    raised = {statement: what_it_raises(connection, statement) for statement in REFUSED}
    assert raised == dict.fromkeys(REFUSED, InsufficientPrivilege)


def what_it_raises(connection: psycopg.Connection, statement: str) -> type[Exception] | None:
    try:
        connection.execute(statement)  # pyright: ignore
    except psycopg.Error as failure:
        return type(failure)
    return None


def test_a_right_that_was_given_beside_is_taken_back(
    serving: str, database: str, monkeypatch: pytest.MonkeyPatch
):
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute(sql.SQL("grant all on coin_entries to {}").format(sql.Identifier(ROLE)))
    monkeypatch.setenv("DATABASE_OWNER_URL", database)
    settings.cache_clear()
    launch.migrate()
    with psycopg.connect(serving) as connected, pytest.raises(InsufficientPrivilege):
        connected.execute("delete from coin_entries")


async def test_a_machine_that_is_not_told_the_owner_migrates_nothing_and_ends_well(serving: str):
    """Where another one migrates: its workers begin by asking for it as well."""
    done = await rewards("migrate")
    assert (done.returncode, done.stderr) == (0, "")


TEN_TIMES = "from rewards_app import launch\nfor _ in range(10): launch.migrate()"


def test_two_that_give_rights_at_once_both_end_well(
    serving: str, database: str, monkeypatch: pytest.MonkeyPatch
):
    """As two machines that start together, or one that starts while its timer makes months."""
    monkeypatch.setenv("DATABASE_OWNER_URL", database)
    two = [
        subprocess.Popen(
            [sys.executable, "-c", TEN_TIMES], cwd=PROJECT, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    said = [one.communicate(timeout=120)[1] for one in two]
    assert [one.returncode for one in two] == [0, 0], said


def test_an_owner_that_owns_nothing_is_named_and_changes_nothing(
    serving: str, monkeypatch: pytest.MonkeyPatch
):
    """As after a restore into a database that was made for the role that serves."""
    monkeypatch.setenv("DATABASE_OWNER_URL", serving)
    settings.cache_clear()
    for change in (launch.migrate, make_months):
        with pytest.raises(rights.NotTheOwner, match=f"DATABASE_OWNER_URL names {ROLE}"):
            change()


@pytest.fixture
def elsewhere(database: str) -> Iterator[str]:
    with an_empty_database(database) as empty:
        yield empty


class TestAnotherDatabase:
    """Its owner would do all the work there, where nobody serves."""

    def test_is_named_and_nothing_is_made_there(
        self, serving: str, elsewhere: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("DATABASE_OWNER_URL", elsewhere)
        settings.cache_clear()
        for change in (launch.migrate, make_months):
            with pytest.raises(rights.AnotherDatabase, match="leads to the database empty_"):
                change()
        with psycopg.connect(elsewhere) as connected:
            assert connected.execute(dumping.TABLES).fetchone() is None

    async def test_is_not_imported_into(self, serving: str, elsewhere: str, tmp_path: Path):
        file = tmp_path / "all.dump"
        dumping.dump(file)
        done = await rewards("import", str(file), DATABASE_OWNER_URL=elsewhere)
        assert (done.returncode, done.stdout) == (2, "")
        assert "DATABASE_OWNER_URL leads to the database empty_" in done.stderr

    def test_is_known_by_its_name_where_the_server_cannot_be_asked(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        nobody_there = f"postgresql://owner@127.0.0.1:{free_port()}/other"
        monkeypatch.setenv("DATABASE_OWNER_URL", nobody_there)
        settings.cache_clear()
        with pytest.raises(rights.AnotherDatabase, match="leads to the database other"):
            rights.refuse_another_database()


class TestAnOwnerWhoseServerAnybodyMayBe:
    """Over a network, where the app's own address has the server show who it is."""

    FAR = "postgresql://owner:secret@192.0.2.5/watchcoins"
    CHECKED = "?sslmode=verify-full&sslrootcert=/etc/ssl/certs/ca-certificates.crt"

    @staticmethod
    def lead(monkeypatch: pytest.MonkeyPatch, *, app: str, owner: str) -> None:
        monkeypatch.setenv("DATABASE_URL", app)
        monkeypatch.setenv("DATABASE_OWNER_URL", owner)
        settings.cache_clear()

    async def test_is_named_before_anybody_is_asked(self, tmp_path: Path):
        addresses = {"DATABASE_URL": self.FAR + self.CHECKED, "DATABASE_OWNER_URL": self.FAR}
        for command in (("migrate",), ("import", str(tmp_path / "all.dump"))):
            done = await rewards(*command, **addresses)
            assert (done.returncode, done.stdout) == (2, "")
            assert "Nobody checks that 192.0.2.5 is the database of DATABASE_OWNER" in done.stderr

    @pytest.mark.parametrize("owner", [FAR + CHECKED, "postgresql://owner@127.0.0.1/watchcoins"])
    def test_may_come_once_it_is_checked_or_stays_on_the_machine(
        self, owner: str, monkeypatch: pytest.MonkeyPatch
    ):
        self.lead(monkeypatch, app=self.FAR + self.CHECKED, owner=owner)
        rights.refuse_unchecked_server()

    def test_may_come_as_the_app_does(self, monkeypatch: pytest.MonkeyPatch):
        """In a network of containers; elsewhere the doctor calls the app's address wrong."""
        self.lead(monkeypatch, app=self.FAR, owner=self.FAR)
        rights.refuse_unchecked_server()


class TestAnEmptyDatabaseOfAnotherRole:
    @pytest.fixture(autouse=True)
    def _as_who_serves(
        self, serving: str, elsewhere: str, monkeypatch: pytest.MonkeyPatch
    ) -> Iterator[None]:
        monkeypatch.setenv("DATABASE_URL", as_role(elsewhere))
        settings.cache_clear()
        yield
        monkeypatch.undo()
        settings.cache_clear()

    def test_is_not_migrated_and_the_owner_is_asked_for(self):
        with pytest.raises(rights.NotTheOwner, match="DATABASE_OWNER_URL"):
            launch.migrate()

    async def test_is_not_filled_and_the_owner_is_asked_for(self, database: str, tmp_path: Path):
        file = tmp_path / "all.dump"
        await rewards("export", str(file), DATABASE_URL=database)
        done = await rewards("import", str(file))
        assert done.returncode == 2
        assert "import needs the owner of the database, in DATABASE_OWNER_URL" in done.stderr


GONE = "of_another_machine"
ON_TABLES = """
select table_name::text, null, privilege_type::text from information_schema.role_table_grants
where grantee = %(role)s
union
select table_name, column_name, privilege_type from information_schema.role_column_grants
where grantee = %(role)s
"""


class TestABackupOfAnInstallationWithAnotherRole:
    """As one of containers has it, and each that was exported where two roles are."""

    @pytest.fixture
    def file(self, database: str, tmp_path: Path) -> Path:
        role = sql.Identifier(f"{GONE}_{os.getpid()}")
        made = tmp_path / "all.dump"
        with psycopg.connect(database, autocommit=True) as owner:
            owner.execute(sql.SQL("create role {}").format(role))
            owner.execute(sql.SQL("grant all on all tables in schema public to {}").format(role))
            owner.execute(
                sql.SQL("alter default privileges grant select on tables to {}").format(role)
            )
            dumping.dump(made)
            owner.execute(sql.SQL("drop owned by {}").format(role))
            owner.execute(sql.SQL("drop role {}").format(role))
        return made

    async def test_gives_the_role_that_serves_here_exactly_its_rights(
        self, serving: str, database: str, elsewhere: str, file: Path
    ):
        addresses = {"DATABASE_URL": as_role(elsewhere), "DATABASE_OWNER_URL": elsewhere}
        done = await rewards("import", str(file), **addresses)
        assert (done.returncode, done.stdout) == (0, "Restored.\n"), done.stderr
        assert rights_in(elsewhere) == rights_in(database)
        with psycopg.connect(as_role(elsewhere), autocommit=True) as connected:
            raised = {statement: what_it_raises(connected, statement) for statement in REFUSED}
        assert raised == dict.fromkeys(REFUSED, InsufficientPrivilege)

    async def test_is_taken_by_a_database_of_one_role(self, elsewhere: str, file: Path):
        done = await rewards("import", str(file), DATABASE_URL=elsewhere)
        assert (done.returncode, done.stdout) == (0, "Restored.\n"), done.stderr

    async def test_lets_nobody_do_what_it_lets_nobody_do(self, elsewhere: str, file: Path):
        await rewards("import", str(file), DATABASE_URL=elsewhere)
        with psycopg.connect(elsewhere) as connected:
            query = "select has_function_privilege('public', 'hold_coin_entries()', 'execute')"
            assert connected.execute(query).fetchone() == (False,)


def rights_in(url: str) -> set[tuple[object, ...]]:
    """Of the role that serves: on which table, which column, to do what."""
    with psycopg.connect(url) as connected:
        found = set(connected.execute(ON_TABLES, {"role": ROLE}).fetchall())
    assert found
    return found


def test_who_serves_is_not_told_the_owner(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_OWNER_URL", "postgresql://owner@localhost/rewards")
    assert "DATABASE_OWNER_URL" not in server_environment()


def test_an_owner_alone_is_refused_by_name(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("DATABASE_OWNER_URL", "postgresql://owner@localhost/rewards")
    with pytest.raises(BadSettings, match="DATABASE_URL: missing"):
        read_settings()


async def erased(account_id: UUID) -> bool:
    async with transaction() as session:
        await closing.close(session, account_id, now=utc_now())
    return await erasing.erase(account_id, is_urgent=True, is_silent=True, now=utc_now())
