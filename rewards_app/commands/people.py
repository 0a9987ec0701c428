"""Accounts: their roles, how they are let in, and how they are deleted."""

import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from rewards_app.backups import keeping
from rewards_app.commands.running import database, wait
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import addresses, age, closing, rules
from rewards_app.features.accounts import service as accounts
from rewards_app.features.advertiser import leaving
from rewards_app.features.audit import service as audit
from rewards_app.features.factors import resets
from rewards_app.features.privacy import erasing
from rewards_app.features.waitlist import service as waitlist

app = typer.Typer()


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

    with database():
        if not wait(change()):
            print(f"There is no account with the email {email}.", file=sys.stderr)
            raise typer.Exit(1)
    print(f"{email} is now {role.value}.")


@app.command("bring-back")
def bring_back(
    email: str,
    to: Annotated[str, typer.Option(help="the address of its owner")],
    reason: Annotated[str, typer.Option(help="why, for the audit log")],
) -> None:
    """Give the account of EMAIL its owner's address again, after somebody else moved it.

    Its password, its providers and its sessions open nothing any more; both addresses have a mail.
    """

    addresses.take_along(waitlist.move)

    async def move() -> bool:
        async with transaction() as session:
            return await addresses.bring_back(session, email, to, reason, now=utc_now())

    with database():
        try:
            is_known = wait(move())
        except rules.AddressTakenMeanwhile:
            print(f"Another account has {to}. Nothing was changed.", file=sys.stderr)
            raise typer.Exit(1) from None
        except (rules.BadEmail, rules.DisposableEmail):
            print(f"{to} is no address that mail could go to.", file=sys.stderr)
            raise typer.Exit(1) from None
    if not is_known:
        print(f"There is no account with the email {email}.", file=sys.stderr)
        raise typer.Exit(1)
    print(f"The account is at {to} again. Its owner chooses a new password by mail.")


@app.command("ask-birth-date")
def ask_birth_date(
    email: str,
    reason: Annotated[str, typer.Option(help="why, for the audit log")],
) -> None:
    """Forget the birth date of EMAIL, which was mistyped; its owner is asked for it anew."""

    async def ask() -> bool:
        async with transaction() as session:
            account_id = await closing.id_of(session, email.strip().lower())
            if account_id:
                await age.ask_again(session, None, account_id, reason, now=utc_now())
            return account_id is not None

    with database():
        is_known = wait(ask())
    if not is_known:
        print(f"There is no account with the email {email}.", file=sys.stderr)
        raise typer.Exit(1)
    print(f"{email} is asked for the birth date again.")


@app.command()
def erase(
    email: str,
    now: Annotated[bool, typer.Option("--now", help="do not wait 30 days: for good")] = False,
) -> None:
    """Delete the account of EMAIL as its owner would; with --now forget its owner at once."""
    with database():
        due = wait(_erase(email.strip().lower(), at_once=now))
        forgotten = wait(erasing.forgotten()) if now else []
    if due is None:
        print(f"There is no account with the email {email}.", file=sys.stderr)
        raise typer.Exit(1)
    print("Forgotten." if now else f"Closed. It is erased on {due.date()}, if nobody keeps it.")
    keeping.keep_forgotten_if_kept(forgotten)


@app.command()
def forgotten(
    keep: Annotated[
        bool, typer.Option("--keep", help="add them to the list beside the backups instead")
    ] = False,
) -> None:
    """Print the ids of accounts whose owners are forgotten, for 'rewards forget-again'."""
    with database():
        found = wait(erasing.forgotten())
    if keep:
        print(f"{len(found)} are on the list {keeping.keep_forgotten(found)}.")
        return
    for account_id in found:
        print(account_id)


@app.command("forget-again")
def forget_again(file: Path) -> None:
    """After a restored backup: forget those again whose ids are in FILE, one a line."""
    closing.hide_too(leaving.LEAVING)
    ids = _ids_in(file)
    with database():
        again = wait(erasing.forget_again(ids, now=utc_now()))
    print(f"{again.done} of {len(ids)} were there again, and are forgotten.")
    for account_id, why in again.failed.items():
        print(f"{account_id} was not: {why}.")
    if again.failed:
        raise typer.Exit(1)


def _ids_in(file: Path) -> list[UUID]:
    """Nobody is forgotten before every line is understood."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as failure:
        print(f"{file} cannot be read: {failure}.", file=sys.stderr)
        raise typer.Exit(1) from None
    ids: list[UUID] = []
    for number, line in enumerate(map(str.strip, lines), 1):
        try:
            ids += [UUID(line)] if line else []
        except ValueError:
            print(f"{file}:{number}: not the id of an account. Nothing was done.", file=sys.stderr)
            raise typer.Exit(1) from None
    return ids


async def _erase(email: str, *, at_once: bool) -> datetime | None:
    """When it is, or was, erased; None where there is no such account."""
    closing.hide_too(leaving.LEAVING)
    async with transaction() as session:
        account_id = await closing.id_of(session, email)
        if account_id is None:
            return None
        # Who is forgotten at once hears that alone: the other letter names a day, and whoever
        # takes it from the queue now would hold the end up.
        due = await closing.close(session, account_id, is_silent=at_once, now=utc_now())
        about = f"account:{account_id}"
        await audit.record(session, None, audit.Action.ACCOUNT_CLOSED, about, now=utc_now())
    if at_once:
        await _forget(account_id)
    return due


async def _forget(account_id: UUID) -> None:
    origin = audit.Origin.COMMAND_LINE
    try:
        await erasing.erase(account_id, is_urgent=True, origin=origin, now=utc_now())
    except erasing.NotYet as failure:
        raise erasing.NotYet(
            f"The account is closed, and not erased yet: run this again. {failure}"
        ) from failure


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

    with database():
        was_on = wait(turn_off())
    print(f"Two-factor of {email} is off." if was_on else f"{email} had no second factor.")
