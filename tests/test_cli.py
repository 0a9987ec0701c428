"""`rewards …` as an operator types it: a process of its own, on this test's own database."""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import psycopg
import pytest
import typer

from rewards_app import cli
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.shop import stock
from rewards_app.features.shop.rules import Status
from tests.ads import (
    NOON,
    SECOND,
    a_campaign,
    an_ad,
    an_advertiser,
    finishes,
    starts,
    the_player,
)
from tests.core.test_settings import PRODUCTION
from tests.factors import an_app
from tests.keyring import FIRST, keys
from tests.keyring import SECOND as SECOND_KEY
from tests.people import an_account
from tests.serving import PROJECT, REWARDS, rewards_once_loaded
from tests.shop import GONE, THE_PACKAGE, a_buyer, balance_of, buys, earns, orders_of
from tests.shop import stock as in_stock
from tools.ports import free_port

pytestmark = pytest.mark.usefixtures("database")


async def rewards(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return await typed([*rewards_once_loaded(), *arguments], **environment)


async def typed(words: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    return await asyncio.to_thread(
        subprocess.run,
        words,
        cwd=PROJECT,
        env={**os.environ, **environment},
        text=True,
        capture_output=True,
        timeout=60,
    )


class TestADatabaseThatLetsNobodyIn:
    """Cron mails what these say, and workers write it down at each start."""

    @pytest.mark.parametrize("command", ["migrate", "months", "serve", "export", "backup make"])
    async def test_is_told_of_in_one_line_without_a_password(self, command: str, tmp_path: Path):
        file = [str(tmp_path / "all.dump")] if command == "export" else []
        done = await rewards(
            *command.split(),
            *file,
            DATABASE_URL="postgresql://app:kept-to-ourselves@127.0.0.1:9/rewards",
            BACKUP_DIR=str(tmp_path),
        )
        assert done.returncode == 2
        [line] = done.stderr.splitlines()
        assert "The database on 127.0.0.1 does not answer (" in line
        assert "Connection refused" in line
        assert line.endswith("is it running, and DATABASE_URL right?")
        assert "kept-to-ourselves" not in done.stdout + done.stderr

    async def test_is_named_by_the_owner_where_the_owner_is_asked(self, database: str):
        owner = "postgresql://owner:kept-to-ourselves@127.0.0.1:9/rewards"
        done = await rewards("migrate", DATABASE_OWNER_URL=owner)
        assert done.returncode == 2
        assert "and DATABASE_OWNER_URL right?" in done.stderr
        assert "kept-to-ourselves" not in done.stderr


async def free_codes() -> dict[str, tuple[int, int]]:
    """Of each package that has some: how many, and how many of them are for trying out."""
    async with transaction() as session:
        levels = await stock.levels(session)
    return {level.package_id: (level.free, level.demo) for level in levels if level.free}


class TestKeys:
    async def test_tells_what_needs_an_earlier_key_and_seals_it_anew(self):
        with keys(FIRST):
            await an_account()
        both = {"SECRET_KEY": SECOND_KEY, "SECRET_KEYS_BEFORE": FIRST}
        before = await rewards("keys", "check", **both)
        assert before.returncode == 1
        assert "accounts.birth_date: 1 sealed with earlier keys, 0 with none here" in before.stdout
        done = await rewards("keys", "reseal", **both)
        assert (done.returncode, done.stdout.split()[0]) == (0, "1"), done.stderr
        after = await rewards("keys", "check", SECRET_KEY=SECOND_KEY)
        assert (after.returncode, FIRST in after.stdout) == (0, False), after.stderr
        lost = await rewards("keys", "check", SECRET_KEY=FIRST)
        assert lost.returncode == 1
        assert "into SECRET_KEYS_BEFORE" in lost.stderr


class TestCodes:
    async def test_a_good_file_comes_in(self, tmp_path: Path):
        file = tmp_path / "codes.csv"
        file.write_text(f"package,code\n{THE_PACKAGE},AAAA-1111\nrobux-400,BBBB-2222\n")
        # The installed program itself: all other commands are forked from one that is loaded.
        done = await typed([REWARDS, "codes", "import", str(file)])
        assert (done.returncode, done.stdout) == (0, "2 codes imported.\n"), done.stderr
        assert await free_codes() == {THE_PACKAGE: (1, 0), "robux-400": (1, 0)}

    async def test_demo_codes_are_marked(self, tmp_path: Path):
        file = tmp_path / "codes.csv"
        file.write_text(f"package,code\n{THE_PACKAGE},AAAA-1111\n")
        assert (await rewards("codes", "import", str(file), "--demo")).returncode == 0
        assert await free_codes() == {THE_PACKAGE: (1, 1)}

    async def test_demo_codes_do_not_come_into_production(self, tmp_path: Path):
        file = tmp_path / "codes.csv"
        file.write_text(f"package,code\n{THE_PACKAGE},AAAA-1111\n")
        done = await rewards("codes", "import", str(file), "--demo", **PRODUCTION)
        assert (done.returncode, done.stdout) == (2, "")
        assert "MODE is production" in done.stderr
        assert await free_codes() == {}

    async def test_a_bad_line_is_named_without_its_code_and_nothing_comes_in(self, tmp_path: Path):
        file = tmp_path / "codes.csv"
        file.write_text(f"package,code\n{THE_PACKAGE},AAAA-1111\nnothing,SECRET-2222\n")
        done = await rewards("codes", "import", str(file))
        assert done.returncode == 1
        assert f"{file}:3: The shop sells no package of this name." in done.stderr
        assert "SECRET" not in done.stdout + done.stderr
        assert await free_codes() == {}

    async def test_a_file_that_is_not_there_is_named(self, tmp_path: Path):
        done = await rewards("codes", "import", str(tmp_path / "nothing.csv"))
        assert done.returncode == 1
        assert "nothing.csv cannot be read" in done.stderr

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("package,code\nvbucks-1000,ÅÄÖ-1234\n".encode("latin-1"), "cannot be read"),
            ("package,code\nvbucks-1000,AAAA-1111\n".encode("utf-16"), "cannot be read"),
            (b"package,code\nvbucks-1000,AAAA-1111\nvbucks-10", ":3:"),
            (b'package,code\nvbucks-1000,"AAAA-1111\n', ":2:"),
            (b"package,code\n" + b"vbucks-1000," + b"A" * 600_000, "500,000"),
            (b"", ":1:"),
        ],
        ids=["latin-1", "utf-16", "half a row", "an open quote", "huge", "empty"],
    )
    async def test_a_broken_file_is_named_and_nothing_comes_in(
        self, tmp_path: Path, content: bytes, said: str
    ):
        file = tmp_path / "codes.csv"
        file.write_bytes(content)
        done = await rewards("codes", "import", str(file))
        assert done.returncode == 1
        assert said in done.stderr
        assert "Traceback" not in done.stderr
        assert await free_codes() == {}

    async def test_that_were_delivered_are_listed_and_withheld_by_that_list(self, tmp_path: Path):
        await in_stock(2)
        await buys(await a_buyer(coins_owned=89), 89)
        kept = await rewards("codes", "delivered", "--keep", BACKUP_DIR=str(tmp_path))
        file = tmp_path / "delivered"
        assert (kept.returncode, kept.stdout) == (0, f"1 are on the list {file}.\n"), kept.stderr
        assert (await rewards("codes", "delivered")).stdout == file.read_text()
        done = await rewards("codes", "withhold", str(file))
        assert (done.returncode, done.stdout) == (0, "0 codes are withheld, and sold no more.\n")
        file.write_text(f"{'0' * 64}\n")
        done = await rewards("codes", "withhold", str(file))
        assert "1 on the list came into stock after this database's moment." in done.stdout
        assert await free_codes() == {THE_PACKAGE: (1, 0)}

    async def test_of_a_list_that_is_none_are_not_withheld(self, tmp_path: Path):
        await in_stock(2)
        file = tmp_path / "forgotten"
        file.write_text(f"{'0' * 64}\n\n{new_id()}\n")
        done = await rewards("codes", "withhold", str(file))
        assert done.returncode == 1
        assert done.stderr == f"{file}:3: not the mark of a code. Nothing was done.\n"
        missing = await rewards("codes", "withhold", str(tmp_path / "delivered"))
        assert (missing.returncode, "cannot be read" in missing.stderr) == (1, True)
        assert await free_codes() == {THE_PACKAGE: (2, 0)}

    async def test_are_withheld_by_number_or_all_of_them(self):
        await in_stock(3)
        for asked in ([], ["--first", "1", "--all"], ["list", "--all"], ["--first", "0"]):
            assert (await rewards("codes", "withhold", *asked)).returncode == 2
        assert await free_codes() == {THE_PACKAGE: (3, 0)}
        done = await rewards("codes", "withhold", "--first", "1")
        assert done.stdout == "1 codes are withheld, and sold no more.\n"
        assert await free_codes() == {THE_PACKAGE: (2, 0)}
        assert (await rewards("codes", "withhold", "--all")).returncode == 0
        assert await free_codes() == {}

    async def test_that_nobody_used_are_sold_again(self, tmp_path: Path):
        await in_stock(1)
        file = tmp_path / "unused.csv"
        file.write_text(f"package,code\n{THE_PACKAGE},AAAA-1111\n")
        assert (await rewards("codes", "import", str(file))).returncode == 0
        await rewards("codes", "withhold", "--all")
        file.write_text(f"package,code\n{THE_PACKAGE},AAAA-1111\n{THE_PACKAGE},BBBB-2222\n")
        done = await rewards("codes", "release", str(file))
        assert done.returncode == 0
        assert done.stdout.splitlines() == [
            "1 codes are sold again.",
            "1 of the file never came into this stock, and stay out of it.",
        ]
        again = await rewards("codes", "release", str(file))
        assert "1 of the file stay as they are: " in again.stdout
        assert await free_codes() == {THE_PACKAGE: (1, 0)}
        file.write_text("package,code\nnothing,SECRET-2222\n")
        bad = await rewards("codes", "release", str(file))
        assert (bad.returncode, "SECRET" in bad.stdout + bad.stderr) == (1, False)
        assert f"{file}:2: The shop sells no package of this name." in bad.stderr

    async def test_levels_warn_of_what_runs_out(self):
        await in_stock(4)
        await in_stock(5, "robux-400", is_demo=True)
        await in_stock(1, GONE)
        done = await rewards("codes", "levels")
        rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()[1:]}
        assert rows[THE_PACKAGE] == ["4", "0", "0", "0", "0", "running", "low"]
        assert rows["robux-400"] == ["5", "5", "0", "0", "0"]
        assert rows["cod-500"] == ["0", "0", "0", "0", "0", "sold", "out"]
        assert rows[GONE] == ["1", "0", "0", "0", "0", "sold", "no", "more"]


