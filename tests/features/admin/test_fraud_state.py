"""What the admin's page keeps of detections, and how far the dialog of the weights comes."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction, write
from rewards_app.features.admin import weights_panel, weights_state
from rewards_app.features.admin.fraud_state import FraudState
from rewards_app.features.admin.state import AdminState
from rewards_app.features.admin.weights_state import (
    ANSWER,
    CLOSED,
    FAILED,
    RUNNING,
    WEIGHTS,
    WeightsState,
)
from rewards_app.features.fraud import detections
from rewards_app.features.signals import policy
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import DEFAULT, Rule, Weight
from rewards_app.features.signals.rules import WEIGHTS as BY_CODE
from rewards_app.ui.every import Every
from tests.ads import NOON, SECOND, the_player
from tests.states import calls

pytestmark = pytest.mark.usefixtures("admin")


REASON = {"reason": "Too many complained"}


@pytest.fixture
async def logs(page: Any) -> FraudState:
    (await page.get_state(AdminState)).tab = "fraud"
    return await page.get_state(FraudState)


@pytest.fixture
async def dialog(page: Any) -> WeightsState:
    (await page.get_state(AdminState)).tab = "fraud"
    state = await page.get_state(WeightsState)
    await calls(WeightsState.load, state)
    return state


async def note(player: Actor, *rules: Rule, at: int = 0) -> None:
    for number, rule in enumerate(rules):
        async with transaction() as session:
            await signals.note(session, player.user_id, rule, now=NOON + (at + number) * SECOND)


def typed(**first: str) -> dict[str, str]:
    form = {f"{rule}.first": str(weight.first) for rule, weight in BY_CODE.items()}
    form |= {f"{rule}.each_more": str(weight.each_more) for rule, weight in BY_CODE.items()}
    return form | {f"{rule}.first": weight for rule, weight in first.items()}


def asked_again_and_again(panel: Any) -> Any:
    """What the page asks by itself while the panel is shown."""
    [every] = [part for part in panel.children if isinstance(part, Every)]
    [asked] = every.event_triggers["on_time"].events
    return asked.handler


async def answered(dialog: WeightsState) -> None:
    await asyncio.gather(*weights_state._running)
    await calls(WeightsState.look, dialog)


class TestDetections:
    async def test_are_none_at_first(self, logs: FraudState):
        await calls(FraudState.load, logs)
        assert logs.is_loaded
        assert logs.logs == []
        assert logs.figures == {"total": 0, "high": 0, "blocked": 0, "average": 0}

    async def test_say_how_high_the_risk_is_and_lead_to_the_case(self, logs: FraudState):
        maja = await the_player("Maja")
        await note(maja, *[Rule.FOREIGN_SESSION] * 3)
        await calls(FraudState.load, logs)
        assert [(row["risk"], row["level"], row["is_high"]) for row in logs.logs] == [
            (100, "critical", True),
            (70, "high", True),
            (40, "medium", False),
        ]
        assert {row["case"] for row in logs.logs} == {f"/admin?tab=fraud&case={maja.user_id}"}
        assert logs.figures == {"total": 3, "high": 2, "blocked": 0, "average": 70}

    async def test_that_are_new_come_on_top_and_older_ones_stay(self, logs, monkeypatch):
        monkeypatch.setattr(detections.newest, "__kwdefaults__", {"before": None, "limit": 2})
        maja = await the_player("Maja")
        await note(maja, *[Rule.CLOCK_MISMATCH] * 4)
        await calls(FraudState.load, logs)
        before = logs.next_before
        await calls(FraudState.load_more, logs, before=before)
        await calls(FraudState.load_more, logs, before=before)
        assert len(logs.logs) == 4
        await note(maja, Rule.IMPOSSIBLE_PACE, at=10)
        await calls(FraudState.refresh, logs)
        assert [row["risk"] for row in logs.logs] == [35, 5, 5, 5, 5]

    async def test_lead_on_from_one_that_is_forgotten_meanwhile(self, logs, monkeypatch):
        monkeypatch.setattr(detections.newest, "__kwdefaults__", {"before": None, "limit": 2})
        await note(await the_player("Maja"), *[Rule.CLOCK_MISMATCH] * 4)
        await calls(FraudState.load, logs)
        async with transaction() as session:
            query = "delete from fraud_signals where id = %(id)s returning id"
            await write(session, query, {"id": UUID(logs.next_before)})
        await calls(FraudState.load_more, logs, before=UUID(logs.next_before))
        assert len({row["id"] for row in logs.logs}) == len(logs.logs) == 4

    async def test_are_left_alone_while_another_tab_is_open(self, logs: FraudState, page: Any):
        await calls(FraudState.load, logs)
        (await page.get_state(AdminState)).tab = "orders"
        await note(await the_player(), Rule.CLOCK_MISMATCH)
        await calls(FraudState.refresh, logs)
        assert logs.logs == []


class TestTheDialog:
    async def test_begins_with_the_weights_in_force(self, dialog: WeightsState):
        await calls(WeightsState.edit, dialog)
        assert dialog.step == WEIGHTS
        assert [row["rule"] for row in dialog.draft] == [rule.value for rule in Rule]
        assert dialog.draft[0] == {"rule": "early_completion", "first": "10", "each_more": "8"}

    @pytest.mark.parametrize("wrong", ["", "-1", "101", "=1+1", "٣"])
    async def test_says_beside_the_field_what_cannot_be(self, dialog: WeightsState, wrong: str):
        await calls(WeightsState.edit, dialog)
        await calls(WeightsState.simulate, dialog, form=typed(clockwork=wrong))
        assert dialog.refusal["params"] == {"field": "clockwork.first", "most": 100}
        assert dialog.step == WEIGHTS

    async def test_is_refused_what_is_in_force_already(self, dialog: WeightsState):
        await calls(WeightsState.simulate, dialog, form=typed())
        assert dialog.refusal["code"] == "fraud.nothing_changed"

    async def test_comes_from_weights_to_an_answer_and_saves_what_was_seen(self, dialog):
        await calls(WeightsState.edit, dialog)
        await calls(WeightsState.simulate, dialog, form=typed(clockwork="80"))
        assert dialog.step == RUNNING
        await answered(dialog)
        assert dialog.step == ANSWER
        assert dialog.tried == [{"rule": "clockwork", "before": "40 + 30", "after": "80 + 30"}]
        await calls(WeightsState.save, dialog, form=REASON)
        assert dialog.step == CLOSED
        async with transaction() as session:
            now = await policy.current(session)
        assert now == DEFAULT.with_weights({Rule.CLOCKWORK: Weight(80, 30)})
        assert [row["rule"] for row in dialog.rules if row["is_changed"]] == ["clockwork"]

    async def test_saves_nothing_before_there_is_an_answer(self, dialog: WeightsState):
        await calls(WeightsState.save, dialog, form=REASON)
        await calls(WeightsState.simulate, dialog, form=typed(clockwork="80"))
        await calls(WeightsState.save, dialog, form=REASON)
        await answered(dialog)
        async with transaction() as session:
            assert await policy.current(session) == DEFAULT

    async def test_asks_for_a_reason(self, dialog: WeightsState):
        await calls(WeightsState.simulate, dialog, form=typed(clockwork="80"))
        await answered(dialog)
        await calls(WeightsState.save, dialog, form={"reason": " "})
        assert dialog.refusal["params"]["field"] == "reason"
        assert dialog.step == ANSWER

    async def test_says_so_when_nobody_runs_it_any_more(self, dialog: WeightsState):
        await calls(WeightsState.simulate, dialog, form=typed(clockwork="80"))
        for task in weights_state._running:
            task.cancel()
        await asyncio.gather(*weights_state._running, return_exceptions=True)
        async with transaction() as session:
            query = (
                "update fraud_simulations set heard_at = %(at)s, status = 'running' returning id"
            )
            await write(session, query, {"at": utc_now() - 61 * SECOND})
        await calls(asked_again_and_again(weights_panel._running()), dialog)
        assert dialog.step == FAILED

    async def test_goes_back_to_what_was_typed_and_ends_what_runs(self, dialog: WeightsState):
        await calls(WeightsState.simulate, dialog, form=typed(clockwork="80"))
        await calls(WeightsState.back, dialog)
        assert dialog.step == WEIGHTS
        assert {row["rule"]: row["first"] for row in dialog.draft}["clockwork"] == "80"
        await asyncio.gather(*weights_state._running)
        await calls(WeightsState.look, dialog)
        assert dialog.step == WEIGHTS

    async def test_fills_in_what_the_code_says(self, dialog: WeightsState):
        await calls(WeightsState.simulate, dialog, form=typed(clockwork="80"))
        await calls(WeightsState.back, dialog)
        await calls(WeightsState.fill_in_originals, dialog)
        assert {row["rule"]: row["first"] for row in dialog.draft}["clockwork"] == "40"
        await asyncio.gather(*weights_state._running)

    async def test_can_be_left_while_it_runs(self, dialog: WeightsState):
        await calls(WeightsState.simulate, dialog, form=typed(clockwork="80"))
        await calls(WeightsState.close, dialog)
        assert dialog.step == CLOSED
        await asyncio.gather(*weights_state._running)
