"""The moderators' desk: what waits, the one that is looked at, and the log of decisions."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, LongForm, allow
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments, DomainError
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show
from rewards_app.features.forum import calls, casebook, decisions, desk_rules
from rewards_app.features.forum.casebook import Added, Case, Decided, Item, Report
from rewards_app.features.forum.decisions import Seen
from rewards_app.features.forum.desk_rules import (
    MODERATORS,
    DecidedMeanwhile,
    Deed,
    NotThere,
    Target,
)

KINDS = ("all", "reported", "waiting", "appealed")


class DeskCountState(AppState):
    """Shown beside the way to the desk."""

    waiting: int = 0

    @allow(*MODERATORS, passive=True)
    async def count(self):
        async with transaction() as session:
            self._keep(waiting=(await casebook.counts(session)).all)


class DeskState(AppState):
    is_loaded: bool = False
    has_failed: bool = False
    kind: str = "all"
    """Why what is listed waits."""
    counts: dict[str, int] = {}
    queue: list[dict[str, Any]] = []
    """Where somebody may be in danger first, then the most reported, then the newest."""
    has_more: bool = False
    case: dict[str, Any] = {}
    """The one that is looked at. It stays as it was when it was opened."""
    added: list[dict[str, Any]] = []
    """What its author said in the appeal after it was made."""
    reports: list[dict[str, Any]] = []
    past: list[dict[str, Any]] = []
    """What was decided on it before."""
    deed: str = ""
    """What is about to be decided."""
    is_stale: bool = False
    """It is not any more what is looked at."""

    _is_loading: bool = False
    _limit: int = casebook.A_PAGE
    _read: list[UUID] = []
    """The open reports of what is looked at: a decision settles these."""

    @allow(*MODERATORS)
    async def load(self):
        self._forget()
        self._is_loading = True
        self.kind, self._limit = "all", casebook.A_PAGE
        await self._load()
        self.is_loaded, self._is_loading = True, False

    @allow(*MODERATORS, passive=True)
    async def refresh(self):
        """Something was reported, decided or appealed: as much as is shown is read again."""
        if not self.is_loaded:
            return
        await self._load()
        if self.case:
            async with transaction() as session:
                known = await casebook.case(session, *self._looked_at)
            self._keep(is_stale=known.item.version != self.case["version"])

    @allow(*MODERATORS)
    async def choose(self, kind: str):
        if kind not in KINDS:
            raise BadArguments
        self.kind, self._limit = kind, casebook.A_PAGE
        await self._load()

    @allow(*MODERATORS)
    async def load_more(self):
        self._limit = min(self._limit + casebook.A_PAGE, casebook.MOST_IN_QUEUE)
        await self._load()

    @allow(*MODERATORS)
    async def look_at(self, target: str, thing_id: Identifier):
        self._forget_refusal()
        await self._look_at(desk_rules.target_from(target), thing_id)

    @allow(*MODERATORS)
    async def close(self):
        self._put_away()

    @allow(*MODERATORS)
    async def ask(self, deed: str):
        """Say what a decision means before it is made."""
        self._forget_refusal()
        if self.case and deed in self.case["deeds"]:
            self.deed = deed

    @allow(*MODERATORS)
    async def back(self):
        self._forget_refusal()
        self.deed = ""

    @allow(*MODERATORS)
    async def decide(self, form: LongForm):
        """Decided on is what is looked at."""
        if not self.case or not self.deed:
            return
        self._start_work()
        yield
        deed = desk_rules.deed_from(self.deed)
        reason, note = form.get("reason", ""), form.get("note", "")
        async with transaction() as session:
            done = await decisions.decide(
                session, self._actor, self._seen, deed, reason, note, now=utc_now()
            )
        self.is_busy = False
        who, looked_at = calls.name_of(done.author), self._looked_at
        words = "done_profile" if done.target is Target.PROFILE else "done_text"
        self._notify(f"forum.desk.done.{deed}", f"forum.desk.{words}", who=who, topic=done.name)
        self._put_away()
        await then_show(self._load)
        if deed is Deed.RENAME:
            # What is written there may have to be hidden, too.
            await then_show(lambda: self._look_further(*looked_at))

    async def _look_further(self, target: Target, thing_id: UUID) -> None:
        """What nobody else reads any more is done with."""
        with suppress(NotThere):
            await self._look_at(target, thing_id)

    async def _look_at(self, target: Target, thing_id: UUID) -> None:
        async with transaction() as session:
            found = await casebook.case(session, target, thing_id)
        self._open(found)

    @property
    def _looked_at(self) -> tuple[Target, UUID]:
        return desk_rules.target_from(self.case["target"]), UUID(self.case["id"])

    @property
    def _seen(self) -> Seen:
        return Seen(*self._looked_at, self.case["version"], self._read)

    def _forget(self) -> None:
        self.is_loaded, self.has_failed = False, False
        self._put_away()

    def _put_away(self) -> None:
        self.case, self.added, self.reports, self.past = {}, [], [], []
        self._read = []
        self.deed, self.refusal, self.is_stale = "", {}, False

    def _open(self, found: Case) -> None:
        """What is about to be decided stays where it is looked at again, and still possible."""
        was = self.case.get("id")
        is_own = found.item.author_id == self._actor.user_id
        self.case = _row(found.item) | {
            "version": found.item.version,
            "hidden_before": found.hidden_before,
            "is_own": is_own,
            "deeds": [] if is_own else [*desk_rules.deeds_for(found.item.standing)],
        }
        self._read = [*found.read]
        self.added = [_added(one) for one in found.added]
        self.reports = [_said(report, found.item) for report in found.reports]
        self.past = [decided_row(one) for one in found.decisions]
        self.is_stale = False
        if was != self.case["id"] or self.deed not in self.case["deeds"]:
            self.deed = ""

    async def _load(self) -> None:
        async with transaction() as session:
            found = await casebook.queue(session, self.kind, limit=self._limit)
            counts = await casebook.counts(session)
        known = {"all": counts.all, "reported": counts.reported}
        self._keep(
            queue=[_line(item) for item in found],
            counts=known | {"waiting": counts.waiting, "appealed": counts.appealed},
        )
        all_of_kind = self.counts[self.kind]
        self._keep(has_more=len(found) < min(all_of_kind, casebook.MOST_IN_QUEUE))

    def _refuse(self, error: DomainError) -> None:
        """What could not be loaded says so in its place; what has changed is to be looked at."""
        super()._refuse(error)
        if self._is_loading:
            self.has_failed, self._is_loading = True, False
        if isinstance(error, DecidedMeanwhile | NotThere) and self.case:
            self.is_stale = True


class ModerationLogState(AppState):
    """What was decided, by whom and why."""

    is_loaded: bool = False
    handle: str = ""
    """Whose things; empty: everybody's."""
    action: str = ""
    lines: list[dict[str, Any]] = []
    """Newest first."""
    next_before: str = ""

    @allow(*MODERATORS)
    async def load(self):
        self.handle, self.action = "", ""
        await self._load_newest()
        self.is_loaded = True

    @allow(*MODERATORS, passive=True)
    async def refresh(self):
        if self.is_loaded and len(self.lines) <= casebook.A_PAGE:
            await self._load_newest()

    @allow(*MODERATORS)
    async def find(self, form: LongForm):
        self.handle = form.get("handle", "").strip()
        await self._load_newest()

    @allow(*MODERATORS)
    async def choose(self, action: str):
        if action:
            desk_rules.deed_from(action)
        self.action = action
        await self._load_newest()

    @allow(*MODERATORS)
    async def load_more(self, before: Identifier):
        """Older lines; asked twice for the same ones, they come once."""
        if str(before) != self.next_before:
            return
        found = await self._found(before)
        self.lines = self.lines + [decided_row(one) for one in found.shown]
        self.next_before = str(found.next_before or "")

    async def _load_newest(self) -> None:
        found = await self._found()
        self._keep(
            lines=[decided_row(one) for one in found.shown],
            next_before=str(found.next_before or ""),
        )

    async def _found(self, before: UUID | None = None) -> casebook.Log:
        async with transaction() as session:
            return await casebook.log(
                session, handle=self.handle, action=self.action, before=before
            )