class TestRefunds:
    async def test_coins_go_back_with_the_reason(self):
        await in_stock()
        buyer = await a_buyer(coins_owned=89)
        await buys(buyer, 89)
        [order] = await orders_of(buyer)
        done = await rewards("orders", "refund", order.purchase_code, "--reason", "Does not work")
        assert done.returncode == 0, done.stderr
        [order] = await orders_of(buyer)
        assert (order.status, order.refund_reason) == (Status.REFUNDED, "Does not work")
        assert await balance_of(buyer) == (89, 0)

    async def test_a_second_one_is_refused_in_words(self):
        await in_stock()
        buyer = await a_buyer(coins_owned=89)
        await buys(buyer, 89)
        [order] = await orders_of(buyer)
        ask = ("orders", "refund", order.purchase_code, "--reason", "Does not work")
        await rewards(*ask)
        again = await rewards(*ask)
        assert again.returncode == 1
        assert "Only a completed order can be refunded" in again.stderr
        assert await balance_of(buyer) == (89, 0)

    async def test_an_unknown_order_and_a_missing_reason_are_refused(self):
        unknown = await rewards("orders", "refund", "COIN-1", "--reason", "Does not work")
        assert (unknown.returncode, unknown.stderr) == (1, "There is no order COIN-1.\n")
        await in_stock()
        buyer = await a_buyer(coins_owned=89)
        await buys(buyer, 89)
        [order] = await orders_of(buyer)
        mute = await rewards("orders", "refund", order.purchase_code, "--reason", " ")
        assert mute.returncode == 1
        assert "Say why" in mute.stderr
        assert (await orders_of(buyer))[0].status is Status.COMPLETED


