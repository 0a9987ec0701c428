"""What somebody takes along is what the database has of them, row by row, and nothing else."""

import hashlib
import json
from datetime import date, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.actor import Role
from rewards_app.core.csv_text import escaped
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import roles
from rewards_app.features.privacy import exports
from rewards_app.features.privacy.archive import path_of
from rewards_app.features.privacy.holding import Holding
from rewards_app.features.privacy.holdings import EXPORTED
from rewards_app.features.shop import rules, service
from rewards_app.models import DataExport, TopUp
from tests import held
from tests.ads import the_actor
from tests.companies import Company, a_company, a_member
from tests.features.privacy.archives import Opened, kept_archive
from tests.people import an_account
from tests.shop import NOON, PRICE, a_buyer, buys, stock

MAJA, OTTO = "maja", "otto"
# An archive has itself in it, as it was before it was ready.
ITSELF = "data_exports"


@pytest.fixture
async def archive(database: str, spoilt_books: None) -> Opened:
    held.hold_everything(database, MAJA, OTTO)
    return await made(database, held.id_of(MAJA))


async def made(url: str, account_id: UUID) -> Opened:
    export = DataExport(account_id=account_id)
    async with transaction() as session:
        session.add(export)
    await exports.make(export.id)
    return Opened(kept_archive(url, export.id))


def plain(value: Any) -> Any:
    """As JSON says it."""
    if isinstance(value, bytes):
        return f"\\x{value.hex()}"
    if isinstance(value, UUID):
        return str(value)
    return value.isoformat() if isinstance(value, date) else value


def as_moment(text: str, like: Any) -> Any:
    return datetime.fromisoformat(text).isoformat() if isinstance(like, datetime) and text else text


def is_of(who: str, row: dict[str, Any]) -> bool:
    """Every row of these people names them somewhere, or something of theirs."""
    known = {held.id_of(who, name) for name in held.TABLES} | {held.email_of(who)}
    return any(isinstance(value, (UUID, str)) and value in known for value in row.values())


def kept(url: str, holding: Holding, who: str) -> list[dict[str, Any]]:
    rows = [row for row in held.held_rows(url, holding) if is_of(who, row)]
    return [row for row in rows if holding.table != ITSELF or row["status"] == "failed"]


def without_itself(holding: Holding, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if holding.table != ITSELF or row["status"] == "failed"]


class TestArchive:
    async def test_has_every_row_of_its_owner_as_the_database_has_it(
        self, database: str, archive: Opened
    ):
        for holding in EXPORTED:
            rows = kept(database, holding, MAJA)
            assert rows, f"{holding.table} has nothing to compare"
            expected = [{name: row[name] for name in holding.columns} for row in rows]
            found = without_itself(holding, archive.json(holding))
            compared = [
                {name: as_moment(row[name], was[name]) for name in row}
                for row, was in zip(found, expected, strict=True)
            ]
            assert compared == [
                {name: plain(value) for name, value in row.items()} for row in expected
            ], holding.table

    async def test_says_the_same_in_both_files(self, archive: Opened):
        for holding in EXPORTED:
            rows, lines = archive.json(holding), archive.csv(holding)
            assert len(rows) == len(lines)
            for row, line in zip(rows, lines, strict=True):
                assert list(line) == list(holding.columns)
                for name, value in row.items():
                    assert as_a_cell(line[name], value) == value_in_a_cell(value), (
                        path_of(holding),
                        name,
                    )

    async def test_has_nothing_of_anybody_else(self, archive: Opened):
        for name in archive.names:
            content = archive.read(name).decode()
            assert held.email_of(OTTO) not in content, name
            assert str(held.id_of(OTTO)) not in content, name
            assert f"{OTTO} " not in content, name

    async def test_runs_in_no_spreadsheet(self, archive: Opened):
        for holding in EXPORTED:
            for line in archive.csv(holding):
                assert not [cell for cell in line.values() if escaped(cell) != cell]

    async def test_lists_what_it_has(self, archive: Opened):
        listed = {file["path"]: file for file in archive.manifest["files"]}
        assert set(listed) == set(archive.names) - {"manifest.json"}
        for path, file in listed.items():
            content = archive.read(path)
            assert file["sha256"] == hashlib.sha256(content).hexdigest()
            assert file["bytes"] == len(content)
        rows = {table["name"]: table["rows"] for table in archive.manifest["tables"]}
        assert rows == {path_of(one): len(archive.json(one)) for one in EXPORTED}

    async def test_is_whole(self, archive: Opened):
        assert archive.zip.testzip() is None

    @pytest.mark.parametrize(
        ("language", "word"), [("en", "EVERYTHING"), ("de", "DEINE DATEN"), ("ru", "ТВОИ ДАННЫЕ")]
    )
    async def test_explains_itself_in_its_owners_language(
        self, database: str, spoilt_books: None, language: str, word: str
    ):
        held.hold_everything(database, MAJA)
        with psycopg.connect(database) as connection:
            connection.execute("update accounts set language = %s", (language,))
        archive = await made(database, held.id_of(MAJA))
        assert word in archive.readme.upper()
        assert held.email_of(MAJA) in archive.readme
        for holding in EXPORTED:
            assert path_of(holding) in archive.readme
            assert all(name in archive.readme for name in holding.left_out)


