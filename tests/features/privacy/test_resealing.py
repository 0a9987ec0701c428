"""Another SECRET_KEY on a real database: everything opens before, meanwhile and after."""

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.database import transaction
from rewards_app.core.sealed import fingerprint, opening_keys, seal, unseal
from rewards_app.core.sealing import Key, KeyMissing
from rewards_app.features.accounts import whereabouts
from rewards_app.features.factors import rules
from rewards_app.features.factors import service as factors
from rewards_app.features.notifications import unsubscribing
from rewards_app.features.notifications.rules import Topic
from rewards_app.features.privacy import exports, resealing, resealing_repository
from rewards_app.features.shop import stock
from rewards_app.features.waitlist import links
from rewards_app.models import Account, DataExport
from tests.ads import the_player
from tests.factors import an_app
from tests.keyring import FIRST, SECOND, keys
from tests.people import NOON, an_account
from tests.shop import THE_PACKAGE
from tests.shop import stock as in_stock

A_DAY = "1998-05-17"
pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture(autouse=True)
def first_key() -> Iterator[None]:
    with keys(FIRST):
        yield


async def birth_date_of(account_id: UUID) -> str | None:
    async with transaction() as session:
        account = await session.get(Account, account_id)
        assert account
        return account.birth_date


async def needed() -> tuple[int, int, int]:
    """Values that the present key, an earlier one and none of ours has sealed."""
    async with transaction() as session:
        found = await resealing.standings(session)
    return (
        sum(f.present for f in found),
        sum(f.earlier for f in found),
        sum(f.unknown for f in found),
    )


class TestEveryPlace:
    def test_is_one_that_can_be_found(self):
        names = {f"{place.table}.{place.column}" for place in resealing_repository.places()}
        assert {"accounts.phone", "gift_codes.code", "backup_codes.code_hash"} <= names
        assert len(resealing_repository.places()) == len(names)
        assert len(names) == 10


class TestResealing:
    async def test_leaves_everything_readable_with_the_second_key_alone(self):
        maja = await an_account(born=A_DAY)
        app = await an_app(maja.id)
        codes = await in_stock(3)
        assert await needed() == (15, 0, 0)
        with keys(SECOND, FIRST):
            assert await birth_date_of(maja.id) == A_DAY
            assert await needed() == (0, 15, 0)
            assert await resealing.reseal() == {"resealed": 15, "not_opened": 0, "marked": 3}
            assert await needed() == (15, 0, 0)
        with keys(SECOND):
            assert await birth_date_of(maja.id) == A_DAY
            async with transaction() as session:
                used = await factors.check_code(session, maja.id, app.codes[0], now=NOON)
                again = await stock.import_sheet(
                    session, f"package,code\n{THE_PACKAGE},{codes[0]}", None, now=NOON
                )
        assert used.codes_left == 9
        assert [problem.code_key for problem in again.problems] == ["codes.problems.in_stock"]

    async def test_a_second_time_does_nothing(self):
        await an_account(born=A_DAY)
        assert (await resealing.reseal())["resealed"] == 0

    async def test_goes_on_past_what_no_key_opens(self):
        lost = await an_account(born=A_DAY)
        with keys(SECOND, FIRST):
            await an_account(email="nils@example.com")
        with keys("third-key-" * 4, SECOND):
            assert await needed() == (0, 1, 1)
            done = await resealing.reseal()
            with pytest.raises(KeyMissing):
                await birth_date_of(lost.id)
        assert (done["resealed"], done["not_opened"]) == (1, 1)
        assert await birth_date_of(lost.id) == A_DAY

    async def test_counts_codes_that_no_key_opens_and_marks_none(self):
        await in_stock(2)
        with keys(SECOND):
            assert await resealing.reseal() == {"resealed": 0, "not_opened": 2, "marked": 0}

    async def test_takes_more_than_it_does_at_once(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(resealing, "AT_ONCE", 2)
        await in_stock(5)
        with keys(SECOND, FIRST):
            assert (await resealing.reseal())["resealed"] == 5

    async def test_takes_along_what_was_sealed_before_keys_had_names(self, database: str):
        maja = await an_account(born=A_DAY)
        nameless = _without_a_name(A_DAY)
        with psycopg.connect(database) as connection:
            connection.execute("update accounts set birth_date = %s", [nameless])
        assert await needed() == (0, 1, 0)
        with keys(SECOND, FIRST):
            assert (await resealing.reseal())["resealed"] == 1
        with keys(SECOND):
            assert await birth_date_of(maja.id) == A_DAY


class TestLinks:
    def test_of_mails_that_were_sent_before_lead_on(self):
        maja = UUID(int=7)
        topic = Topic.REPLIES
        token = unsubscribing.token_for(maja, topic.value)
        leaving, confirming = links.leaving_token(maja, "sv"), links.confirming_token(maja, NOON)
        with keys(SECOND, FIRST):
            assert unsubscribing.read(token) == (maja, [topic.value])
            assert links.who_leaves(leaving) == (maja, "sv")
            assert links.who_confirms(confirming) == (maja, NOON)
            assert unsubscribing.token_for(maja, topic.value) != token
        with keys(SECOND):
            assert unsubscribing.read(token) is None
            assert links.who_leaves(leaving) is None

    async def test_to_a_copy_that_is_ready_are_shown_as_they_were_mailed(self):
        maja = await the_player("Maja")
        export = DataExport(account_id=maja.user_id, status="ready", ready_at=NOON)
        token = exports.token_of(export.id)
        export.token_hash = exports.digest(token)
        async with transaction() as session:
            session.add(export)
        with keys(SECOND, FIRST):
            async with transaction() as session:
                shown = await exports.newest(session, maja, now=NOON)
        assert shown
        assert shown.token == token


class TestPlaces:
    def test_that_were_marked_before_are_known(self):
        place = whereabouts.place_of("Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0", "192.0.2.7")
        [before] = whereabouts._marks(place)
        with keys(SECOND, FIRST):
            assert whereabouts._marks(place)[1] == before
        whereabouts.forget()


class TestBackupCodes:
    async def test_are_nothing_without_our_key_and_slow_with_it(self, database: str):
        maja = await an_account()
        app = await an_app(maja.id, has_slow_codes=True)
        [kept, *_] = _kept(database)
        assert kept.startswith("1.")
        assert unseal(kept).startswith("$argon2id$v=19$m=19456,t=2,p=1$")
        assert not any(code in unseal(one) for code in app.codes for one in _kept(database))

    async def test_of_the_time_of_keyed_hashes_work_once(self, database: str):
        maja = await an_account()
        await an_app(maja.id)
        code = "ABCDEFGH"
        with psycopg.connect(database) as connection:
            connection.execute(
                "update backup_codes set code_hash = %s"
                " where ctid = (select min(ctid) from backup_codes)",
                [seal(fingerprint(f"backup code:{maja.id}:{code}"))],
            )
        async with transaction() as session:
            assert (await factors.check_code(session, maja.id, code, now=NOON)).codes_left == 9
        with pytest.raises(rules.WrongCode):
            async with transaction() as session:
                await factors.check_code(session, maja.id, code, now=NOON)


def _kept(database: str) -> list[str]:
    with psycopg.connect(database) as connection:
        found: list[Any] = connection.execute("select code_hash from backup_codes").fetchall()
    return [row[0] for row in found]


def _without_a_name(text: str) -> str:
    return urlsafe_b64encode(Key(opening_keys()[0]).close(text.encode(), None)).decode()
