"""What the fraud rules weigh, and trying other weights on the last days before they are saved."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from rewards_app.core.access import LongForm, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show
from rewards_app.features.admin.state import AdminState
from rewards_app.features.fraud import simulations
from rewards_app.features.fraud.simulations import Simulation, Status
from rewards_app.features.signals import policy
from rewards_app.features.signals.policy import written
from rewards_app.features.signals.rules import DEFAULT, Policy, Rule, policy_from

CLOSED, WEIGHTS, RUNNING, FAILED, ANSWER = "", "weights", "running", "failed", "answer"
FIRST, EACH_MORE = "first", "each_more"

_running: set[asyncio.Task[None]] = set()


def _start(simulation_id: UUID) -> None:
    """Its process lives as long as this worker does."""
    task = asyncio.create_task(simulations.run(simulation_id))
    _running.add(task)
    task.add_done_callback(_running.discard)


class WeightsState(AppState):
    """`step` is how far the dialog has come: weights, running, failed or answer."""

    is_loaded: bool = False
    rules: list[dict[str, Any]] = []
    step: str = CLOSED
    draft: list[dict[str, Any]] = []
    """What stands in the dialog's fields."""
    round: int = 0
    """Another one when the draft was filled in anew: its fields begin with it."""
    views: int = 0
    """Gone through so far."""
    expected: int = 0
    answer: dict[str, Any] = {}
    tried: list[dict[str, str]] = []
    """The weights that differ, before and after."""
    hit: list[dict[str, Any]] = []
    """Who would have been treated differently."""

    _simulation: str = ""

    @allow(Role.ADMIN)
    async def load(self):
        await self._load()
        await self._stop()
        self.step, self.is_loaded = CLOSED, True

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Somebody has changed the weights."""
        if self.is_loaded and (await self.get_state(AdminState)).tab == "fraud":
            await self._load()

    @allow(Role.ADMIN)
    async def edit(self):
        self._forget_refusal()
        await self._load()
        self._fill([{"rule": row["rule"], **_typed(row)} for row in self.rules])

    @allow(Role.ADMIN)
    async def fill_in_originals(self):
        self._forget_refusal()
        self._fill([_row(rule, DEFAULT) for rule in Rule])

    @allow(Role.ADMIN)
    async def simulate(self, form: LongForm):
        """Nothing is saved here: a process of its own tries what was typed."""
        self._forget_refusal()
        self.draft = [{"rule": rule.value, **_fields(form, rule)} for rule in Rule]
        wanted = policy_from({row["rule"]: (row[FIRST], row[EACH_MORE]) for row in self.draft})
        async with transaction() as session:
            asked = await simulations.ask(session, self._actor, wanted, now=utc_now())
        _start(asked)
        self._simulation = str(asked)
        self.views, self.expected, self.step = 0, 0, RUNNING

    @allow(Role.ADMIN, passive=True)
    async def look(self):
        """The simulation has come further, or has ended."""
        if self.step != RUNNING or not self._simulation:
            return
        async with transaction() as session:
            seen = await simulations.look(
                session, self._actor, UUID(self._simulation), now=utc_now()
            )
        self.views, self.expected = seen.views, max(seen.expected, seen.views)
        if seen.status is Status.DONE:
            self._show_answer(seen)
        elif seen.status is not Status.RUNNING:
            self.step = FAILED

    @allow(Role.ADMIN)
    async def back(self):
        """To the weights as they were typed; what runs ends."""
        self._forget_refusal()
        await self._stop()
        self._fill(self.draft)

    @allow(Role.ADMIN)
    async def close(self):
        await self._stop()
        self.step, self.refusal = CLOSED, {}

    @allow(Role.ADMIN)
    async def save(self, form: LongForm):
        """Saved is what was seen, whatever the page shows by now."""
        if self.step != ANSWER or not self._simulation:
            return
        self._start_work()
        yield
        async with transaction() as session:
            await simulations.save(
                session,
                self._actor,
                UUID(self._simulation),
                form.get("reason", ""),
                now=utc_now(),
            )
        self.is_busy = False
        self.step, self._simulation = CLOSED, ""
        self._notify("admin.weights.saved_title", "admin.weights.saved_text")
        await then_show(self._load)

    async def _load(self) -> None:
        async with transaction() as session:
            weights = await policy.current(session)
        self.rules = [_row(rule, weights) for rule in Rule]

    def _fill(self, rows: list[dict[str, Any]]) -> None:
        self.draft = rows
        self.round += 1
        self.step = WEIGHTS

    def _show_answer(self, seen: Simulation) -> None:
        counts = seen.result["counts"]
        self.answer = counts | {"coins": seen.result["coins"], "views": seen.result["views"]}
        self.tried = [
            {
                "rule": rule,
                "before": written(seen.before[rule]),
                "after": written(seen.weights[rule]),
            }
            for rule in seen.weights.different_from(seen.before)
        ]
        self.hit = seen.result["rows"]
        self.step = ANSWER

    async def _stop(self) -> None:
        if self.step == RUNNING and self._simulation:
            async with transaction() as session:
                await simulations.cancel(session, self._actor, UUID(self._simulation))
        self._simulation = ""


def _row(rule: Rule, weights: Policy) -> dict[str, Any]:
    weight = weights[rule]
    return {
        "rule": rule.value,
        FIRST: str(weight.first),
        EACH_MORE: str(weight.each_more),
        "original": written(DEFAULT[rule]),
        "is_changed": weight != DEFAULT[rule],
    }


def _typed(row: Mapping[str, Any]) -> dict[str, str]:
    return {FIRST: row[FIRST], EACH_MORE: row[EACH_MORE]}


def _fields(form: Mapping[str, str], rule: Rule) -> dict[str, str]:
    return {name: form.get(f"{rule}.{name}", "")[:20] for name in (FIRST, EACH_MORE)}


DAYS = simulations.DAYS // timedelta(days=1)
