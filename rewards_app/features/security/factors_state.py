"""Second factors, as Account Security adds and removes them: one step after the other."""

from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Annotated, Any, ClassVar
from uuid import UUID

import structlog
from pydantic import StringConstraints

from rewards_app.core.access import Form, Identifier, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import Unexpected
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show, told_as
from rewards_app.features.factors import rules as factor_rules
from rewards_app.features.factors import service as factors
from rewards_app.features.security import rules, service
from rewards_app.features.security.written import passkey_rows

_log = structlog.get_logger(__name__)

FAILED = "security.factors_failed"
TURNED_OFF = "security.factor_disabled"
Answer = Annotated[str, StringConstraints(max_length=factor_rules.LONGEST_ANSWER)]
"""What a browser made of the options for a passkey, as JSON."""


class Step(StrEnum):
    """What is being done; nothing, where the list is shown."""

    LIST = ""
    BEGIN = "begin"
    SCAN = "scan"
    REMOVE = "remove"
    RENEW = "renew"
    CODES = "codes"
    ADD_KEY = "add-key"
    MAKE_KEY = "make-key"
    RENAME_KEY = "rename-key"
    REMOVE_KEY = "remove-key"


ASKED = frozenset({Step.BEGIN, Step.REMOVE, Step.RENEW, Step.ADD_KEY})
"""Steps that a button of the list begins."""


class FactorsState(AppState):
    is_loaded: bool = False
    """It was asked what there is."""
    is_known: bool = False
    """And answered: until then nothing is shown as off that may be on."""
    app_since: str = ""
    passkeys: list[dict[str, str]] = []
    codes_left: int = 0
    codes_made_at: str = ""
    step: str = Step.LIST.value
    key: dict[str, str] = {}
    """The passkey that is being renamed or removed."""
    secret: str = ""
    qr: str = ""
    options: dict[str, Any] = {}
    codes: list[str] = []
    """Readable only now."""

    _key_name: str = ""

    @signed_in(even_suspended=True)
    async def load(self):
        self._forget()
        await self._load()

    @signed_in(even_suspended=True)
    async def ask(self, step: str):
        if step in ASKED:
            self._forget()
            self.step = step

    @signed_in(even_suspended=True)
    async def ask_about(self, step: str, passkey_id: Identifier):
        known = next((key for key in self.passkeys if key["id"] == str(passkey_id)), None)
        if known and step in (Step.RENAME_KEY, Step.REMOVE_KEY):
            self._forget()
            self.step, self.key = step, known

    @signed_in(even_suspended=True)
    async def leave(self):
        """Back to the list; what was readable once is gone."""
        self._forget()

    @signed_in(even_suspended=True)
    async def go_on(self, form: Form):
        """The form of the present step was sent."""
        work = self._work.get(self.step)
        if work is None:
            return
        self._start_work()
        yield
        with told_as(FAILED, broken=Unexpected):
            async with transaction() as session:
                show = await work(self, session, form)
        self.is_busy = False
        show()
        await then_show(self._load)

    @signed_in(even_suspended=True)
    async def add_passkey(self, answer: Answer):
        """The browser has made it."""
        if self.step != Step.MAKE_KEY:
            return
        name = self._key_name
        self.step, self.options = Step.LIST.value, {}
        with told_as(FAILED, broken=Unexpected):
            async with transaction() as session:
                codes = await service.add_passkey(
                    session, self._actor, name, answer, self._caller, now=utc_now()
                )
        self._show_added(codes, "security.passkey_enabled", "security.passkey_added")
        await then_show(self._load)

    @signed_in(even_suspended=True)
    async def say_trouble(self, trouble: str):
        """The browser has made none."""
        self._forget()
        with told_as(FAILED):
            raise factor_rules.trouble(trouble)

    async def _begin(self, session: AsyncSession, form: Form) -> Callable[[], None]:
        setup = await service.begin_authenticator(
            session, self._actor, form.get("password", ""), self._caller, now=utc_now()
        )

        def show() -> None:
            self.step, self.qr = Step.SCAN.value, setup.qr
            self.secret = rules.in_groups(setup.secret)

        return show

    async def _confirm(self, session: AsyncSession, form: Form) -> Callable[[], None]:
        codes = await service.confirm_authenticator(
            session, self._actor, form.get("code", ""), self._caller, now=utc_now()
        )
        return lambda: self._show_added(codes, "security.factor_enabled", "security.app_added")

    async def _remove(self, session: AsyncSession, form: Form) -> Callable[[], None]:
        is_on = await service.remove_authenticator(
            session, self._actor, form.get("password", ""), self._caller, now=utc_now()
        )
        return lambda: self._done("security.app_removed" if is_on else TURNED_OFF)

    async def _renew(self, session: AsyncSession, form: Form) -> Callable[[], None]:
        codes = await service.renew_codes(
            session, self._actor, form.get("password", ""), self._caller, now=utc_now()
        )
        return lambda: self._show_codes(codes)

    async def _begin_key(self, session: AsyncSession, form: Form) -> Callable[[], None]:
        name = factor_rules.passkey_name(form.get("name", ""))
        options = await service.begin_passkey(
            session, self._actor, form.get("password", ""), self._caller, now=utc_now()
        )

        def show() -> None:
            self.step, self.options, self._key_name = Step.MAKE_KEY.value, options, name

        return show

    async def _rename_key(self, session: AsyncSession, form: Form) -> Callable[[], None]:
        await factors.rename_passkey(
            session, self._actor.user_id, UUID(self.key["id"]), form.get("name", "")
        )
        return lambda: self._done("security.passkey_renamed")

    async def _remove_key(self, session: AsyncSession, form: Form) -> Callable[[], None]:
        is_on = await service.remove_passkey(
            session,
            self._actor,
            UUID(self.key["id"]),
            form.get("password", ""),
            self._caller,
            now=utc_now(),
        )
        return lambda: self._done("security.passkey_removed" if is_on else TURNED_OFF)

    _work: ClassVar[dict[str, Callable[..., Awaitable[Callable[[], None]]]]] = {
        Step.BEGIN: _begin,
        Step.SCAN: _confirm,
        Step.REMOVE: _remove,
        Step.RENEW: _renew,
        Step.ADD_KEY: _begin_key,
        Step.RENAME_KEY: _rename_key,
        Step.REMOVE_KEY: _remove_key,
    }

    def _show_added(self, codes: list[str], first: str, another: str) -> None:
        """The first factor brings codes, and turns on what another one finds on."""
        self._done(first if codes else another)
        if codes:
            self._show_codes(codes)

    def _show_codes(self, codes: list[str]) -> None:
        self._forget()
        self.step, self.codes = Step.CODES.value, codes

    def _done(self, title: str) -> None:
        self._forget()
        self._notify(title, f"{title}_text")

    def _forget(self) -> None:
        self._keep(step=Step.LIST.value, key={}, secret="", qr="", options={}, codes=[])
        self._key_name = ""
        self._forget_refusal()
        self.is_busy = False

    async def _load(self) -> None:
        """What cannot be read is logged; what is shown stays."""
        actor = self._actor
        self._keep(is_loaded=True)
        try:
            async with transaction() as session:
                found = await factors.status(session, actor.user_id)
        except Exception:
            _log.exception("factors.not_loaded")
            return
        since, made = found.authenticator_since, found.codes_made_at
        self._keep(
            is_known=True,
            app_since=since.isoformat() if since else "",
            passkeys=passkey_rows(found.passkeys),
            codes_left=found.codes_left,
            codes_made_at=made.isoformat() if made else "",
        )
