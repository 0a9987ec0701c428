"""The books: coins, money, what companies pay, the places of players, the audit log."""

import sys
from typing import Annotated
from uuid import UUID

import typer

from rewards_app.commands.running import database, wait
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.advertiser import books, review
from rewards_app.features.advertiser import invoices as invoicing
from rewards_app.features.advertiser.billing_rules import invoice_name
from rewards_app.features.audit import service as audit
from rewards_app.features.coins import service as coins
from rewards_app.features.leaderboard import counting
from rewards_app.features.shop import books as shop_books

LARGEST_NUMBER = 99_999_999
"""A slip of the finger must not use up all numbers that there are."""

audit_log = typer.Typer(no_args_is_help=True, help="The audit log.")


@audit_log.callback()
def of_audit_log() -> None:
    """Its one command keeps its name."""


@audit_log.command("check")
def check_audit_log() -> None:
    """Prove that no line of the audit log was changed, added or taken out; prints its last hash."""

    async def check() -> audit.Check:
        async with transaction() as session:
            return await audit.check(session)

    with database():
        found = wait(check())
    if not found.is_clean:
        print(f"Entry {found.broken_at} does not follow from the one before it.", file=sys.stderr)
        raise typer.Exit(1)
    print(f"The audit log is whole: {found.entries} entries. Its last hash is {found.head}.")
    if found.erased:
        print(f"The words of {found.erased} entries are erased; that they were written is proven.")


ledger = typer.Typer(no_args_is_help=True, help="Coins and orders: the books.")


@ledger.command("check")
def check_ledger() -> None:
    """Prove that coins, money and codes are where they should be; fails with each that is not."""

    async def check() -> tuple[coins.Audit, shop_books.Audit, books.Audit]:
        async with transaction() as session:
            return (
                await coins.check(session),
                await shop_books.check(session),
                await books.check(session),
            )

    with database():
        balances, orders, companies = wait(check())
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


invoices = typer.Typer(no_args_is_help=True, help="Invoices of companies.")


@invoices.callback()
def of_invoices() -> None:
    """Its one command keeps its name."""


@invoices.command("next")
def next_invoice(
    number: Annotated[int, typer.Argument(min=1, max=LARGEST_NUMBER)],
) -> None:
    """After a restored backup: give the next invoice NUMBER, and none that was given since."""

    async def go_on() -> bool:
        async with transaction() as session:
            return await invoicing.go_on_at(session, number, now=utc_now())

    with database():
        went_on = wait(go_on())
    if not went_on:
        print(f"{number} is the next one already, or was given: they go forward.", file=sys.stderr)
        raise typer.Exit(1)
    print(f"The next invoice is {invoice_name(number)}.")


ads = typer.Typer(no_args_is_help=True, help="Ads and their views.")


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

    with database():
        wait(give_back())
    print(f"The company does not pay for {view}; its player keeps the coins.")


boards = typer.Typer(no_args_is_help=True, help="The leaderboard.")


@boards.command("rebuild")
def rebuild_boards() -> None:
    """Make every board and streak anew from the ledger; the app may run meanwhile."""
    with database():
        wait(counting.rebuild(now=utc_now()))
    print("The leaderboard is made anew from the ledger.")


@boards.command("check")
def check_boards() -> None:
    """Prove that scores, ranks and totals are what the ledger adds up to."""

    async def check() -> int:
        async with transaction() as session:
            return await counting.check(session, now=utc_now())

    with database():
        wrong = wait(check())
    if wrong:
        print(f"The leaderboard differs from the ledger in {wrong} places.", file=sys.stderr)
        raise typer.Exit(1)
    print("The leaderboard is what the ledger adds up to.")
