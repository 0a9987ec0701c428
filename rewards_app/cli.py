"""`rewards`: what is done from a command line."""

import asyncio
import json
import sys
from collections.abc import Coroutine
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from rewards_app import build, launch, seeding
from rewards_app.core import live, logs, schema
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine, transaction
from rewards_app.core.embedded import CannotStart
from rewards_app.core.errors import DomainError
from rewards_app.core.settings import BadSettings, settings
from rewards_app.features.accounts import closing
from rewards_app.features.accounts import service as accounts
from rewards_app.features.advertiser import books, leaving, review
from rewards_app.features.audit import service as audit
from rewards_app.features.coins import service as coins
from rewards_app.features.factors import resets
from rewards_app.features.leaderboard import counting
from rewards_app.features.privacy import erasing
from rewards_app.features.shop import service as shop
from rewards_app.features.shop import stock
from rewards_app.i18n.mail_text import words

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)
REFUSALS = (
    *(BadSettings, CannotStart, launch.CannotRun, schema.SchemaMismatch, build.BuildFailed),
    erasing.NotYet,
)


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
def promote(
    email: str,
    role: Annotated[Role, typer.Option(help="the new role")],
    reason: Annotated[str, typer.Option(help="why, for the audit log")] = "",
) -> None:
    """Give the account of EMAIL another role."""

    async def change() -> bool:
        async with transaction() as session:
            return await accounts.promote(session, email, role, reason, now=utc_now())

    with _database():
        if not _wait(change()):
            print(f"There is no account with the email {email}.", file=sys.stderr)
            raise typer.Exit(1)
    print(f"{email} is now {role.value}.")


@app.command()
def erase(
    email: str,
    now: Annotated[bool, typer.Option("--now", help="do not wait 30 days: for good")] = False,
) -> None:
    """Delete the account of EMAIL as its owner would; with --now forget its owner at once."""
    with _database():
        due = _wait(_erase(email.strip().lower(), at_once=now))
    if due is None:
        print(f"There is no account with the email {email}.", file=sys.stderr)
        raise typer.Exit(1)
    print("Forgotten." if now else f"Closed. It is erased on {due.date()}, if nobody keeps it.")


@app.command()
def forgotten() -> None:
    """Print the ids of accounts whose owners are forgotten, for 'rewards forget-again'."""
    with _database():
        found = _wait(erasing.forgotten())
    for account_id in found:
        print(account_id)


@app.command("forget-again")
def forget_again(file: Path) -> None:
    """After a restored backup: forget those again whose ids are in FILE, one a line."""
    closing.hide_too(leaving.LEAVING)
    ids = [UUID(line) for line in file.read_text("utf-8").split()]
    with _database():
        done = _wait(erasing.forget_again(ids, now=utc_now()))
    print(f"{done} of {len(ids)} were there again, and are forgotten.")


async def _erase(email: str, *, at_once: bool) -> datetime | None:
    """When it is, or was, erased; None where there is no such account."""
    closing.hide_too(leaving.LEAVING)
    async with transaction() as session:
        account_id = await closing.id_of(session, email)
        if account_id is None:
            return None
        due = await closing.close(session, account_id, now=utc_now())
        about = f"account:{account_id}"
        await audit.record(session, None, audit.Action.ACCOUNT_CLOSED, about, now=utc_now())
    if at_once:
        origin = audit.Origin.COMMAND_LINE
        await erasing.erase(account_id, is_urgent=True, origin=origin, now=utc_now())
    return due


@app.command()
def export(file: Path) -> None:
    """Write everything in the database to FILE."""
    with _database():
        written = launch.backup(file)
        # A database that was not brought up to date yet may have no audit log.
        if schema.present_revision() == schema.newest_revision():
            _wait(_write_down(audit.Action.BACKUP_MADE, file.name))
    print(f"Written to {written}")


@app.command(name="import")
def import_(file: Path) -> None:
    """Fill an empty database from FILE, which 'rewards export' wrote."""
    with _database():
        launch.restore(file)
        # An older backup brings an older schema, which may have no audit log.
        launch.migrate()
        _wait(_begin_boards_anew())
        _wait(_write_down(audit.Action.BACKUP_RESTORED, file.name))
    print("Restored.")


