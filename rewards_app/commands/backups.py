"""`rewards backup`: made by a timer, and proven before they are needed."""

import signal
import sys
from pathlib import Path
from typing import NoReturn

import typer

from rewards_app.backups import dumping, keeping, proving
from rewards_app.commands.running import database, wait
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.postgres import schema
from rewards_app.features.audit import service as audit
from rewards_app.features.privacy import erasing
from rewards_app.features.shop import stock

backups = typer.Typer(no_args_is_help=True, help="Backups: made, kept and proven.")


@backups.command()
def make() -> None:
    """Write one more backup into BACKUP_DIR, and take out those that are no longer kept."""
    keeping.refuse_missing_folder()
    signal.signal(signal.SIGTERM, _end)
    with database():
        schema.refuse_outdated()
        wait(_write_down(audit.Action.BACKUP_MADE))
        made = keeping.make()
        forgotten, delivered = wait(erasing.forgotten()), wait(stock.given())
    keeping.keep_forgotten(forgotten)
    keeping.keep_delivered(delivered)
    print(f"Written to {made.file}: {sum(made.note.rows.values())} rows.")
    for file in keeping.forget_old(now=utc_now()):
        print(f"No longer kept: {file.name}")


def _end(number: int, _frame: object) -> NoReturn:
    """Whoever is stopped takes away what is half done."""
    raise SystemExit(128 + number)


async def _write_down(action: audit.Action) -> None:
    async with transaction() as session:
        await audit.record(session, None, action, "database", label="backup", now=utc_now())


@backups.command()
def verify(file: Path) -> None:
    """Restore FILE into a database that lives for this alone, and prove that everything adds up."""
    with proving.restored(file) as differing:
        proof = wait(proving.prove(differing))
    for problem in proof.problems:
        print(problem, file=sys.stderr)
    if proof.problems:
        raise typer.Exit(1)
    if dumping.read_note(file) is None:
        print("There is no note beside it: that nothing is missing is not proven.")
    print(
        f"{file.name} restores: {proof.rows} rows in {proof.tables} tables. Everything adds up:"
        f" {proof.accounts} accounts, {proof.purchases} purchases, the audit log is whole."
    )
    try:
        proving.remember_proof(file)
    except OSError as failure:
        print(f"The note beside it does not say so, for it cannot be written: {failure}.")
