"""The stock of gift codes: what an admin brings in, and how much is left."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import TypeVar
from uuid import UUID

import structlog
from cryptography.exceptions import InvalidTag

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.sealed import fingerprints
from rewards_app.core.sealing import KeyMissing
from rewards_app.core.settings import settings
from rewards_app.features.audit import service as audit
from rewards_app.features.shop import code_sheet, rules, stock_repository
from rewards_app.features.shop.catalogue import PACKAGES
from rewards_app.features.shop.code_sheet import Problem
from rewards_app.models import GiftCode

_log = structlog.get_logger(__name__)

Kept = TypeVar("Kept")

CHANGED = "stock_changed"
"""Published when codes were brought in, are withheld, or are sold again."""
FORM = "2:"
"""Begins marks of what a code is by; those of before are of how it was written."""
MARK = re.compile(rf"{FORM}[0-9a-f]{{62}}|[0-9a-f]{{64}}")
FEW = 5
"""With fewer codes than these, a package may be sold out before anybody looks again."""
AT_ONCE = 500
"""A statement has room for so many rows."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How many codes came in; where there are problems, none did."""

    count: int
    problems: Sequence[Problem]


async def import_sheet(
    session: AsyncSession,
    text: str,
    actor: Actor | None,
    *,
    is_demo: bool = False,
    now: datetime,
) -> Imported:
    """All codes of the sheet, or none and what is wrong with each line.

    Nobody is `actor` where the command line asks.
    """
    sheet = code_sheet.read(text, PACKAGES)
    marks = {row.line: _every_mark_of(row.code) for row in sheet.rows}
    known = await _known(session, chain.from_iterable(marks.values()))
    known |= await _marked_at_night(session)
    repeated = [
        Problem(line, "codes.problems.in_stock", {})
        for line, own in marks.items()
        if not known.isdisjoint(own)
    ]
    problems = sorted([*sheet.problems, *repeated], key=lambda problem: problem.line)
    if problems:
        return Imported(0, problems)
    codes = [
        GiftCode(
            package_id=row.package_id,
            code=row.code,
            fingerprint=marks[row.line][0],
            is_demo=is_demo,
            imported_at=now,
            imported_by=actor.user_id if actor else None,
        )
        for row in sheet.rows
    ]
    # In one order for everybody: two sheets with the same codes would wait for each other.
    codes.sort(key=lambda code: code.fingerprint)
    added = [await stock_repository.add_codes(session, part) for part in _parts(codes)]
    if sum(added) < len(codes):
        # Somebody brought in the same ones at this very moment.
        raise code_sheet.ImportedTwice
    await _write_down(session, actor, codes, now=now)
    await live.publish(session, CHANGED)
    return Imported(sum(added), ())


async def _write_down(
    session: AsyncSession, actor: Actor | None, codes: Sequence[GiftCode], *, now: datetime
) -> None:
    """How many of which package: never a code."""
    if not codes:
        return
    counts = Counter(code.package_id for code in codes)
    await audit.record(
        session,
        actor,
        audit.Action.CODES_IMPORTED,
        "stock",
        after={
            "codes": len(codes),
            "packages": _by_package(counts),
            "is_demo": codes[0].is_demo,
        },
        now=now,
    )


def _by_package(counts: Mapping[str, int]) -> list[str]:
    return [f"{package}: {count}" for package, count in sorted(counts.items())]


async def given() -> list[str]:
    """Marks of the codes that nobody else may get: to be kept beside backups, which are older.

    No code can be read in them. While a key of before is here, those that it makes stand on the
    line of their code, too: whichever key is left later knows it.
    """
    async with transaction() as session:
        if len(settings().secrets) > 1:
            with suppress(InvalidTag, KeyMissing):
                known = await stock_repository.given(session)
                return [" ".join(dict.fromkeys([mark, *_marks_of(code)])) for mark, code in known]
        return await stock_repository.marks_of_given(session)


@dataclass(frozen=True, slots=True)
class Withheld:
    """How many codes are sold no more, and how many lines are of no code that is here."""

    count: int
    unknown: int


async def withhold(session: AsyncSession, lines: Iterable[str], *, now: datetime) -> Withheld:
    """Sell none of those again that were given to somebody after this database's moment.

    Each line has the marks of one code.
    """
    unknown = {frozenset(line.split()) for line in lines}
    line_of = {mark: line for line in unknown for mark in line}
    dead = list[UUID]()
    async for code_id, _, code in stock_repository.every_code(session):
        own = {line_of[mark] for mark in _every_mark_of(code) if mark in line_of}
        unknown -= own
        dead += [code_id] if own else []
    packages = [
        package
        for part in _parts(dead)
        for package in await stock_repository.withhold(session, part)
    ]
    await _write_withheld(session, packages, now=now)
    return Withheld(len(packages), len(unknown))


async def withhold_next(session: AsyncSession, most: int | None, *, now: datetime) -> int:
    """The same where nobody knows which: as many of each package as were sold at most, or all."""
    packages = await stock_repository.withhold_next(session, most)
    await _write_withheld(session, packages, now=now)
    return len(packages)


@dataclass(frozen=True, slots=True)
class Released:
    """How many codes are sold again; of a sheet with problems, none."""

    count: int
    others: int
    """Are here and stay as they are: somebody has or had them, or they were never withheld."""
    unknown: int
    problems: Sequence[Problem]


