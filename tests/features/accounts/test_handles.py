"""What people are called by: claimed as their name asks, and anew where a moderator replaced it."""

from datetime import timedelta
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import handles, service
from rewards_app.features.accounts.handle_rules import (
    LONGEST,
    NAMELESS,
    handle_from,
    is_neutral,
    with_ending,
)
from rewards_app.features.accounts.service import locked_open
from tests.people import NOON, an_account

MINUTE = timedelta(minutes=1)
SOMEBODY = UUID("0197c3a1-0000-7000-8000-0001f2e3d4c5")


async def somebody(name: str = "Nova") -> UUID:
    return (await an_account(f"{new_id()}@example.com", name=name)).id


async def is_called(account_id: UUID) -> tuple[str, str]:
    """By name and by handle."""
    async with transaction() as session:
        account = await locked_open(session, account_id)
        return account.display_name, await handles.handle_of(session, account_id)


async def is_replaced(account_id: UUID, *, at=NOON) -> str:
    async with transaction() as session:
        await service.replace_name(session, account_id, now=at)
    return (await is_called(account_id))[1]


async def renames(account_id: UUID, name: str, *, at=NOON) -> str:
    async with transaction() as session:
        await service.rename(session, account_id, name, now=at)
    return (await is_called(account_id))[1]


async def leads_to(handle: str) -> UUID | None:
    async with transaction() as session:
        found = await handles.account_of(session, handle)
        return found.id if found else None


def retired(url: str, account_id: UUID) -> dict[str, bool]:
    """Every handle of theirs, and whether nobody is called so any more."""
    with psycopg.connect(url) as connection:
        return dict(
            connection.execute(
                "select handle, retired_at is not null from account_handles where account_id = %s",
                (account_id,),
            ).fetchall()
        )


class TestNeutralOnes:
    @pytest.mark.parametrize("handle", [NAMELESS, with_ending(NAMELESS, of=SOMEBODY)])
    def test_say_nothing_of_a_name(self, handle: str):
        assert is_neutral(handle)

    @pytest.mark.parametrize(
        "handle",
        [
            *("", "nova", "player_one", "player_1f2e3d4c", "player_1f2e3d4c55", "player_1f2e3d4cg"),
            *("player-1f2e3d4c5", "nova_1f2e3d4c5", "playerx", "player_1f2e3d4c5\n"),
        ],
    )
    def test_are_no_others(self, handle: str):
        assert not is_neutral(handle)

    @pytest.mark.parametrize("name", ["player_1f2e3d4c5", "Player 1F2E3D4C5", "Player"])
    def test_are_what_no_name_asks_for(self, name: str):
        assert handle_from(name) == NAMELESS

    def test_end_as_the_id_of_whose_they_are(self):
        assert with_ending("m" * LONGEST, of=SOMEBODY) == "m" * 20 + "_1f2e3d4c5"


@pytest.mark.usefixtures("database")
class TestReplacing:
    async def test_retires_what_the_name_had_asked_for(self, database: str):
        nova = await somebody("Nova")
        neutral = await is_replaced(nova)
        assert await is_called(nova) == ("player", f"player_{nova.hex[-9:]}")
        assert retired(database, nova) == {"nova": True, neutral: False}
        assert (await leads_to("nova"), await leads_to(neutral)) == (None, nova)

    async def test_takes_a_neutral_handle_along_as_well(self, database: str):
        first, other = await somebody("李"), await somebody("李")
        before = [await is_called(one) for one in (first, other)]
        assert before == [("李", "player"), ("李", f"player_{other.hex[-9:]}")]
        for one, (_, handle) in zip((first, other), before, strict=True):
            neutral = await is_replaced(one)
            assert await is_called(one) == ("player", neutral)
            assert retired(database, one) == {handle: True, neutral: False}

    async def test_of_two_with_like_names_leaves_the_other_theirs(self):
        nova, other = await somebody("Nova"), await somebody("NOVA")
        await is_replaced(nova)
        assert await is_called(other) == ("NOVA", f"nova_{other.hex[-9:]}")

    async def test_gives_what_was_replaced_to_nobody_else(self):
        nova = await somebody("Nova")
        neutral = await is_replaced(nova)
        later = await somebody("Nova")
        assert (await is_called(later))[1] == f"nova_{later.hex[-9:]}"
        assert await leads_to("nova") is None
        assert (await is_called(await somebody(neutral)))[1] != neutral

    async def test_reaches_a_bad_handle_of_who_was_renamed_since(self):
        nova = await somebody("Nova")
        assert await renames(nova, "Calm") == "nova"
        await is_replaced(nova)
        assert await is_called(nova) == ("player", f"player_{nova.hex[-9:]}")

    async def test_is_done_as_often_as_it_must_be(self, database: str):
        nova, called = await somebody("Nova"), list[str]()
        for number in range(3):
            called.append(await is_replaced(nova, at=NOON + number * MINUTE))
            called.append(await renames(nova, "Nova", at=NOON + number * MINUTE))
        last = await is_replaced(nova, at=NOON + 9 * MINUTE)
        assert all(is_neutral(handle) for handle in [*called[::2], last])
        assert all(handle.startswith("nova_") for handle in called[1::2])
        assert retired(database, nova) == {
            "nova": True,
            **dict.fromkeys(called, True),
            last: False,
        }


@pytest.mark.usefixtures("database")
class TestAnotherName:
    async def test_leaves_the_handle_of_who_was_never_replaced(self, database: str):
        nova, nameless = await somebody("Nova"), await somebody("李")
        assert await renames(nova, "Nova Calm") == "nova"
        assert await renames(nameless, "Lee") == "player"
        assert [len(retired(database, one)) for one in (nova, nameless)] == [1, 1]

    async def test_gives_a_handle_again_to_who_was_replaced(self, database: str):
        nova = await somebody("Nova")
        neutral = await is_replaced(nova)
        assert await renames(nova, "Nova Calm") == "nova_calm"
        assert retired(database, nova) == {"nova": True, neutral: True, "nova_calm": False}
        assert await renames(nova, "Calmer") == "nova_calm"

    async def test_that_is_taken_comes_with_an_ending(self):
        nova = await somebody("Nova")
        await somebody("Calm")
        await is_replaced(nova)
        assert await renames(nova, "Calm") == f"calm_{nova.hex[-9:]}"

    async def test_that_asks_for_no_handle_leaves_the_neutral_one(self):
        nova = await somebody("Nova")
        neutral = await is_replaced(nova)
        for name in ("Player", "player", "Deleted"):
            assert await renames(nova, name) == neutral
        assert await renames(nova, "Calm") == "calm"

    async def test_that_was_replaced_never_comes_back_as_it_was(self):
        nova = await somebody("Nova")
        await is_replaced(nova)
        assert await renames(nova, "Nova") == f"nova_{nova.hex[-9:]}"
        assert await leads_to("nova") is None
