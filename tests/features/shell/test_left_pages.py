"""What the app keeps of a closed page goes with its owner, and nothing of anybody else."""

from uuid import uuid4

import pytest
from redis.asyncio import Redis as RedisClient
from reflex.istate.manager import StateManager
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from rewards_app.core.caller import digest
from rewards_app.core.state import AppState
from rewards_app.features.shell.left_pages import drop_pages
from tests.holding import a_holder
from tests.serving import Redis
from tests.traces import traces_in_redis

SESSION, DOOR = digest("zofia's session"), digest("zofia's door")
OTTOS = digest("otto's session")


@pytest.fixture(params=["memory", "redis", "redis, held by the worker"])
async def manager(request: pytest.FixtureRequest, redis: Redis, monkeypatch: pytest.MonkeyPatch):
    client = RedisClient.from_url(redis.url)
    await client.flushdb()
    if request.param == "memory":
        one: StateManager = StateManagerMemory()
    elif request.param == "redis":
        one = StateManagerRedis(redis=client)
    else:
        one = await a_holder(redis, monkeypatch)
    yield one
    await one.close()


async def a_page(manager: StateManager, *, session: str, door: str, name: str) -> BaseStateToken:
    token = BaseStateToken(ident=str(uuid4()), cls=State)
    async with manager.modify_state(token) as root:
        state = await root.get_state(AppState)
        state._session_hash, state._door_hash, state.name = session, door, name
    return token


async def shown(manager: StateManager, token: BaseStateToken) -> str:
    async with manager.modify_state(token) as root:
        return (await root.get_state(AppState)).name


class TestDropPages:
    async def test_drops_those_of_the_session_and_of_its_browser(self, manager: StateManager):
        signed_in = await a_page(manager, session=SESSION, door=DOOR, name="Zofia")
        afterwards = await a_page(manager, session="", door=DOOR, name="a visitor")
        assert await drop_pages(manager, [SESSION, DOOR]) == 2
        assert await shown(manager, signed_in) == ""
        assert await shown(manager, afterwards) == ""

    async def test_leaves_others_alone_even_in_the_same_browser(self, manager: StateManager):
        brother = await a_page(manager, session=OTTOS, door=DOOR, name="Otto")
        stranger = await a_page(manager, session="", door=digest("another"), name="a visitor")
        assert await drop_pages(manager, [SESSION, DOOR]) == 0
        assert await shown(manager, brother) == "Otto"
        assert await shown(manager, stranger) == "a visitor"

    async def test_leaves_nothing_of_them_in_redis(self, redis: Redis, manager: StateManager):
        await a_page(manager, session=SESSION, door=DOOR, name="Zofia")
        await drop_pages(manager, [SESSION, DOOR])
        assert traces_in_redis(redis.url, [SESSION, DOOR, "Zofia"]) == []
