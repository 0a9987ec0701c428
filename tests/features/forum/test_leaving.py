"""What others were told and what is written down, once somebody is forgotten."""

from datetime import timedelta

import pytest

from rewards_app.core import limits
from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.features.accounts import closing
from rewards_app.features.audit import log as audit_log
from rewards_app.features.audit.rules import Search
from rewards_app.features.forum import replies
from rewards_app.features.forum.desk_rules import Deed, Target
from rewards_app.features.notifications import service as notifications
from rewards_app.features.privacy import erasing
from rewards_app.models import AccountHandle
from tests.ads import the_player
from tests.features.forum.test_desk import a_moderator, decides
from tests.forum import a_reply, a_topic
from tests.people import NOON

pytestmark = pytest.mark.usefixtures("database")
MONTHS = timedelta(days=60)


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    limits.forget_everything()


async def is_forgotten(actor: Actor) -> None:
    async with transaction() as session:
        await closing.close(session, actor.user_id, now=NOON)
    assert await erasing.erase(actor.user_id, now=NOON + MONTHS)


async def titles_told(actor: Actor) -> list[str]:
    async with transaction() as session:
        found = await notifications.told(session, actor.user_id)
    return [str(one.params["title"]) for one in found.shown]


async def test_the_bell_calls_them_no_more_in_the_title_of_anothers_topic():
    maja, ola, lars = [await the_player(name) for name in ("Maja", "Ola", "Lars")]
    topic = await a_topic(ola, title="Thanks @Maja, and @majalena")
    async with transaction() as session:
        session.add(AccountHandle(handle="maja", account_id=maja.user_id))
        await replies.reply(session, lars, topic, "So do I.", language="en", now=NOON)
    await is_forgotten(maja)
    assert await titles_told(ola) == ["Thanks @deleted, and @majalena"]


async def test_the_audit_log_keeps_no_title_of_theirs_with_a_reply_of_another():
    maja, ola, linnea = await the_player("Maja"), await the_player("Ola"), await a_moderator()
    topic = await a_topic(maja, title="Maja's birthday")
    reply = await a_reply(ola, topic)
    await decides(linnea, reply, Deed.HIDE, target=Target.REPLY)
    await decides(linnea, topic, Deed.LOCK)
    await is_forgotten(maja)
    async with transaction() as session:
        found = await audit_log.find(session, Search())
    labels = [line.label for line in found.shown]
    assert "Ola" in labels
    assert "birthday" not in str(labels)
