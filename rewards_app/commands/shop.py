"""The shop: its stock of gift codes, and orders that are taken back."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from rewards_app.backups import keeping
from rewards_app.commands.running import database, wait
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.settings import settings
from rewards_app.features.shop import code_sheet, stock
from rewards_app.features.shop import service as shop
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
    _end_if_bad(file, imported.problems, "Nothing was imported.")
    print(words("codes.imported", "en", count=imported.count, shown=imported.count) + ".")


def _end_if_bad(file: Path, problems: Sequence[code_sheet.Problem], outcome: str) -> None:
    for problem in problems:
        said = words(problem.code_key, "en", **problem.params)
        print(f"{file}:{problem.line}: {said}", file=sys.stderr)
    if problems:
        print(outcome, file=sys.stderr)
        raise typer.Exit(1)


def _text_of(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as failure:
        print(f"{file} cannot be read: {failure}", file=sys.stderr)
        raise typer.Exit(1) from None


@codes.command("delivered")
def show_delivered(
    keep: Annotated[
        bool, typer.Option("--keep", help="add them to the list beside the backups instead")
    ] = False,
) -> None:
    """Print marks of the codes that were given to somebody, for 'rewards codes withhold'."""
    with database():
        found = wait(stock.given())
    if keep:
        print(f"{len(found)} are on the list {keeping.keep_delivered(found)}.")
        return
    for line in found:
        print(line)


@codes.command("withhold")
def withhold(
    file: Annotated[
        Path | None, typer.Argument(help="the list that 'rewards codes delivered' made")
    ] = None,
    first: Annotated[
        int | None, typer.Option(min=1, help="so many of each package, those that are sold next")
    ] = None,
    is_all: Annotated[bool, typer.Option("--all", help="all that are in stock")] = False,
) -> None:
    """After a restored backup: sell no code again that somebody has, or may have, since.

    The list FILE names them; where there is none, say how many, or all.
    """
    if [file is not None, first is not None, is_all].count(True) != 1:
        raise typer.BadParameter("name a list, or say --first N, or --all: one of them")
    marks = _marks_in(file) if file else []
    with database():
        done = wait(_withhold(marks, None if is_all else first, by_list=file is not None))
    print(f"{done.count} codes are withheld, and sold no more.")
    if done.unknown:
        print(
            f"{done.unknown} on the list came into stock after this database's moment. Import their"
            " sheets again, then run this once more: both before the app starts. Where an import"
            " says that they were brought in before, they were marked with a key of before: put it"
            " into SECRET_KEYS_BEFORE."
        )


def _marks_in(file: Path) -> list[str]:
    """Nothing is withheld before every line is understood."""
    lines = [line.strip() for line in _text_of(file).splitlines()]
    for number, line in enumerate(lines, 1):
        if not all(map(stock.MARK.fullmatch, line.split())):
            print(f"{file}:{number}: not the mark of a code. Nothing was done.", file=sys.stderr)
            raise typer.Exit(1)
    return [line for line in lines if line]


async def _withhold(marks: list[str], most: int | None, *, by_list: bool) -> stock.Withheld:
    async with transaction() as session:
        if by_list:
            return await stock.withhold(session, marks, now=utc_now())
        return stock.Withheld(await stock.withhold_next(session, most, now=utc_now()), unknown=0)


@codes.command("release")
def release(file: Path) -> None:
    """Sell withheld codes after all: those of FILE, a CSV as for 'import', that nobody used."""

    async def let_go(text: str) -> stock.Released:
        async with transaction() as session:
            return await stock.release(session, text, now=utc_now())

    with database():
        done = wait(let_go(_text_of(file)))
    _end_if_bad(file, done.problems, "Nothing was released.")
    print(f"{done.count} codes are sold again.")
    if done.others:
        print(
            f"{done.others} of the file stay as they are: somebody has or had them, or they were"
            " not withheld."
        )
    if done.unknown:
        print(f"{done.unknown} of the file never came into this stock, and stay out of it.")


@codes.command("levels")
def show_levels() -> None:
    """How many codes each package has."""

    async def look() -> list[stock.Level]:
        async with transaction() as session:
            return await stock.levels(session)

    with database():
        levels = wait(look())
    print(f"{'':16}{'free':>8}{'demo':>8}{'reserved':>10}{'delivered':>11}{'withheld':>10}")
    for level in levels:
        counts = f"{level.free:>8}{level.demo:>8}{level.reserved:>10}{level.delivered:>11}"
        print(f"{level.package_id:16}{counts}{level.withheld:>10}{_warning(level)}")


def _warning(level: stock.Level) -> str:
    if not level.is_sold:
        return "  sold no more"
    if level.is_sold_out:
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
