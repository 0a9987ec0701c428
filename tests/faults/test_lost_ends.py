"""The database is away when an ad is over, for longer than an ad waits: its player is paid."""

from datetime import timedelta
from uuid import UUID

import pytest
import time_machine

from rewards_app.core.database import rows, transaction
from rewards_app.features.ads import rules, service
from rewards_app.features.ads.state import REWARDED, SAVING, WatchState
from rewards_app.features.coins import service as coins
from tests.ads import NOON, SECOND, an_ad, the_player
from tests.servers import OwnServer, soon_given_up
from tests.states import a_page, acting, calls

BACK = NOON + rules.FINISH_WITHIN + timedelta(minutes=11)


@pytest.mark.timeout(120)
async def test_an_end_that_was_heard_of_meanwhile_is_paid_before_the_sweep_ends_its_ad(
    own_server: OwnServer,
):
    ad, maja = await an_ad(seconds=5), await the_player()
    watch = await a_page().get_state(WatchState)
    with acting(maja), time_machine.travel(NOON, tick=False) as clock:
        await calls(WatchState.start, watch, ad_id=ad.id, fingerprint="")
        over = {"session_id": UUID(watch.running["session_id"]), "watch_time": 5}
        clock.move_to(NOON + 5 * SECOND, tick=False)
        with own_server.away(), soon_given_up():
            await calls(WatchState.finish, watch, **over)
            assert watch.stage == SAVING
        clock.move_to(BACK, tick=False)
        await service.sweep(seen_at=NOON, now=BACK)
        await calls(WatchState.ask_again, watch, **over)
    assert watch.stage == REWARDED
    assert (await coins.balance_of(maja.user_id)).balance == ad.reward_coins
    async with transaction() as session:
        assert not await rows(session, "select rule from fraud_signals", {})