async def _begin_boards_anew() -> None:
    """Another server numbers its transactions otherwise."""
    async with transaction() as session:
        await counting.forget_progress(session)


async def _write_down(action: audit.Action, file: str) -> None:
    async with transaction() as session:
        await audit.record(session, None, action, "database", label=file, now=utc_now())


second_factor = typer.Typer(no_args_is_help=True, help="What is asked besides a password.")
app.add_typer(second_factor, name="second-factor")


@second_factor.callback()
def of_second_factor() -> None:
    """Its one command keeps its name."""


@second_factor.command("off")
def turn_second_factor_off(
    email: str,
    reason: Annotated[str, typer.Option(help="why, for the audit log")] = "",
) -> None:
    """Let the account of EMAIL in by its password alone; its owner has a mail."""

    async def turn_off() -> bool:
        async with transaction() as session:
            return await resets.turn_off(session, email.strip().lower(), reason, now=utc_now())

    with _database():
        was_on = _wait(turn_off())
    print(f"Two-factor of {email} is off." if was_on else f"{email} had no second factor.")


audit_log = typer.Typer(no_args_is_help=True, help="The audit log.")
app.add_typer(audit_log, name="audit")


@audit_log.callback()
def of_audit_log() -> None:
    """Its one command keeps its name."""


@audit_log.command("check")
def check_audit_log() -> None:
    """Prove that no line of the audit log was changed, added or taken out; prints its last hash."""

    async def check() -> audit.Check:
        async with transaction() as session:
            return await audit.check(session)

    with _database():
        found = _wait(check())
    if not found.is_clean:
        print(f"Entry {found.broken_at} does not follow from the one before it.", file=sys.stderr)
        raise typer.Exit(1)
    print(f"The audit log is whole: {found.entries} entries. Its last hash is {found.head}.")
    if found.erased:
        print(f"The words of {found.erased} entries are erased; that they were written is proven.")


ledger = typer.Typer(no_args_is_help=True, help="Coins and orders: the books.")
app.add_typer(ledger, name="ledger")


@ledger.command("check")
def check_ledger() -> None:
    """Prove that coins, money and codes are where they should be; fails with each that is not."""

    async def check() -> tuple[coins.Audit, shop.Audit, books.Audit]:
        async with transaction() as session:
            return (
                await coins.check(session),
                await shop.check(session),
                await books.check(session),
            )

    with _database():
        balances, orders, companies = _wait(check())
    for book in balances.wrong:
        print(f"{book.account_id}: {book.stored}, entries add up to {book.added_up}")
    for account_id, number in balances.skips:
        print(f"{account_id}: entry {number} does not follow from the one before it")
    for order in orders.wrong:
        print(f"{order.purchase_code}: does not add up as {order.status}: {order}")
    for line in companies.wrong:
        print(line)
    if not (balances.is_clean and orders.is_clean and companies.is_clean):
        raise typer.Exit(1)
    print(f"The ledger adds up: {balances.accounts} accounts.")
    print(f"The orders add up: {orders.purchases} purchases.")
    print(f"The money of companies adds up: {companies.companies} companies.")


codes = typer.Typer(no_args_is_help=True, help="Gift codes: the stock.")
app.add_typer(codes, name="codes")


@codes.command("import")
def import_codes(
    file: Path,
    demo: Annotated[bool, typer.Option("--demo", help="codes that no game accepts")] = False,
) -> None:
    """Bring in the codes of FILE, a CSV with the columns package and code: all of them, or none."""

    async def bring_in(text: str) -> stock.Imported:
        async with transaction() as session:
            return await stock.import_sheet(session, text, None, is_demo=demo, now=utc_now())

    with _database():
        imported = _wait(bring_in(_text_of(file)))
    for problem in imported.problems:
        said = words(problem.code_key, "en", **problem.params)
        print(f"{file}:{problem.line}: {said}", file=sys.stderr)
    if imported.problems:
        print("Nothing was imported.", file=sys.stderr)
        raise typer.Exit(1)
    print(words("codes.imported", "en", count=imported.count, shown=imported.count) + ".")