class TestTheLedger:
    async def test_is_proven_with_its_orders(self):
        await in_stock()
        buyer = await a_buyer(coins_owned=89)
        await buys(buyer, 89)
        done = await rewards("ledger", "check")
        assert done.returncode == 0, done.stdout
        assert "The orders add up: 1 purchases." in done.stdout

    @pytest.mark.usefixtures("spoilt_books")
    async def test_names_an_order_that_does_not_add_up(self, database: str):
        await in_stock()
        buyer = await a_buyer()
        await earns(buyer, 89)
        await buys(buyer, 89)
        [order] = await orders_of(buyer)
        with psycopg.connect(database) as connection:
            connection.execute("update purchases set status = 'refunded', refunded_at = now()")
        done = await rewards("ledger", "check")
        assert done.returncode == 1
        assert f"{order.purchase_code}: does not add up as refunded" in done.stdout
        assert "The orders add up" not in done.stdout


class TestInvoices:
    async def test_go_on_at_a_number_and_never_back(self):
        done = await rewards("invoices", "next", "12")
        assert (done.returncode, done.stdout) == (0, "The next invoice is WCA-000012.\n")
        again = await rewards("invoices", "next", "11")
        assert (again.returncode, "they go forward" in again.stderr) == (1, True)
        for wrong in ("0", "twelve", "1000000000"):
            assert (await rewards("invoices", "next", wrong)).returncode == 2


