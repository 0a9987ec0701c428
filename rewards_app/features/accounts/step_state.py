"""A sign-in that waits for one thing more: what the screen asks, and what is answered."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import Any

import reflex as rx

from rewards_app.core.access import Entry, Form, public, visitors_only
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.state import AppState
from rewards_app.features.accounts import rules, steps
from rewards_app.features.factors import resets
from rewards_app.features.factors.rules import (
    PasskeyRefused,
    ResetOver,
    ResetUnknown,
    trouble,
)

FACTOR, LOST, ASKED, CLOSING, OVER = "factor", "lost", "asked", "closing", "over"


class StepState(AppState):
    """`waits_for` is what the screen shows; empty until the server knows."""

    waits_for: str = ""
    has_app: bool = False
    has_passkey: bool = False
    options: dict[str, Any] = {}
    """What the browser needs to show a passkey."""
    when: str = ""
    """The moment that the screen speaks of, as ISO 8601."""

    _token: str = ""

    async def _begin(self, token: str) -> None:
        """Show what this sign-in waits for."""
        self._token, self.waits_for = token, ""
        await self._look()

    @asynccontextmanager
    async def _step(self) -> AsyncGenerator[AsyncSession]:
        """What is done in this sign-in; once it took too long the screen leads to a new one."""
        try:
            async with transaction() as session:
                yield session
        except rules.StepExpired:
            self.waits_for = OVER
            raise

    async def _look(self) -> None:
        async with self._step() as session:
            asked = await steps.asked(session, self._token, self._caller, now=utc_now())
        if asked.factor:
            self.has_app, self.has_passkey = asked.has_app, asked.has_passkey
            await self._get_options()
            self.waits_for = FACTOR
        elif asked.erased_at:
            self._show_closing(asked.erased_at)
        else:
            # What was asked for is not asked any more.
            await self._answer("")

    def _show_closing(self, erased_at: datetime) -> None:
        self.when = erased_at.isoformat()
        self.waits_for = CLOSING

    async def _get_options(self) -> None:
        """Each is good once, for minutes."""
        self.options = {}
        if self.has_passkey:
            async with self._step() as session:
                self.options = await steps.passkey_options(
                    session, self._token, self._caller, now=utc_now()
                )

    @visitors_only()
    async def answer_code(self, form: Form):
        yield self._start_work()
        await self._answer(form.get("code", ""))

    async def _answer(self, code: str) -> None:
        async with self._step() as session:
            outcome = await steps.answer_code(
                session, self._token, code, self._caller, now=utc_now()
            )
        await self._go_on(outcome)

    @visitors_only()
    async def answer_passkey(self, answer: Entry):
        yield self._start_work()
        try:
            async with self._step() as session:
                outcome = await steps.answer_passkey(
                    session, self._token, answer, self._caller, now=utc_now()
                )
        except PasskeyRefused:
            await self._get_options()
            raise
        await self._go_on(outcome)

    @visitors_only()
    async def say_trouble(self, said: str):
        """The browser brought no passkey."""
        self._forget_refusal()
        raise trouble(said)

    @visitors_only()
    async def lose(self):
        """They have neither a code nor a passkey."""
        self._forget_refusal()
        self.waits_for = LOST

    @visitors_only()
    async def look_again(self):
        self._forget_refusal()
        await self._look()

    @visitors_only()
    async def ask_support(self):
        yield self._start_work()
        async with self._step() as session:
            ready = await steps.ask_reset(session, self._token, self._caller, now=utc_now())
        self.when = ready.isoformat()
        self.is_busy, self.waits_for = False, ASKED

    @visitors_only()
    async def keep_account(self):
        yield self._start_work()
        async with self._step() as session:
            outcome = await steps.keep_account(session, self._token, self._caller, now=utc_now())
        await self._go_on(outcome)

    @visitors_only()
    async def leave(self):
        # One that is over is left already.
        with suppress(rules.StepExpired):
            async with transaction() as session:
                await steps.leave(session, self._token, self._caller, now=utc_now())
        self._token, self.waits_for = "", ""
        return rx.redirect("/landing")

    async def _go_on(self, outcome: steps.Ticket | steps.Step) -> None:
        self.is_busy = False
        if isinstance(outcome, steps.Step):
            await self._look()
            return
        self._token = ""
        self.door = f"/session/start?ticket={outcome.secret}"


class KeepFactorState(AppState):
    """Stopping, by the link of a mail, that support lets somebody in without the second factor."""

    stage: str = ""
    """Empty until the link is known; then `open`, `over` or `kept`."""

    _token: str = ""

    @public(passive=True)
    async def open(self):
        """Looks only: who opens a mail's link has not decided yet."""
        self.stage = ""
        self._token = self._query.get("token", "")[:100]
        try:
            async with transaction() as session:
                await resets.stopped_by(session, self._token, self._caller)
        except (ResetUnknown, ResetOver):
            self.stage = "over"
            return
        self.stage = "open"

    @public()
    async def keep(self):
        yield self._start_work()
        try:
            async with transaction() as session:
                await resets.cancel(session, self._token, self._caller, now=utc_now())
        except (ResetUnknown, ResetOver):
            self.stage = "over"
            raise
        self.is_busy, self.stage = False, "kept"