async def a_paying_company() -> Company:
    """Its owner has paid, and it has an invoice."""
    company = await a_company(dollars=500)
    paid = TopUp(
        advertiser_id=company.id,
        account_id=company.owner.user_id,
        attempt=new_id(),
        cents=50_000,
        status="paid",
        invoice_number=1,
        company_name=company.name,
    )
    async with transaction() as session:
        session.add(paid)
    return company


PAYMENTS = {"advertiser_entries", "top_ups"}


class TestACompanysPayments:
    def in_it(self, archive: Opened) -> set[str]:
        return {one.table for one in EXPORTED if one.table in PAYMENTS and archive.json(one)}

    async def test_are_taken_along_by_its_owner(self, database: str, spoilt_books: None):
        company = await a_paying_company()
        assert self.in_it(await made(database, company.owner.user_id)) == PAYMENTS

    async def test_are_not_taken_along_by_a_colleague(self, database: str, spoilt_books: None):
        company = await a_paying_company()
        archive = await made(database, (await a_member(company)).user_id)
        assert self.in_it(archive) == set()
        [row] = [row for one in EXPORTED if one.file == "company" for row in archive.json(one)]
        assert row["company_name"] == company.name

    async def test_stay_with_whoever_paid_them(self, database: str, spoilt_books: None):
        company = await a_paying_company()
        with psycopg.connect(database) as connection:
            connection.execute("update advertiser_members set role = 'member'")
        assert self.in_it(await made(database, company.owner.user_id)) == {"top_ups"}


async def test_codes_are_taken_along_once_they_are_paid_for(database: str):
    """One that is only reserved is somebody else's tomorrow; a withdrawn one is shown to nobody."""
    maja = await a_buyer(coins_owned=2 * PRICE)
    codes = await stock(3)
    own, returned = [(await buys(maja, PRICE)).purchase_id for _ in range(2)]
    given = await service.code_of(maja, own)
    async with transaction() as session:
        await service.refund(session, None, returned, "wrong game", now=NOON)
    await buys(maja, PRICE - rules.CARD_MINIMUM_KR)
    archive = await made(database, maja.user_id)
    everything = b"".join(archive.read(name) for name in archive.names).decode()
    assert [code for code in codes if code in everything] == [given]


async def test_nobody_of_the_staff_is_named_in_it(database: str):
    maja, linnea = (
        await an_account(),
        await an_account("linnea@example.com", Role.ADMIN, name="Linnea"),
    )
    async with transaction() as session:
        reason = "She helps us"
        await roles.change(session, the_actor(linnea), maja.id, Role.MODERATOR, reason, now=NOON)
    archive = await made(database, maja.id)
    [told] = [row for one in EXPORTED if one.file == "security_alerts" for row in archive.json(one)]
    assert told["alert_type"] == "role_changed"
    everything = b"".join(archive.read(name) for name in archive.names).decode()
    assert "Linnea" not in everything


def as_a_cell(cell: str, like: Any) -> Any:
    if isinstance(like, (dict, list)):
        return json.loads(cell)
    if isinstance(like, str) and like[:4].isdigit() and "T" in like:
        return datetime.fromisoformat(cell)
    return cell


def value_in_a_cell(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (dict, list)):
        return value
    if isinstance(value, str) and value[:4].isdigit() and "T" in value:
        return datetime.fromisoformat(value)
    return "" if value is None else escaped(str(value)) if isinstance(value, str) else str(value)
