"""`rewards`: what is done from a command line."""

import json
import sys
from pathlib import Path

import typer

from rewards_app import build, launch, seeding
from rewards_app.backups import dumping, keeping
from rewards_app.commands import books, doctor, keys, months, people, shop
from rewards_app.commands.backups import backups
from rewards_app.commands.running import database, wait
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.postgres import rights, schema
from rewards_app.core.postgres.connecting import NotLetIn
from rewards_app.core.postgres.embedded import CannotStart
from rewards_app.core.settings import BadSettings, settings
from rewards_app.core.watching import logs
from rewards_app.features.audit import service as audit
from rewards_app.features.leaderboard import counting
from rewards_app.features.privacy import erasing
from rewards_app.features.shop import stock
from rewards_app.server import CannotRun

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)
app.add_typer(people.app)
app.add_typer(doctor.app)
app.add_typer(books.audit_log, name="audit")
app.add_typer(books.ledger, name="ledger")
app.add_typer(shop.codes, name="codes")
app.add_typer(shop.orders, name="orders")
app.add_typer(keys.keys, name="keys")
app.add_typer(books.ads, name="ads")
app.add_typer(books.invoices, name="invoices")
app.add_typer(books.boards, name="leaderboard")
app.add_typer(backups, name="backup")
app.command()(months.months)
REFUSALS = (
    *(BadSettings, CannotStart, CannotRun, schema.SchemaMismatch, schema.TablesAreBusy),
    *(build.BuildFailed, erasing.NotYet, dumping.BackupFailed, rights.NotTheOwner),
    *(rights.AnotherDatabase, rights.UncheckedServer, NotLetIn),
)


def main() -> None:
    try:
        app()
    except REFUSALS as refusal:
        print(refusal, file=sys.stderr)
        sys.exit(2)


@app.callback()
def before_each(chosen: typer.Context) -> None:
    """Settings that cannot work end every command but the one that explains them."""
    if chosen.invoked_subcommand != doctor.NAME:
        settings()
        logs.configure(as_json=settings().is_production)


@app.command()
def run() -> None:
    """Migrate, build what changed, and serve."""
    raise typer.Exit(launch.run(seed=lambda: wait(seeding.seed_once()), greet=_greet))


@app.command()
def dev() -> None:
    """Serve with hot reload: every saved change is built and shown."""
    raise typer.Exit(launch.develop(seed=lambda: wait(seeding.seed_once()), greet=_greet))


@app.command("build")
def build_frontend() -> None:
    """Build the frontend for these settings, unless it is built already."""
    built = build.build_if_changed()
    print("The frontend is built." if built else "The frontend was built already.")


@app.command()
def serve() -> None:
    """Serve what 'rewards build' and 'rewards migrate' prepared, and change nothing."""
    launch.serve()


@app.command()
def migrate() -> None:
    """Bring the database's schema up to date."""
    with database():
        launch.migrate()
        schema.refuse_outdated()
        print(f"The database is at revision {schema.present_revision()}.")


@app.command()
def seed() -> None:
    """Make the demo accounts, if there are no accounts yet; never in production."""
    if settings().is_production:
        raise CannotRun(
            "MODE is production: demo accounts, their ads and their codes are for trying out alone."
            " Nothing was made. The first account is made in the browser, then 'rewards promote'."
        )
    with database():
        launch.migrate()
        made = wait(seeding.seed_once())
    print("Demo accounts made." if made else "There are accounts already; nothing was changed.")


@app.command()
def export(file: Path) -> None:
    """Write everything in the database to FILE, which must not be there yet."""
    dumping.refuse_taken(file)
    with database():
        dumping.dump(file)
        print(f"Written to {file}")
        # A database that was not brought up to date yet may have no audit log.
        if schema.present_revision() == schema.newest_revision():
            wait(_write_down(audit.Action.BACKUP_MADE, file.name))
            keeping.keep_forgotten_if_kept(wait(erasing.forgotten()))
            keeping.keep_delivered_if_kept(wait(stock.given()))


@app.command(name="import")
def import_(file: Path) -> None:
    """Fill an empty database from FILE, which 'rewards export' wrote."""
    with database():
        with launch.as_owner():
            dumping.restore(file)
        # An older backup brings an older schema, which may have no audit log.
        launch.migrate()
        wait(_begin_boards_anew())
        wait(_write_down(audit.Action.BACKUP_RESTORED, file.name))
    print("Restored.")


async def _begin_boards_anew() -> None:
    """Another server numbers its transactions otherwise."""
    async with transaction() as session:
        await counting.forget_progress(session)


async def _write_down(action: audit.Action, file: str) -> None:
    async with transaction() as session:
        await audit.record(session, None, action, "database", label=file, now=utc_now())


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
