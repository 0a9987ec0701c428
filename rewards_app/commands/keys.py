"""Another SECRET_KEY: which keys the database still needs, and how it comes to need one alone."""

import sys

import typer

from rewards_app.commands.running import database, wait
from rewards_app.core.database import transaction
from rewards_app.features.privacy import resealing

keys = typer.Typer(no_args_is_help=True, help="SECRET_KEY and what is sealed with it.")


@keys.command("check")
def check() -> None:
    """Say what earlier keys have sealed; exit 1 while anything needs one."""
    with database():
        found = wait(_standings())
    for one in found:
        if one.earlier or one.unknown:
            counts = f"{one.earlier} sealed with earlier keys, {one.unknown} with none here"
            print(f"{one.place}: {counts}")
    if any(one.unknown for one in found):
        print("Put the key they were sealed with into SECRET_KEYS_BEFORE.", file=sys.stderr)
        raise typer.Exit(1)
    if any(one.earlier for one in found):
        print("Run 'rewards keys reseal'.", file=sys.stderr)
        raise typer.Exit(1)
    print(f"All {sum(one.present for one in found)} sealed values need the present key alone.")


async def _standings() -> list[resealing.Standing]:
    async with transaction() as session:
        return await resealing.standings(session)


@keys.command("reseal")
def reseal() -> None:
    """Seal everything with the present key; the app may run meanwhile."""
    with database():
        done = wait(resealing.reseal())
    print(f"{done['resealed']} values are sealed anew, {done['marked']} codes are marked anew.")
    if done["not_opened"]:
        print(f"{done['not_opened']} values open with no key that is here.", file=sys.stderr)
        raise typer.Exit(1)
