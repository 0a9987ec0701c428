"""Who was told of which edition, on a real database."""

from uuid import UUID

import psycopg

from rewards_app.core.database import transaction
from rewards_app.features.accounts import signing_up
from rewards_app.features.legal import repository, service
from rewards_app.features.legal.rules import EDITIONS, Document, newest
from tests.people import NOON, a_browser, a_sign_up, an_account

NEWEST = sorted((document.value, newest(document).number) for document in Document)


def readings(database: str) -> list[tuple[str, int, bool]]:
    query = "select document, edition, at_sign_up from legal_readings order by document"
    with psycopg.connect(database) as connection:
        return connection.execute(query).fetchall()


async def from_before(email: str = "maja@example.com") -> UUID:
    return (await an_account(email, knows_the_rules=False)).id


async def reads(account_id: UUID, document: Document | None = None) -> None:
    async with transaction() as session:
        await service.note_reading(session, account_id, document, now=NOON)


async def test_a_sign_up_is_a_reading_of_both(database: str):
    async with transaction() as session:
        await signing_up.sign_up(session, a_sign_up(), a_browser(), language="en", now=NOON)
    assert readings(database) == [(*one, True) for one in NEWEST]


async def test_an_account_from_before_is_told_of_both(database: str):
    told = await service.untold(await from_before())
    assert [one.document for one in told] == [*Document]


async def test_whoever_reads_one_is_told_of_the_other_only(database: str):
    maja = await from_before()
    await reads(maja, Document.TERMS)
    assert [one.document for one in await service.untold(maja)] == [Document.PRIVACY]


async def test_whoever_missed_editions_is_told_of_each_and_all_are_noted(database: str):
    maja = await from_before()
    async with transaction() as session:
        first = [one for one in EDITIONS if one.number == 1]
        await repository.note(session, maja, first, at_sign_up=True, now=NOON)
    missed = [one for one in EDITIONS if one.number > 1]
    assert await service.untold(maja) == missed
    await reads(maja)
    assert await service.untold(maja) == []
    noted = {(document, number) for document, number, _ in readings(database)}
    assert noted == {(one.document.value, one.number) for one in EDITIONS}


async def test_reading_again_keeps_the_first_time(database: str):
    maja = await from_before()
    await reads(maja)
    await reads(maja)
    assert readings(database) == [(*one, False) for one in NEWEST]
    assert await service.untold(maja) == []


async def test_nobody_reads_for_another(database: str):
    await reads(await from_before())
    assert len(await service.untold(await from_before("sven@example.com"))) == 2
