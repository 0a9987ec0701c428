"""A backup is worth what it restores to: done in a database that lives for the proof alone."""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rewards_app.backups import dumping
from rewards_app.backups.dumping import BackupFailed
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.postgres import embedded, schema
from rewards_app.core.settings import settings
from rewards_app.features.advertiser import books
from rewards_app.features.audit import service as audit
from rewards_app.features.coins import service as coins
from rewards_app.features.privacy import resealing
from rewards_app.features.shop import books as shop_books


@dataclass(frozen=True, slots=True)
class Proof:
    tables: int
    rows: int
    accounts: int
    purchases: int
    problems: list[str]
    """Each in one line; none, if everything is there and adds up."""


@contextmanager
def restored(file: Path) -> Generator[list[str]]:
    """DATABASE_URL is a new server with nothing but the backup; what came otherwise than it was."""
    note = dumping.refuse_damaged(file)
    with tempfile.TemporaryDirectory(prefix="watchcoins-proof-") as folder, _server(Path(folder)):
        dumping.restore(file)
        found = dumping.count_rows()
        expected = note.rows if note else found
        differing = [
            f"{name}: {found.get(name, 0)} rows, and it was made with {expected.get(name, 0)}"
            for name in sorted({*found, *expected})
            if found.get(name) != expected.get(name)
        ]
        present = schema.present_revision()
        if present is None or not schema.is_known(present):
            raise BackupFailed(
                f"{file} has the schema {present or 'of nothing'}, which this version does not"
                " know: prove it with the version that made it."
            )
        schema.upgrade()
        yield differing


@contextmanager
def _server(folder: Path) -> Generator[None]:
    """Beside whatever database the app has, and never in its place."""
    before = os.environ.get("DATABASE_URL")
    with embedded.embedded_database(folder) as running:
        os.environ["DATABASE_URL"] = running.url
        settings.cache_clear()
        try:
            yield
        finally:
            os.environ.pop("DATABASE_URL")
            if before is not None:
                os.environ["DATABASE_URL"] = before
            settings.cache_clear()


async def prove(differing: list[str]) -> Proof:
    """Add up all books of what was restored, and see that the keys open what is sealed."""
    async with transaction() as session:
        balances = await coins.check(session)
        orders = await shop_books.check(session)
        companies = await books.check(session)
        log = await audit.check(session)
        unopened = [one for one in await resealing.standings(session) if one.unknown]
    rows = dumping.count_rows()
    problems = [
        *differing,
        *(f"account {one.account_id}: the balance is not its entries" for one in balances.wrong),
        *(f"account {one}: entry {number} is out of turn" for one, number in balances.skips),
        *(f"order {one.purchase_code} does not add up" for one in orders.wrong),
        *companies.wrong,
        *(f"{one.place}: {one.unknown} sealed with an unknown key" for one in unopened),
    ]
    if not log.is_clean:
        problems.append(f"audit log: entry {log.broken_at} does not follow from the one before it")
    return Proof(len(rows), sum(rows.values()), balances.accounts, orders.purchases, problems)


def remember_proof(file: Path) -> None:
    """On the note beside the backup, where the doctor reads it."""
    note = dumping.read_note(file)
    if note:
        dumping.write_note(file, note.model_copy(update={"proven_at": utc_now()}))