async def release(session: AsyncSession, sheet_text: str, *, now: datetime) -> Released:
    """Sell those withheld codes after all of which the supplier says that nobody used them.

    Not what a list named: who has it may use it yet.
    """
    sheet = code_sheet.read(sheet_text, PACKAGES)
    if sheet.problems:
        return Released(0, 0, 0, sheet.problems)
    same: dict[str, list[UUID]] = {mark_of(row.code): [] for row in sheet.rows}
    async for code_id, _, code in stock_repository.every_code(session):
        if (mark := mark_of(code)) in same:
            same[mark].append(code_id)
    here = [ids for ids in same.values() if ids]
    released = [await stock_repository.release(session, ids) for ids in here]
    packages = [package for package in released if package]
    await _write_which(session, audit.Action.CODES_RELEASED, packages, now=now)
    return Released(len(packages), len(here) - len(packages), len(same) - len(here), ())


async def _write_withheld(session: AsyncSession, packages: Sequence[str], *, now: datetime) -> None:
    await _write_which(session, audit.Action.CODES_WITHHELD, packages, now=now)


async def _write_which(
    session: AsyncSession, action: audit.Action, packages: Sequence[str], *, now: datetime
) -> None:
    if packages:
        after = {"codes": len(packages), "packages": _by_package(Counter(packages))}
        await audit.record(session, None, action, "stock", after=after, now=now)
        await live.publish(session, CHANGED)


def mark_of(code: str) -> str:
    """The same for a code in any writing, by the present key."""
    return _marks_of(code)[0]


def _marks_of(code: str) -> list[str]:
    return [f"{FORM}{mark[len(FORM) :]}" for mark in fingerprints(code_sheet.bare(code))]


def _every_mark_of(code: str) -> list[str]:
    """The present one first; by earlier keys, and of its writing alone, as it was marked before."""
    return [*_marks_of(code), *fingerprints(code)]


async def _marked_at_night(session: AsyncSession) -> set[str]:
    """How those will be marked that a version of before brought in since the last night."""
    with suppress(InvalidTag, KeyMissing):
        before = stock_repository.every_code(session, but_with=FORM)
        return {mark_of(code) async for _, _, code in before}
    return set()


async def mark_anew(*, now: datetime) -> int:
    """By the present key, so that a second copy is known when the earlier keys are gone.

    Few in each transaction: none of those that are on sale is locked for longer than a moment.
    """
    marked, after = 0, UUID(int=0)
    while True:
        async with transaction() as session:
            part = await stock_repository.codes_after(session, after)
            marked += await _mark_anew(session, part, now=now)
        if len(part) < stock_repository.AT_ONCE:
            return marked
        after = part[-1][0]


async def _mark_anew(
    session: AsyncSession, part: Iterable[tuple[UUID, str, str]], *, now: datetime
) -> int:
    marked, withheld = 0, list[str]()
    for code_id, kept, code in part:
        mark = mark_of(code)
        if kept == mark:
            continue
        if await stock_repository.mark(session, code_id, mark):
            marked += 1
            continue
        # It came in twice, in two writings, when those were not compared.
        packages = await stock_repository.withhold_one_of_two(session, code_id, mark)
        _log.warning("stock.came_twice", code=str(code_id), is_withheld=bool(packages))
        withheld += packages
    await _write_withheld(session, withheld, now=now)
    return marked


async def _known(session: AsyncSession, marks: Iterable[str]) -> set[str]:
    known: set[str] = set()
    for part in _parts(list(marks)):
        known |= await stock_repository.known_fingerprints(session, part)
    return known


def _parts(rows: list[Kept]) -> Iterable[list[Kept]]:
    return (rows[start : start + AT_ONCE] for start in range(0, len(rows), AT_ONCE))


@dataclass(frozen=True, slots=True)
class Level:
    package_id: str
    free: int
    reserved: int
    delivered: int
    demo: int
    """How many free ones are for trying out; where they are not sold they are no free ones."""
    withheld: int
    """Somebody may have them already."""

    @property
    def is_sold(self) -> bool:
        """Else the catalogue had it once, and its codes lie here."""
        return self.package_id in PACKAGES

    @property
    def is_sold_out(self) -> bool:
        return self.is_sold and not self.free


def is_running_low(level: Level) -> bool:
    return level.is_sold and 0 < level.free < FEW


async def levels(session: AsyncSession) -> list[Level]:
    """How many codes each package has, those with none included; last, what is sold no more."""
    counts: Mapping[tuple[str, str], int] = defaultdict(int)
    demo: Mapping[str, int] = defaultdict(int)
    withheld: Mapping[str, int] = defaultdict(int)
    sold = rules.codes_for(is_trial=False, is_production=settings().is_production)
    kept = await stock_repository.levels(session)
    for found in kept:
        is_for_trying = found.is_demo and found.status == "free"
        demo[found.package_id] += found.count * is_for_trying
        withheld[found.package_id] += found.count * found.is_withheld
        if not (is_for_trying and sold is rules.Codes.REAL):
            counts[found.package_id, found.status] += found.count
    return [
        Level(
            package_id,
            counts[package_id, "free"],
            counts[package_id, "reserved"],
            counts[package_id, "delivered"],
            demo[package_id],
            withheld[package_id],
        )
        for package_id in [*PACKAGES, *sorted({one.package_id for one in kept} - PACKAGES.keys())]
    ]
