"""Past days of ads: views that were started, finished and clicked, with all that came of them."""

from datetime import date, datetime, time, timedelta
from uuid import UUID

from rewards_app.core.database import transaction
from rewards_app.core.ids import id_at
from rewards_app.features.ads import past
from rewards_app.features.ads.audience import AgeGroup
from rewards_app.models import Ad, AdView
from tests.ads import NOON, the_player

TODAY = NOON.date()


async def came_of(
    ad: Ad,
    day: date = TODAY,
    *,
    impressions: int,
    completions: int = 0,
    refused: int = 0,
    clicks: int = 0,
    player: UUID | None = None,
    age_group: AgeGroup | None = None,
) -> None:
    """On this day so many views of the ad were started; the first ones were finished, or clicked.

    The last ones were watched to their end, too, and refused. Without a player they are all one
    stranger's.
    """
    watcher = player or (await the_player("Somebody")).user_id
    async with transaction() as session:
        noon = datetime.combine(day, time(11), NOON.tzinfo)
        views = [
            AdView(
                id=id_at(noon + number * timedelta(seconds=1)),
                account_id=watcher,
                ad_id=ad.id,
                status="rewarded" if number < completions else "given_up",
                started_at=noon + number * timedelta(seconds=1),
                required_seconds=ad.duration,
                reward_coins=ad.reward_coins,
                expires_at=noon + timedelta(hours=1),
                rewarded_at=noon + timedelta(minutes=30) if number < completions else None,
                ended_at=noon + timedelta(minutes=30),
                clicked_at=noon if number < clicks else None,
                refused_at=noon if number >= impressions - refused else None,
                tab_hash="",
                day=day,
                age_group=None if age_group is None else age_group.value,
            )
            for number in range(impressions)
        ]
        await past.keep(session, views)
