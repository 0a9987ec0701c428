"""The stock of gift codes in the database."""

from collections.abc import AsyncGenerator, Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, func, select, update

from rewards_app.core.database import AsyncSession, run
from rewards_app.features.shop.rules import Codes
from rewards_app.models import GiftCode

AT_ONCE = 500


async def add_codes(session: AsyncSession, rows: Sequence[GiftCode]) -> int:
    """Keep those that are new; how many there were."""
    if not rows:
        return 0
    values = [row.model_dump() for row in rows]
    statement = insert(GiftCode).on_conflict_do_nothing(index_elements=["fingerprint"])
    found = await run(session, statement.values(values).returning(col(GiftCode.id)))
    return len(found.all())


async def known_fingerprints(session: AsyncSession, fingerprints: Sequence[str]) -> set[str]:
    query = select(GiftCode.fingerprint).where(col(GiftCode.fingerprint).in_(fingerprints))
    return set((await session.exec(query)).all())


IS_GIVEN = col(GiftCode.status).in_(("delivered", "withdrawn"))


async def marks_of_given(session: AsyncSession) -> list[str]:
    """Of those that somebody has or had, or may have: they are never given to anybody else."""
    query = select(GiftCode.fingerprint).where(IS_GIVEN)
    return list((await session.exec(query.order_by(col(GiftCode.id)))).all())


async def given(session: AsyncSession) -> Sequence[tuple[str, str]]:
    """The mark and the words of each of them."""
    query = select(GiftCode.fingerprint, GiftCode.code).where(IS_GIVEN)
    return (await session.exec(query.order_by(col(GiftCode.id)))).all()


# What waits for its buyer stays theirs: they may be the one who had it. It is never free again.
WITHHOLD = """
update gift_codes set is_withheld = true,
    status = case status when 'free' then 'withdrawn' else status end
where status in ('free', 'reserved') and not is_withheld and {which}
returning package_id
"""
THESE = text(WITHHOLD.format(which="id = any(:ids)"))
GIVEN = text(
    "update gift_codes set is_given = true"
    " where id = any(:ids) and status <> 'delivered' and not is_given"
)
# In the order in which they are sold; what is reserved was once free.
NEXT_ONES = text(
    WITHHOLD.format(
        which="""(status = 'reserved' or id in (
    select id from (
        select id, row_number() over (partition by package_id order by is_demo, id) as number
        from gift_codes where status = 'free'
    ) as lined_up where cast(:most as bigint) is null or number <= :most
))"""
    )
)


async def withhold(session: AsyncSession, ids: Sequence[UUID]) -> list[str]:
    """Those of them that could still be sold; the package of each. Somebody has all of them."""
    await run(session, GIVEN, {"ids": list(ids)})
    return list((await run(session, THESE, {"ids": list(ids)})).scalars())


async def withhold_next(session: AsyncSession, most: int | None) -> list[str]:
    """So many free ones of each package, or all of them, and whatever is reserved."""
    return list((await run(session, NEXT_ONES, {"most": most})).scalars())


# Of those that are one code, in two writings, one is enough; none where somebody has one of them,
# by an order of this database or by a list of a later one.
RELEASE = text("""
update gift_codes set is_withheld = false,
    status = case status when 'withdrawn' then 'free' else status end
where id = (
    select id from gift_codes where id = any(:ids) order by status = 'withdrawn', id limit 1
) and not exists (
    select from gift_codes where id = any(:ids) and not (
        is_withheld and not is_given
        and (status = 'reserved' or status = 'withdrawn' and purchase_id is null)
    )
)
returning package_id
""")


async def release(session: AsyncSession, ids: Sequence[UUID]) -> str | None:
    """The package of the code that these are, if it is sold again; None for one that stays."""
    return (await run(session, RELEASE, {"ids": list(ids)})).scalar_one_or_none()


async def every_code(
    session: AsyncSession, *, but_with: str = ""
) -> AsyncGenerator[tuple[UUID, str, str]]:
    """Its number, its mark and its words, those of sold ones too; not those marked in this form."""
    after: UUID | None = UUID(int=0)
    while after:
        found = await codes_after(session, after, but_with=but_with)
        for row in found:
            yield row
        after = found[-1][0] if len(found) == AT_ONCE else None


async def codes_after(
    session: AsyncSession, after: UUID, *, but_with: str = ""
) -> Sequence[tuple[UUID, str, str]]:
    """As many as are looked at in one go."""
    query = select(GiftCode.id, GiftCode.fingerprint, GiftCode.code).where(GiftCode.id > after)
    if but_with:
        query = query.where(~col(GiftCode.fingerprint).startswith(but_with))
    return (await session.exec(query.order_by(col(GiftCode.id)).limit(AT_ONCE))).all()


async def mark(session: AsyncSession, code_id: UUID, fingerprint: str) -> bool:
    """False where another one has this mark: it is the same code."""
    if fingerprint in await known_fingerprints(session, [fingerprint]):
        return False
    changed = update(GiftCode).where(col(GiftCode.id) == code_id)
    await run(session, changed.values(fingerprint=fingerprint))
    return True


# What waits for its buyer is left until it is free; none where one of them is withheld already.
ONE_OF_TWO = text(
    WITHHOLD.format(
        which="""id = (
    select id from gift_codes
    where (id = :id or fingerprint = :mark) and status = 'free' and not exists (
        select from gift_codes where (id = :id or fingerprint = :mark) and is_withheld
    )
    order by id <> :id limit 1
)"""
    )
)


async def withhold_one_of_two(session: AsyncSession, code_id: UUID, mark: str) -> list[str]:
    """Of this code and the one that has its mark: who bought the second would have a used one.

    The package of what is withheld, if anything is.
    """
    return list((await run(session, ONE_OF_TWO, {"id": code_id, "mark": mark})).scalars())


@dataclass(frozen=True, slots=True)
class Level:
    """How many codes of a package there are, by what became of them."""

    package_id: str
    is_demo: bool
    is_withheld: bool
    status: str
    count: int


async def levels(session: AsyncSession) -> list[Level]:
    is_had = col(GiftCode.purchase_id).is_not(None) & (col(GiftCode.status) != "reserved")
    kinds = (col(GiftCode.is_demo), col(GiftCode.is_withheld) & ~is_had, col(GiftCode.status))
    grouped = (col(GiftCode.package_id), *kinds)
    query = select(*grouped, func.count(col(GiftCode.id))).group_by(*grouped)  # pyright: ignore
    return [Level(*row) for row in (await session.exec(query)).all()]


# One look into the index for each package, however many codes lie there.
IN_STOCK = text("""
select sold.package_id from unnest(cast(:packages as text[])) as sold (package_id)
where exists (
    select from gift_codes where gift_codes.package_id = sold.package_id and status = 'free'
        and (:codes = 'any' or is_demo = (:codes = 'demo'))
)
""")


async def in_stock(session: AsyncSession, packages: Collection[str], codes: Codes) -> set[str]:
    """Those of the packages that can be bought now."""
    asked = {"packages": list(packages), "codes": codes.value}
    return set((await run(session, IN_STOCK, asked)).scalars())