LONGEST_EXCERPT = 240


def _line(item: Item) -> dict[str, Any]:
    """As it stands in the queue, which is sent as a whole: only how its text begins."""
    return {
        "target": item.target.value,
        "id": str(item.id),
        "topic": item.name,
        "content": item.content[:LONGEST_EXCERPT],
        "state": item.state,
        "is_locked": item.locked_at is not None,
        "is_hot": item.is_hot,
        "author": item.author,
        "handle": item.handle,
        "reporters": item.reporters,
        "gravest": item.gravest,
        "appeal_number": str(item.appeal_number or ""),
        "since": item.since.isoformat(),
    }


def _row(item: Item) -> dict[str, Any]:
    reason = desk_rules.reason_of(item.state_reason)
    return _line(item) | {
        "title": item.title,
        "content": item.content,
        "shown_title": item.shown_title,
        "shown_content": item.shown_content,
        "is_changed": item.is_changed,
        "violations": [_violation(one) for one in item.violations],
        "reason_key": reason.key,
        "reason_note": reason.note,
        "role": item.role,
        "joined_at": item.joined_at.isoformat(),
        "appeal": item.appeal,
        "appealed_at": item.appealed_at.isoformat() if item.appealed_at else "",
        "created_at": item.created_at.isoformat(),
        "edited_at": item.edited_at.isoformat() if item.edited_at else "",
    }


def _violation(found: Any) -> dict[str, str]:
    return {"kind": str(found.get("kind", "")), "words": ", ".join(found.get("words") or ())}


def _added(one: Added) -> dict[str, str]:
    return {"text": one.text, "created_at": one.created_at.isoformat()}


def _said(report: Report, item: Item) -> dict[str, Any]:
    return {
        "is_of_earlier_words": item.edited_at is not None and report.created_at < item.edited_at,
        "reason": report.reason,
        "text": report.text,
        "created_at": report.created_at.isoformat(),
    }


def decided_row(one: Decided) -> dict[str, str]:
    reason = desk_rules.reason_of(one.reason)
    return {
        "id": str(one.id),
        "action": one.action,
        "reason_key": reason.key,
        "note": reason.note,
        "at": one.created_at.isoformat(),
        "by": one.by_name,
        "target": one.target.value,
        "thing": str(one.thing_id),
        "topic": one.topic,
        "author": one.author,
        "handle": one.handle,
    }
