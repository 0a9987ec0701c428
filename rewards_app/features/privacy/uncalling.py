"""Taking the handle of somebody forgotten from what others wrote: whoever is called so next is
somebody else, of whom it was not said."""

import json
from collections.abc import Mapping
from typing import LiteralString

from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.sealed import seal, unseal
from rewards_app.features.accounts.role_rules import LONGEST_REASON
from rewards_app.features.forum import leaving as forum
from rewards_app.features.profile.games import LONGEST_DESCRIPTION
from rewards_app.features.profile.rules import LONGEST_BIO

ELSEWHERE: Mapping[LiteralString, forum.Said] = {
    "account_restrictions": forum.Said(
        (("reason", LONGEST_REASON), ("end_reason", LONGEST_REASON))
    ),
    "profiles": forum.Said((("bio", LONGEST_BIO),), key="account_id"),
    "user_games": forum.Said((("description", LONGEST_DESCRIPTION),)),
}
# Few are hidden at a time, and for a month.
HIDDEN: LiteralString = """
select id, hidden from account_closures
where hidden is not null and cancelled_at is null and erased_at is null order by id
"""
HIDE: LiteralString = """
update account_closures set hidden = %(hidden)s where id = %(id)s and hidden = %(before)s
returning id
"""


async def uncall(session: AsyncSession, handle: str) -> None:
    """Nobody's text calls that handle any more, in the forum or elsewhere."""
    if not handle:
        return
    await forum.uncall(session, handle, ELSEWHERE)
    called = forum.calls_of(handle)
    for closure_id, before in await rows(session, HIDDEN, {}):
        was = json.loads(unseal(before))
        bio = was.get("profile", {}).get("bio", "")
        if called.search(bio):
            was["profile"]["bio"] = called.sub(forum.IN_PLACE, bio)[:LONGEST_BIO]
            hidden = seal(json.dumps(was))
            await rows(session, HIDE, {"id": closure_id, "before": before, "hidden": hidden})