class TestCreditingBack:
    async def test_a_view_is_paid_for_no_more_and_a_second_time_is_refused(self):
        company = await an_advertiser()
        campaign = await a_campaign(company, budget_cents=50_000)
        await an_ad(campaign)
        maja = await the_player()
        view = await starts(maja)
        await finishes(maja, view, now=NOON + 5 * SECOND)
        done = await rewards("ads", "credit-back", str(view.view_id), "--reason", "A robot")
        assert done.returncode == 0, done.stderr
        assert (await balance_of(maja))[0] == 15
        again = await rewards("ads", "credit-back", str(view.view_id), "--reason", "A robot")
        assert again.returncode == 1
        assert "or it has its money back already" in again.stderr

    async def test_needs_a_reason_and_a_view(self):
        done = await rewards("ads", "credit-back", str(new_id()), "--reason", "Bad")
        assert (done.returncode, "at least 5 characters" in done.stderr) == (1, True)
        done = await rewards("ads", "credit-back", str(new_id()), "--reason", "A robot")
        assert done.returncode == 1
        assert (await rewards("ads", "credit-back", "x", "--reason", "A robot")).returncode == 2


class TestTheAuditLog:
    """Each command that changes something leaves a line, or is listed here with why it does not."""

    READ_ONLY: ClassVar = {
        "run": "serves; what its first start makes is written down as `seed` is",
        "dev": "serves, as `run` does",
        "migrate": "changes the tables' shape, and nothing that anybody has",
        "build": "writes pages, which anybody may see",
        "serve": "serves, as `run` does",
        "doctor": "reads",
        "ledger check": "reads",
        "audit check": "reads",
        "codes delivered": "reads",
        "codes levels": "reads",
        "leaderboard check": "reads",
        "leaderboard rebuild": "works out once more what the ledger says",
        "forgotten": "reads",
        "months": "makes room for rows, and lets go what retention lets go",
        "keys check": "reads",
        "keys reseal": "seals what is sealed, with another key",
        "backup verify": "writes into a database of its own alone",
    }
    CHANGES: ClassVar = {
        "promote": "role_changed",
        "second-factor off": "second_factor_off",
        "ask-birth-date": "birth_date_forgotten",
        "bring-back": "address_brought_back",
        "erase": "account_closed",
        "forget-again": "person_erased",
        "export": "backup_made",
        "import": "backup_restored",
        "backup make": "backup_made",
        "seed": "demo_made",
        "codes import": "codes_imported",
        "codes withhold": "codes_withheld",
        "codes release": "codes_released",
        "invoices next": "invoices_skipped",
        "orders refund": "order_refunded",
        "ads credit-back": "view_credited_back",
    }

    def test_knows_every_command(self):
        assert sorted(commands(typer.main.get_command(cli.app))) == sorted(
            [*self.READ_ONLY, *self.CHANGES]
        )

    async def test_has_a_line_of_each_command_that_changes_something(
        self, database: str, tmp_path: Path
    ):
        file = tmp_path / "codes.csv"
        file.write_text(f"package,code\n{THE_PACKAGE},AAAA-1111\n")
        await rewards("codes", "import", str(file))
        await rewards("codes", "withhold", "--all")
        await rewards("codes", "release", str(file))
        await rewards("invoices", "next", "12")
        await an_account("emil@example.com", name="Emil")
        await rewards("promote", "emil@example.com", "--role", "moderator")
        nadia = await an_account("nadia@example.com", name="Nadia")
        await an_app(nadia.id)
        await rewards("second-factor", "off", nadia.email, "--reason", "Lost her phone")
        await rewards("ask-birth-date", nadia.email, "--reason", "A typo")
        hers = "nadia.w@example.com"
        await rewards("bring-back", nadia.email, "--to", hers, "--reason", "Her invoice")
        await in_stock()
        buyer = await a_buyer(coins_owned=89)
        await buys(buyer, 89)
        [order] = await orders_of(buyer)
        await rewards("orders", "refund", order.purchase_code, "--reason", "Does not work")
        await an_ad(await a_campaign(await an_advertiser(), budget_cents=50_000))
        view = await starts(buyer)
        await finishes(buyer, view, now=NOON + 30 * SECOND)
        await rewards("ads", "credit-back", str(view.view_id), "--reason", "A robot")
        await rewards("export", str(tmp_path / "all.dump"))
        await rewards("erase", "emil@example.com")
        again = tmp_path / "again.txt"
        again.write_text(str(nadia.id))
        await rewards("forget-again", str(again))
        # The lines on Nadia's second factor and address were about her.
        assert [action for action, _, _ in lines_of(database)] == [
            *("codes_imported", "codes_withheld", "codes_released", "invoices_skipped"),
            *("role_changed", "second_factor_off", "birth_date_forgotten"),
            "address_brought_back",
            *("order_refunded", "view_credited_back", "backup_made"),
            *("account_closed", "person_erased"),
        ]
        assert {origin for _, origin, _ in lines_of(database)} == {"command_line"}
        reasons = [reason for _, _, reason in lines_of(database) if reason]
        assert reasons == ["Does not work", "A robot"]

    async def test_has_a_line_of_what_was_restored(self, database: str, tmp_path: Path):
        await rewards("seed")
        dump = tmp_path / "all.dump"
        assert (await rewards("export", str(dump))).returncode == 0
        with an_empty_database(database) as empty:
            done = await rewards("import", str(dump), DATABASE_URL=empty)
            assert done.returncode == 0, done.stderr
            assert [action for action, _, _ in lines_of(empty)] == ["demo_made", "backup_restored"]
            checked = await rewards("audit", "check", DATABASE_URL=empty)
        assert checked.stdout.startswith("The audit log is whole: 2 entries. Its last hash is ")

    async def test_that_was_touched_is_found(self, database: str):
        await an_account()
        for role in ("moderator", "company", "player"):
            await rewards("promote", "maja@example.com", "--role", role, "--reason", "Because")
        whole = await rewards("audit", "check")
        assert (whole.returncode, "3 entries" in whole.stdout) == (0, True), whole.stderr
        with psycopg.connect(database) as connection:
            connection.execute("alter table audit_entries disable trigger all")
            connection.execute("update audit_entries set reason = 'Nothing' where number = 2")
        touched = await rewards("audit", "check")
        assert touched.returncode == 1
        assert touched.stderr == "Entry 2 does not follow from the one before it.\n"


