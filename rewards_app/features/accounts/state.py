"""The auth screen: what it shows, and what its forms do."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Annotated, Any

import reflex as rx
from pydantic import Field

from rewards_app.core import routes
from rewards_app.core.access import (
    Form,
    Identifier,
    Line,
    LongForm,
    public,
    signed_in,
    visitors_only,
)
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, SessionExpired, StorageAway, TooManyAttempts
from rewards_app.core.gate import current_actor
from rewards_app.core.state import AppState
from rewards_app.features.accounts import (
    contacts,
    letters,
    links,
    mailed_links,
    rules,
    sessions,
    signing_in,
    signing_up,
    steps,
    weighing,
)
from rewards_app.features.accounts.step_state import StepState
from rewards_app.features.arrivals.rules import LED_BY
from rewards_app.features.consent.state import ConsentState

OF_MAILS = ("forgot", "reset", "verify")
MODES = ("login", "signup", "second", *OF_MAILS)
FORMS_OF_MAILS = ("/auth", letters.MAILED)
"""The pages where a link's own form stands."""
RENEW = "renew"
"""A new password, however that is done: with the present one, or by a mail."""
Names = Annotated[list[Line], Field(max_length=2)]
"""What a form has in the fields that say who somebody is."""
KEPT_OUT = {
    refusal.code: refusal
    for refusal in (
        StorageAway(),
        rules.StepExpired(),
        rules.ProviderAway(),
        # Tickets and steps are counted by the minute.
        TooManyAttempts(seconds=60),
    )
}
"""Why somebody who came back to the sign-in has no session."""


