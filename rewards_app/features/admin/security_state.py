"""Security alerts as admins see them: the newest first, told on whichever page they are."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments, DomainError, Unexpected
from rewards_app.core.state import AppState
from rewards_app.core.stretches import read_again, so_many
from rewards_app.core.told import then_show, told_as
from rewards_app.features.admin import alert_desk
from rewards_app.features.admin.state import AdminState
from rewards_app.features.alerts import service
from rewards_app.features.alerts.service import Alert, Alerts, Severity

OPEN, RESOLVED = "open", "resolved"
STANDINGS = (OPEN, RESOLVED)
WORST_FIRST = list(Severity)
MOST_REMEMBERED = 5 * service.MOST_NEWS
LOADING, RESOLVING = "not_loaded", "not_resolved"


class SecurityState(AppState):
    is_loaded: bool = False
    has_failed: bool = False
    severity: str = ""
    """Empty: every one."""
    standing: str = OPEN
    alerts: list[dict[str, Any]] = []
    """Newest first."""
    next_before: str = ""
    """Older ones come before this one; empty where there are none."""
    counts: dict[str, int] = {}
    """How many are open, by severity, and of all."""
    has_more_than_counted: bool = False

    _doing: str = ""
    _has_begun: bool = False
    """What was raised before the first page was opened is no news."""
    _told: list[str] = []
    """The alerts that were news here, the latest first."""

    @allow(Role.ADMIN)
    async def load(self):
        self.is_loaded, self.has_failed = False, False
        self.severity, self.standing = "", OPEN
        self._doing = LOADING
        await self._load_newest()
        self.is_loaded, self._doing = True, ""

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Alerts were raised, counted or resolved: what is shown is read again."""
        if not self.is_loaded or (await self.get_state(AdminState)).tab != "security":
            return
        found = await self._found(limit=so_many(self.alerts, service.A_PAGE))
        rows = [_row(alert) for alert in found.shown]
        alerts = read_again(self.alerts, rows, is_all=found.next_before is None)
        if alerts:
            self.alerts = alerts
        else:
            self._list(found)
        await self._count()

    @allow(Role.ADMIN, passive=True)
    async def hear(self):
        """Whichever page is open or opens: the worst of what is news is told, once."""
        had_begun, self._has_begun = self._has_begun, True
        news = await self._news()
        if not (news and had_begun):
            return
        worst = min(news, key=lambda alert: WORST_FIRST.index(Severity(alert.severity)))
        self._notify(
            "alerts.new_title",
            f"alerts.new.{worst.severity}",
            style="destructive" if worst.severity == Severity.CRITICAL else "default",
            description=_description(worst, self._language),
        )

    @allow(Role.ADMIN)
    async def choose_severity(self, severity: str):
        if severity and severity not in set(Severity):
            raise BadArguments
        self.severity = severity
        await self._load_newest()

    @allow(Role.ADMIN)
    async def choose_standing(self, standing: str):
        if standing not in STANDINGS:
            raise BadArguments
        self.standing = standing
        await self._load_newest()

    @allow(Role.ADMIN)
    async def load_more(self, before: Identifier):
        """Older ones; asked twice for the same ones, they come once."""
        if str(before) == self.next_before:
            self._list(await self._found(before), behind=self.alerts)

    @allow(Role.ADMIN)
    async def resolve(self, alert_id: Identifier):
        self._forget_refusal()
        self._doing = RESOLVING
        with told_as("alerts.not_resolved", broken=Unexpected):
            async with transaction() as session:
                await alert_desk.resolve(session, self._actor, alert_id, now=utc_now())
        self._doing = ""
        self._notify("admin.security.resolved_title", "admin.security.resolved_text")
        self._take_away(str(alert_id))
        await then_show(self._count)

    async def _news(self) -> list[Alert]:
        """What was raised lately and has not been told here."""
        async with transaction() as session:
            lately = await service.raised_lately(session, now=utc_now())
            lately = await alert_desk.with_companies(session, self._actor, lately)
        # Not by their order: one that was raised earlier may be kept later.
        news = [alert for alert in lately if str(alert.id) not in self._told]
        if news:
            self._told = [*(str(alert.id) for alert in news), *self._told][:MOST_REMEMBERED]
        return news

    async def _load_newest(self) -> None:
        self._list(await self._found())
        await self._count()

    async def _found(self, before: UUID | None = None, *, limit: int = service.A_PAGE) -> Alerts:
        async with transaction() as session:
            found = await service.newest(
                session,
                is_resolved=self.standing == RESOLVED,
                severity=Severity(self.severity) if self.severity else None,
                before=before,
                limit=limit,
            )
            shown = await alert_desk.with_companies(session, self._actor, found.shown)
            return replace(found, shown=shown)

    async def _count(self) -> None:
        async with transaction() as session:
            counts = await service.open_by_severity(session)
        known = {severity.value: count for severity, count in counts.items()}
        self._keep(
            counts=known | {"all": sum(known.values())},
            has_more_than_counted=service.MOST_COUNTED in known.values(),
        )

    def _list(self, found: Alerts, behind: Sequence[dict[str, Any]] = ()) -> None:
        self.alerts = [*behind, *map(_row, found.shown)]
        self.next_before = str(found.next_before or "")

    def _take_away(self, alert_id: str) -> None:
        """It stands on the other list now; what is shown below it stays where it is."""
        self.alerts = [alert for alert in self.alerts if alert["id"] != alert_id]

    def _refuse(self, error: DomainError) -> None:
        """What could not be loaded says so in its place."""
        super()._refuse(error)
        doing, self._doing = self._doing, ""
        if doing == LOADING:
            self.has_failed = True
            self._notify(
                "admin.security.not_loaded", error.text_key, style="destructive", **error.params
            )
        elif doing == RESOLVING:
            self._notify("alerts.not_resolved", error.text_key, style="destructive", **error.params)


def _description(alert: Alert, language: str) -> str:
    """In the reader's language; what is older than its words says what it said."""
    try:
        return service.said_of(alert.kind, alert.params, language)
    except KeyError:
        return alert.description


def _row(alert: Alert) -> dict[str, Any]:
    return {
        "id": str(alert.id),
        "severity": alert.severity,
        "text": f"alerts.kinds.{alert.kind}" if _has_words(alert) else "",
        "advice": f"alerts.advice.{alert.kind}" if _has_words(alert) else "",
        "params": alert.params,
        "description": alert.description,
        "times": alert.times,
        "created_at": alert.created_at.isoformat(),
        "last_at": alert.last_at.isoformat(),
        "address": alert.ip_address,
        "account_id": str(alert.account_id or ""),
        "account": alert.account,
        "company_id": alert.params.get(alert_desk.COMPANY_ID, ""),
        "company": alert.params.get(alert_desk.COMPANY, ""),
        "resolved_at": alert.resolved_at.isoformat() if alert.resolved_at else "",
        "resolved_by": alert.resolved_by,
    }


def _has_words(alert: Alert) -> bool:
    """Alerts from before each kind had its words have no params for them."""
    try:
        return bool(service.said_of(alert.kind, alert.params, "en"))
    except KeyError:
        return False
