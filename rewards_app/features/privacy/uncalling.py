"""Taking the handle of somebody forgotten from what others wrote: whoever is called so next is
somebody else, of whom it was not said."""

import json
from collections.abc import Collection, Mapping
from typing import LiteralString

from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.sealed import seal, unseal
from rewards_app.features.accounts.role_rules import LONGEST_REASON
from rewards_app.features.ads.rules import LONGEST_REPORT
from rewards_app.features.advertiser import ad_rules, campaign_rules, review_rules
from rewards_app.features.forum import leaving as forum
from rewards_app.features.profile import games
from rewards_app.features.profile.rules import LONGEST_BIO
from rewards_app.features.shop import rules as shop
from rewards_app.features.support import rules as support

# Views come by the million; each of those that somebody said why of is in the log.
CREDITED_BACK: LiteralString = """
id = any(array(select substr(about, 6)::uuid from audit_entries
    where action = 'view_credited_back' and starts_with(about, 'view:')))
"""
# In the order in which everybody locks them: a restriction before the ticket that appeals it, a
# ticket before the games and the profile that it is about, a view before its campaign, that before
# its company.
ELSEWHERE: Mapping[LiteralString, forum.Said] = {
    "account_restrictions": forum.Said(
        (("reason", LONGEST_REASON), ("end_reason", LONGEST_REASON))
    ),
    "support_tickets": forum.Said(
        (
            ("subject", support.LONGEST_SUBJECT),
            ("message", support.LONGEST_MESSAGE),
            ("name", support.LONGEST_NAME),
        )
    ),
    "support_messages": forum.Said((("text", support.LONGEST_ANSWER),)),
    "user_games": forum.Said(
        (
            *(("title", games.LONGEST_TITLE), ("platform", games.LONGEST_PLATFORM)),
            ("achievements", games.LONGEST_ACHIEVEMENTS),
            ("description", games.LONGEST_DESCRIPTION),
        )
    ),
    "profiles": forum.Said((("bio", LONGEST_BIO),), key="account_id"),
    "purchases": forum.Said((("refund_reason", shop.LONGEST_REASON),)),
    "ad_views": forum.Said(
        (("invalid_reason", review_rules.LONGEST_CREDIT_REASON),), among=CREDITED_BACK
    ),
    "ad_campaigns": forum.Said(
        (
            ("name", campaign_rules.LONGEST_NAME),
            ("description", campaign_rules.LONGEST_DESCRIPTION),
            ("ended_because", review_rules.LONGEST_REASON),
        )
    ),
    "ads": forum.Said(
        (
            ("title", ad_rules.LONGEST_TITLE),
            ("description", ad_rules.LONGEST_DESCRIPTION),
            ("review_reason", review_rules.LONGEST_REASON),
        )
    ),
    "ad_reports": forum.Said((("text", LONGEST_REPORT),)),
    "advertisers": forum.Said((("reason", review_rules.LONGEST_REASON),)),
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


async def uncall(session: AsyncSession, handles: Collection[str]) -> None:
    """Nobody's text calls these any more, in the forum or elsewhere."""
    if not handles:
        return
    await forum.uncall(session, handles, ELSEWHERE)
    called = forum.calls_of(handles)
    for closure_id, before in await rows(session, HIDDEN, {}):
        was = json.loads(unseal(before))
        bio = was.get("profile", {}).get("bio", "")
        if called.search(bio):
            was["profile"]["bio"] = called.sub(forum.IN_PLACE, bio)[:LONGEST_BIO]
            hidden = seal(json.dumps(was))
            await rows(session, HIDE, {"id": closure_id, "before": before, "hidden": hidden})
