"""`rewards`: what is done from a command line."""

import asyncio
import json
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any

import typer

from rewards_app import build, launch, seeding
from rewards_app.core import logs, schema
from rewards_app.core.actor import Role
from rewards_app.core.database import dispose_engine, transaction
from rewards_app.core.embedded import CannotStart
from rewards_app.core.settings import BadSettings, settings
from rewards_app.features.accounts import service as accounts
from rewards_app.features.coins import service as coins

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)
REFUSALS = (BadSettings, CannotStart, launch.CannotRun, schema.SchemaMismatch, build.BuildFailed)


def main() -> None:
    try:
        settings()
        logs.configure(as_json=settings().is_production)
        app()
    except REFUSALS as refusal:
        print(refusal, file=sys.stderr)
        sys.exit(2)


@app.command()
def run() -> None:
    """Migrate, build what changed, and serve."""
    raise typer.Exit(launch.run(seed=lambda: _wait(seeding.seed_once()), greet=_greet))


@app.command()
def dev() -> None:
    """Serve with hot reload: every saved change is built and shown."""
    raise typer.Exit(launch.develop(seed=lambda: _wait(seeding.seed_once()), greet=_greet))


@app.command()
def migrate() -> None:
    """Bring the database's schema up to date."""
    with _database():
        launch.migrate()
        print(f"The database is at revision {schema.present_revision()}.")


@app.command()
def seed() -> None:
    """Make the demo accounts, if there are no accounts yet."""
    with _database():
        launch.migrate()
        made = _wait(seeding.seed_once())
    print("Demo accounts made." if made else "There are accounts already; nothing was changed.")


@app.command()
def promote(email: str, role: Annotated[Role, typer.Option(help="the new role")]) -> None:
    """Give the account of EMAIL another role."""

    async def change() -> bool:
        async with transaction() as session:
            return await accounts.promote(session, email, role)

    with _database():
        if not _wait(change()):
            print(f"There is no account with the email {email}.", file=sys.stderr)
            raise typer.Exit(1)
    print(f"{email} is now {role.value}.")


@app.command()
def export(file: Path) -> None:
    """Write everything in the database to FILE."""
    with _database():
        print(f"Written to {launch.backup(file)}")


@app.command(name="import")
def import_(file: Path) -> None:
    """Fill an empty database from FILE, which 'rewards export' wrote."""
    with _database():
        launch.restore(file)
    print("Restored.")


ledger = typer.Typer(no_args_is_help=True, help="Coins: the books.")
app.add_typer(ledger, name="ledger")


@ledger.command("check")
def check_ledger() -> None:
    """Prove that every balance is what its entries add up to; fails with each that is not."""

    async def check() -> coins.Audit:
        async with transaction() as session:
            return await coins.check(session)

    with _database():
        audit: coins.Audit = _wait(check())
    for book in audit.wrong:
        print(f"{book.account_id}: {book.stored}, entries add up to {book.added_up}")
    for account_id, number in audit.skips:
        print(f"{account_id}: entry {number} does not follow from the one before it")
    if not audit.is_clean:
        raise typer.Exit(1)
    print(f"The ledger adds up: {audit.accounts} accounts.")


def _database() -> Any:
    """The database, whether the app is running on it or not."""
    return launch.database_for_a_command()


def _wait(work: Coroutine[Any, Any, Any]) -> Any:
    async def then_close() -> Any:
        try:
            return await work
        finally:
            await dispose_engine()

    return asyncio.run(then_close())


def _greet() -> None:
    print(f"\nWatchCoins is ready: {settings().origin}\n", flush=True)
    _print_demo_accounts()


def _print_demo_accounts() -> None:
    """The passwords are shown once; afterwards only where they are kept."""
    file = seeding.accounts_file()
    if not file.exists():
        return
    if seeding.was_shown():
        print(f"Demo accounts: {file}", flush=True)
        return
    for row in json.loads(file.read_text()):
        print(f"  {row['role']:<10} {row['email']:<28} {row['password']}", flush=True)
    print(f"\nThese demo accounts are kept in {file}", flush=True)
    seeding.remember_shown()


if __name__ == "__main__":
    main()