def commands(group: Any, before: str = "") -> list[str]:
    """Every command by the words that are typed."""
    found: list[str] = []
    for name, command in group.commands.items():
        words = f"{before}{name}"
        found += commands(command, f"{words} ") if hasattr(command, "commands") else [words]
    return found


def lines_of(database: str) -> list[tuple[str, str, str]]:
    with psycopg.connect(database) as connection:
        query = "select action, origin, reason from audit_entries order by number"
        return connection.execute(query).fetchall()  # pyright: ignore


@contextmanager
def an_empty_database(beside: str) -> Iterator[str]:
    name = f"empty_{new_id().hex}"
    path = urlsplit(beside).path
    with psycopg.connect(beside.replace(path, "/postgres", 1), autocommit=True) as server:
        server.execute(f"create database {name} template template0")
        try:
            yield beside.replace(path, f"/{name}", 1)
        finally:
            server.execute(f"drop database {name} with (force)")


class TestABirthDate:
    async def test_that_was_mistyped_is_asked_for_again(self, database: str):
        await an_account("maja@example.com")
        done = await rewards("ask-birth-date", "MAJA@example.com", "--reason", "A typo")
        assert (done.returncode, "again" in done.stdout) == (0, True)
        with psycopg.connect(database) as connection:
            row = connection.execute("select birth_date, age_verified_at from accounts").fetchone()
        assert row == (None, None)
        again = await rewards("ask-birth-date", "maja@example.com", "--reason", "A typo")
        assert (again.returncode, "No birth date is known" in again.stderr) == (1, True)

    async def test_of_nobody_is_said_to_be_of_nobody(self):
        done = await rewards("ask-birth-date", "nobody@example.com", "--reason", "A typo")
        assert (done.returncode, "no account" in done.stderr) == (1, True)


