"""Limits count callers without keeping who they are."""

import pytest

from rewards_app.core import limits
from rewards_app.core.errors import TooManyAttempts
from tests import traces
from tests.serving import Redis

TWICE = limits.parse("2/hour")
EMAIL, ADDRESS = "zofiaq@quillfern.example", "203.0.113.199"


class TestWhoIsCounted:
    @pytest.mark.usefixtures("in_redis")
    async def test_is_nobody_that_redis_could_name(self, redis: Redis):
        await limits.spend(TWICE, "mail", EMAIL)
        await limits.spend(TWICE, "mail", ADDRESS)
        assert traces.traces_in_redis(redis.url, ["LIMITS"])
        assert traces.traces_in_redis(redis.url, [EMAIL, ADDRESS]) == []

    async def test_is_told_apart_by_limit_and_by_name(self):
        for who in (("mail", EMAIL), ("mail", ADDRESS), ("sign-in", EMAIL)):
            await limits.spend(TWICE, *who)
            await limits.spend(TWICE, *who)
        with pytest.raises(TooManyAttempts):
            await limits.spend(TWICE, "mail", EMAIL)

    async def test_begins_anew_once_it_is_forgotten(self):
        await limits.spend(TWICE, "mail", EMAIL)
        await limits.spend(TWICE, "mail", EMAIL)
        await limits.forget(TWICE, "mail", EMAIL)
        assert not await limits.is_used_up(TWICE, "mail", EMAIL)


@pytest.mark.parametrize("counted_in", ["memory", "redis"])
class TestWhatIsGivenBack:
    @pytest.fixture(autouse=True)
    def counted(self, counted_in: str, request: pytest.FixtureRequest) -> None:
        if counted_in == "redis":
            request.getfixturevalue("in_redis")

    async def test_may_be_spent_once_more(self, counted_in: str):
        who = ("given-back", counted_in, EMAIL)
        for _ in range(2):
            await limits.spend(TWICE, *who)
        await limits.give_back(TWICE, *who)
        await limits.spend(TWICE, *who)
        assert await limits.is_used_up(TWICE, *who)

    async def test_is_never_more_than_was_spent(self, counted_in: str):
        who = ("given-back", counted_in, ADDRESS)
        await limits.spend(TWICE, *who)
        for _ in range(3):
            await limits.give_back(TWICE, *who)
        for _ in range(2):
            await limits.spend(TWICE, *who)
        assert await limits.is_used_up(TWICE, *who)