def _text_of(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as failure:
        print(f"{file} cannot be read: {failure}", file=sys.stderr)
        raise typer.Exit(1) from None


@codes.command("levels")
def show_levels() -> None:
    """How many codes each package has."""

    async def look() -> list[stock.Level]:
        async with transaction() as session:
            return await stock.levels(session)

    with _database():
        levels = _wait(look())
    print(f"{'':16}{'free':>8}{'demo':>8}{'reserved':>10}{'delivered':>11}")
    for level in levels:
        counts = f"{level.free:>8}{level.demo:>8}{level.reserved:>10}{level.delivered:>11}"
        print(f"{level.package_id:16}{counts}{_warning(level)}")


def _warning(level: stock.Level) -> str:
    if not level.free:
        return "  sold out"
    return "  running low" if stock.is_running_low(level) else ""


orders = typer.Typer(no_args_is_help=True, help="Orders.")
app.add_typer(orders, name="orders")


@orders.callback()
def of_orders() -> None:
    """Its one command keeps its name."""


@orders.command("refund")
def refund(
    purchase_code: str,
    reason: Annotated[str, typer.Option(help="why; the player reads it")],
) -> None:
    """Take the completed order PURCHASE_CODE back: the money first, then the coins, each once."""

    async def give_back() -> bool:
        async with transaction() as session:
            purchase = await shop.find_by_code(session, purchase_code)
            if purchase is not None:
                await shop.refund(session, None, purchase.id, reason, now=utc_now())
            return purchase is not None

    with _database():
        if not _wait(give_back()):
            print(f"There is no order {purchase_code}.", file=sys.stderr)
            raise typer.Exit(1)
    print(
        f"{purchase_code} is being refunded. The running app pays money back and sends the mail;"
        " coins alone are back already."
    )


ads = typer.Typer(no_args_is_help=True, help="Ads and their views.")
app.add_typer(ads, name="ads")


@ads.callback()
def of_ads() -> None:
    """Its one command keeps its name."""


@ads.command("credit-back")
def credit_back(
    view: UUID,
    reason: Annotated[str, typer.Option(help="why the view does not count")],
) -> None:
    """Give the company back what it paid for VIEW, once; the player keeps the coins."""

    async def give_back() -> None:
        async with transaction() as session:
            await review.credit_back(session, None, view, reason, now=utc_now())

    with _database():
        _wait(give_back())
    print(f"The company does not pay for {view}; its player keeps the coins.")


boards = typer.Typer(no_args_is_help=True, help="The leaderboard.")
app.add_typer(boards, name="leaderboard")


@boards.command("rebuild")
def rebuild_boards() -> None:
    """Make every board and streak anew from the ledger; the app may run meanwhile."""
    with _database():
        _wait(counting.rebuild(now=utc_now()))
    print("The leaderboard is made anew from the ledger.")


@boards.command("check")
def check_boards() -> None:
    """Prove that scores, ranks and totals are what the ledger adds up to."""

    async def check() -> int:
        async with transaction() as session:
            return await counting.check(session, now=utc_now())

    with _database():
        wrong = _wait(check())
    if wrong:
        print(f"The leaderboard differs from the ledger in {wrong} places.", file=sys.stderr)
        raise typer.Exit(1)
    print("The leaderboard is what the ledger adds up to.")


def _database() -> Any:
    """The database, whether the app is running on it or not."""
    return launch.database_for_a_command()


def _wait(work: Coroutine[Any, Any, Any]) -> Any:
    async def then_close() -> Any:
        try:
            done = await work
            await live.tell_now()
            return done
        finally:
            await dispose_engine()

    try:
        return asyncio.run(then_close())
    except DomainError as refusal:
        params = {
            name: said for name, said in refusal.params.items() if isinstance(said, str | int)
        }
        print(words(refusal.text_key, "en", **params), file=sys.stderr)
        raise typer.Exit(1) from None


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