class TestErase:
    async def test_closes_an_account_as_its_owner_would(self, database: str):
        await an_account("maja@example.com")
        done = await rewards("erase", "MAJA@example.com")
        assert done.returncode == 0
        assert "Closed" in done.stdout
        with psycopg.connect(database) as connection:
            row = connection.execute("select email, closed_at from accounts").fetchone()
        assert row
        assert row[0] == "maja@example.com"
        assert row[1]

    async def test_at_once_forgets_its_owner_and_writes_that_down(self, database: str):
        await an_account("maja@example.com")
        done = await rewards("erase", "maja@example.com", "--now")
        assert done.returncode == 0, done.stderr
        with psycopg.connect(database) as connection:
            email = connection.execute("select email from accounts").fetchone()
            told = connection.execute("select action, origin, reason from audit_entries").fetchall()
        assert email
        assert email[0].endswith("@erased.invalid")
        assert told == [
            ("account_closed", "command_line", ""),
            ("person_erased", "command_line", ""),
        ]
        again = await rewards("erase", "maja@example.com", "--now")
        assert again.returncode == 1

    async def test_at_once_is_on_the_list_beside_the_backups(self, tmp_path: Path):
        """An older backup brings them back, and the next nightly one may never be made."""
        gone = await an_account("maja@example.com")
        (tmp_path / "forgotten").write_text("somebody\n")
        await rewards("erase", gone.email, "--now", BACKUP_DIR=str(tmp_path))
        assert (tmp_path / "forgotten").read_text().split() == sorted([str(gone.id), "somebody"])

    async def test_at_once_is_said_to_be_done_where_the_list_cannot_be_written(
        self, tmp_path: Path
    ):
        await an_account("maja@example.com")
        nowhere = str(tmp_path / "nowhere")
        done = await rewards("erase", "maja@example.com", "--now", BACKUP_DIR=nowhere)
        assert (done.returncode, done.stdout) == (2, "Forgotten.\n")
        assert f"{nowhere}/forgotten: No such file or directory." in done.stderr

    async def test_at_once_says_how_it_stands_where_the_last_letter_cannot_leave(
        self, database: str
    ):
        await an_account("maja@example.com")
        away = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(free_port())}
        done = await rewards("erase", "maja@example.com", "--now", **away)
        assert (done.returncode, done.stdout) == (2, "")
        assert "The account is closed, and not erased yet: run this again." in done.stderr
        assert "mail server" in done.stderr
        # A worker would be sending them that they may keep it until a day that is no longer theirs.
        with psycopg.connect(database) as connection:
            assert connection.execute("select from procrastinate_jobs").fetchone() is None
        assert (await rewards("erase", "maja@example.com", "--now")).stdout == "Forgotten.\n"

    async def test_names_an_address_that_nobody_has(self):
        done = await rewards("erase", "nobody@example.com")
        assert done.returncode == 1
        assert "nobody@example.com" in done.stderr


