"""Who comes with a long past; what waits on the desks of admins."""

from datetime import timedelta

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.factors import resets
from rewards_app.features.support import service as support
from rewards_app.models import Account
from tests.ads import the_actor
from tests.browser.chromium import Visitor
from tests.browser.conftest import MakePerson, Person
from tests.browser.places import the_session_of
from tests.measures import appeals_against, pauses_by_itself
from tests.serving import Served

SUBJECTS = (
    "Ads",
    "I watched three ads yesterday evening on my phone, and only two of them counted",
)
QUESTION = "I watched three ads yesterday and only two of them were counted."


async def something_waits(a_person: MakePerson) -> Person:
    """Of somebody for whom everything went wrong at once."""
    one, now = await a_person(), utc_now()
    async with transaction() as session:
        for subject in SUBJECTS:
            await support.open_ticket(session, one.account_id, subject, QUESTION, now=now)
        await resets.ask(session, one.account_id, now=now - timedelta(hours=1))
        account = await session.get_one(Account, one.account_id)
    paused = await pauses_by_itself(one.account_id)
    assert paused
    await appeals_against(the_actor(account), paused, now=now)
    return one


async def comes_with_a_past(one: Visitor, role: Role, served: Served, a_person: MakePerson) -> None:
    """As the demo's person of this role."""
    if role is Role.ADMIN:
        await something_waits(a_person)
    await one.comes_with(await the_session_of(served.accounts[role.value]["email"]))