class AuthState(AppState):
    """`mode` is one of MODES, or what came of it: sent, unverified, verified, reset_sent; to_verify
    where its owner has yet to say that a link is about them.

    It is empty until the address was read: a form that is swapped for another loses what was typed.
    """

    mode: str = ""
    kind: str = rules.AccountKind.PLAYER.value
    mailed_to: str = ""
    has_first_steps: bool = False
    """Whoever is mailed is going to play."""
    strength: dict[str, Any] = {}

    _token: str = ""
    _owner: Sequence[str] = ()
    """Email and name of who chooses a new password by a link."""
    reset_over: dict[str, Any] = {}
    """Why the link of a reset opens nothing any more: stays when a tab comes back."""

    @public(passive=True)
    async def open(self):
        """Show what the address asks for."""
        query = self._query
        self._begin(query.get("mode", "") if query.get("mode") in MODES else "signup")
        self.kind = rules.kind_from(query.get("type")).value
        notice = query.get("notice", "")
        if notice == "provider_refused":
            raise rules.ProviderRefused
        if notice in KEPT_OUT:
            # Told only: it is the sign-in that was kept from opening, not this page.
            self._refuse(KEPT_OUT[notice])
        if self.mode == "verify":
            yield AuthState.open_link
        if self.mode == links.RESET:
            await self._look_whose_reset()
        if self.mode == "second":
            await self._show_step(query.get("step", "")[:100])

    @public(passive=True)
    async def follow(self):
        """The same for what a mail leads to, whoever is signed in where it is opened."""
        mode = self._query.get("mode", "")
        if mode == RENEW and current_actor.get():
            return rx.redirect(letters.SECURITY, replace=True)
        self._begin(mode if mode in OF_MAILS else "forgot")
        if self.mode == links.RESET:
            await self._look_whose_reset()
        return AuthState.open_link if mode == "verify" else None

    def _begin(self, mode: str) -> None:
        self.mode = mode
        self.strength = {}
        self.reset_over = {}
        self._owner = ()
        self._token = self._query.get("token", "")[:100]

    @visitors_only()
    async def sign_up(self, form: LongForm):
        yield self._start_work()
        kind = rules.kind_from(self.kind)
        wanted = contacts.sign_up_from(_sign_up_form(form), kind, self._language)
        consent = await self.get_state(ConsentState)
        async with transaction() as session:
            await signing_up.sign_up(
                session,
                wanted,
                self._caller,
                language=self._language,
                led_by=form.get(LED_BY, "") if consent._may_count_campaigns else "",
                now=utc_now(),
            )
        self.has_first_steps = wanted.role in PLAYING_ROLES
        self._finish("sent", mailed_to=wanted.email)
        self._notify("auth.sent_title", "auth.sent_toast", style="gaming")

    @visitors_only()
    async def sign_in(self, form: Form):
        yield self._start_work()
        email = form.get("email", "")
        consent = await self.get_state(ConsentState)
        async with transaction() as session:
            outcome = await signing_in.sign_in(
                session,
                email,
                form.get("password", ""),
                self._caller,
                may_log_address=consent._may_log_address,
                now=utc_now(),
            )
        match outcome:
            case steps.Unverified(is_player):
                self.has_first_steps = is_player
                self._finish("unverified", mailed_to=email.strip())
            case steps.Withheld():
                raise rules.InvalidCredentials
            case steps.Step(token):
                self._finish("second")
                await self._show_step(token)
            case steps.Ticket(secret):
                self._finish(self.mode)
                self.door = f"/session/start?ticket={secret}"

    async def _show_step(self, token: str) -> None:
        step = await self.get_state(StepState)
        await step._begin(token)

    @visitors_only()
    async def send_again(self):
        yield self._start_work()
        async with transaction() as session:
            await mailed_links.send_verification_again(
                session, self.mailed_to, self._caller, now=utc_now()
            )
        self._finish(self.mode, mailed_to=self.mailed_to)
        self._notify("auth.sent_again_title", "auth.sent_again")

    @public()
    async def open_link(self):
        """In the browser that signed up the link verifies at once; elsewhere its button does."""
        with self._refusing_in_place():
            async with transaction() as session:
                is_verified = await mailed_links.open_verification(
                    session, self._token, self._caller, now=utc_now()
                )
            self._finish("verified" if is_verified else "to_verify")

    @public()
    async def verify(self):
        yield self._start_work()
        with self._refusing_in_place():
            try:
                async with transaction() as session:
                    await mailed_links.verify_email(
                        session, self._token, self._caller, now=utc_now()
                    )
            except links.OVER:
                # There it is said why, and nothing is left to press.
                self.mode = "verify"
                raise
            self._finish("verified")

    @public()
    async def forgot(self, form: Form):
        yield self._start_work()
        email = form.get("email", "")
        async with transaction() as session:
            await mailed_links.request_reset(session, email, self._caller, now=utc_now())
        self._finish("reset_sent", mailed_to=email.strip())

    @public()
    async def reset_password(self, form: Form):
        yield self._start_work()
        async with transaction() as session:
            await mailed_links.reset_password(
                session, self._token, form.get("password", ""), self._caller, now=utc_now()
            )
        self._finish("login")
        self._notify("auth.reset_done_title", "auth.reset_done")
        yield rx.redirect(routes.SIGN_IN, replace=True)

    @public(passive=True)
    async def weigh_password(self, password: str, names: Names):
        """How strong the password is that is being typed; nothing of it is kept."""
        about = await self._about(names)
        weight = await weighing.weigh(password, about=about, caller=self._caller)
        self.strength = {
            "score": weight.score,
            "label": f"password.{weight.label}",
            "says": {"text": weight.text, "params": weight.params},
        }

    async def _about(self, typed: Sequence[str]) -> Sequence[str]:
        """What the person is called whose password it is going to be."""
        if self.mode == links.RESET and self.place in FORMS_OF_MAILS:
            return self._owner
        actor = current_actor.get()
        return (actor.email, actor.name) if actor else typed

    async def _look_whose_reset(self) -> None:
        """A link that opens nothing any more says so before a password is made up for it."""
        with self._refusing_in_place(), suppress(TooManyAttempts):
            async with transaction() as session:
                self._owner = await mailed_links.whose_reset(
                    session, self._token, self._caller, now=utc_now()
                )

    def _refuse_in_place(self, error: DomainError) -> None:
        super()._refuse_in_place(error)
        if self.mode == links.RESET and isinstance(error, links.OVER):
            self.reset_over = self.refusal

    def _finish(self, mode: str, *, mailed_to: str = "") -> None:
        self.is_busy = False
        self.mode = mode
        self.mailed_to = mailed_to
        self.strength = {}


class SessionState(AppState):
    """The end of a session, by its owner or by silence."""

    @signed_in(even_suspended=True)
    async def sign_out(self):
        await self._end_session()
        self.door = f"/session/end?at={utc_now():%H%M%S%f}"

    @signed_in(passive=True, even_suspended=True)
    async def end_idle(self, session_id: Identifier):
        """The page saw no activity for half an hour.

        One that was asleep says so late: what has begun meanwhile goes on.
        """
        if session_id != self._actor.session_id:
            return None
        await self._end_session()
        self._refuse(SessionExpired())
        return rx.redirect("/landing", replace=True)

    async def _end_session(self) -> None:
        async with transaction() as session:
            await sessions.end(session, self._caller.session_hash, now=utc_now())


def _sign_up_form(form: dict[str, str]) -> rules.SignUpForm:
    typed = {name: form[name] for name in SIGN_UP_FIELDS if name in form}
    return rules.SignUpForm(**{"email": "", "password": ""} | typed)


SIGN_UP_FIELDS = tuple(field.name for field in fields(rules.SignUpForm))