class TestSeed:
    async def test_makes_nothing_in_production(self, database: str):
        done = await rewards("seed", **PRODUCTION)
        assert (done.returncode, done.stdout) == (2, "")
        assert "MODE is production" in done.stderr
        with psycopg.connect(database) as connection:
            assert connection.execute("select from accounts").fetchone() is None


class TestExport:
    async def test_takes_the_place_of_no_file(self, tmp_path: Path):
        file = tmp_path / "before-update.dump"
        file.write_text("the only one of its day")
        done = await rewards("export", str(file))
        assert done.returncode == 2
        assert f"{file} is there already, and nothing was written." in done.stderr
        assert file.read_text() == "the only one of its day"

    async def test_is_said_to_be_written_where_who_is_forgotten_cannot_be(self, tmp_path: Path):
        file, nowhere = tmp_path / "as-found.dump", tmp_path / "nowhere"
        done = await rewards("export", str(file), BACKUP_DIR=str(nowhere))
        assert (done.returncode, done.stdout) == (2, f"Written to {file}\n")
        assert f"Who is forgotten was not added to {nowhere}/forgotten" in done.stderr

    async def test_adds_to_the_list_of_codes_that_were_delivered(self, tmp_path: Path):
        await in_stock(2)
        await buys(await a_buyer(coins_owned=89), 89)
        done = await rewards("export", str(tmp_path / "all.dump"), BACKUP_DIR=str(tmp_path))
        assert done.returncode == 0, done.stderr
        assert len((tmp_path / "delivered").read_text().split()) == 1


class TestWhoIsForgotten:
    async def test_is_not_forgotten_again_by_a_list_that_cannot_be_read(self, tmp_path: Path):
        done = await rewards("forget-again", str(tmp_path / "forgotten"))
        assert (done.returncode, "Traceback" in done.stderr) == (1, False)
        assert "forgotten cannot be read" in done.stderr

    async def test_is_not_forgotten_again_where_a_line_of_the_list_is_no_id(self, tmp_path: Path):
        maja = await an_account()
        file = tmp_path / "forgotten"
        file.write_text(f"{maja.id}\n\n0192-cut-off\n")
        done = await rewards("forget-again", str(file))
        assert done.returncode == 1
        assert done.stderr == f"{file}:3: not the id of an account. Nothing was done.\n"
        assert (await rewards("promote", maja.email, "--role", "moderator")).returncode == 0

    @pytest.mark.parametrize("asked", [("forgotten", "--keep"), ("export", "all.dump")])
    async def test_is_on_the_list_beside_the_backups(self, tmp_path: Path, asked: tuple[str, str]):
        gone = await an_account("maja@example.com")
        await rewards("erase", gone.email, "--now")
        command, how = asked
        how = how if how.startswith("--") else str(tmp_path / how)
        done = await rewards(command, how, BACKUP_DIR=str(tmp_path))
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "forgotten").read_text() == f"{gone.id}\n"
