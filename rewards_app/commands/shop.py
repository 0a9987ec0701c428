"""The shop: its stock of gift codes, and orders that are taken back."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from rewards_app.commands.running import database, wait
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.settings import settings
from rewards_app.features.shop import service as shop
from rewards_app.features.shop import stock
from rewards_app.i18n.mail_text import words
from rewards_app.server import CannotRun

codes = typer.Typer(no_args_is_help=True, help="Gift codes: the stock.")


@codes.command("import")
def import_codes(
    file: Path,
    demo: Annotated[bool, typer.Option("--demo", help="codes that no game accepts")] = False,
) -> None:
    """Bring in the codes of FILE, a CSV with the columns package and code: all of them, or none."""
    if demo and settings().is_production:
        raise CannotRun(
            "MODE is production: codes that no game accepts are not sold here. Nothing came in."
        )

    async def bring_in(text: str) -> stock.Imported:
        async with transaction() as session:
            return await stock.import_sheet(session, text, None, is_demo=demo, now=utc_now())

    with database():
        imported = wait(bring_in(_text_of(file)))
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

    with database():
        levels = wait(look())
    print(f"{'':16}{'free':>8}{'demo':>8}{'reserved':>10}{'delivered':>11}")
    for level in levels:
        counts = f"{level.free:>8}{level.demo:>8}{level.reserved:>10}{level.delivered:>11}"
        print(f"{level.package_id:16}{counts}{_warning(level)}")


def _warning(level: stock.Level) -> str:
    if not level.free:
        return "  sold out"
    return "  running low" if stock.is_running_low(level) else ""


orders = typer.Typer(no_args_is_help=True, help="Orders.")


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

    with database():
        if not wait(give_back()):
            print(f"There is no order {purchase_code}.", file=sys.stderr)
            raise typer.Exit(1)
    print(
        f"{purchase_code} is being refunded. The running app pays money back and sends the mail;"
        " coins alone are back already."
    )
