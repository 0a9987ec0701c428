"""`rewards doctor`: what is wrong with a deployment, and what to do. It changes nothing."""

from collections.abc import Callable, Iterable
from typing import Annotated

import typer

from rewards_app.commands.running import wait
from rewards_app.core.clock import utc_now
from rewards_app.core.postgres.embedded import CannotStart
from rewards_app.core.settings import BadSettings, settings
from rewards_app.doctor import configuration, here, neighbours, outside, stored
from rewards_app.doctor.findings import Finding, is_anything_wrong, summary, wrong
from rewards_app.launch import database_that_runs
from rewards_app.seeding import accounts_file
from rewards_app.server import worker_count

NAME = "doctor"
app = typer.Typer()


@app.command(NAME)
def doctor(
    from_outside: Annotated[
        str, typer.Option(help="the address: what a browser sees there, and nothing else")
    ] = "",
) -> None:
    """Say what is wrong with this deployment, a line each; exit 1 if anything is."""
    found = wait(outside.findings(from_outside)) if from_outside else from_here()
    for finding in found:
        print(finding)
    print(summary(found))
    if is_anything_wrong(found):
        raise typer.Exit(1)


def from_here() -> list[Finding]:
    """Everything that can be seen beside the app, in the order in which it matters."""
    try:
        chosen = settings()
    except BadSettings as refusal:
        return [wrong(line) for line in str(refusal).splitlines()]
    looks: dict[str, Callable[[], Iterable[Finding]]] = {
        "the settings": lambda: configuration.findings(chosen, workers=worker_count(chosen)),
        "the demo accounts": lambda: configuration.demo_file(accounts_file(), chosen),
        "the disks": lambda: [*here.disks(chosen), *here.shared_disk(chosen)],
        "the backups": lambda: here.backups(chosen, now=utc_now()),
        "the copies": lambda: here.old_copies(chosen, now=utc_now()),
        "the database of before": lambda: here.own_database(chosen),
        "the frontend": lambda: [here.frontend()],
        "the database": _stored,
        "the neighbours": lambda: wait(neighbours.findings(chosen)),
    }
    return [finding for what, look in looks.items() for finding in _seen(what, look)]


def _seen(what: str, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """One that breaks is a finding, too, and hides no other."""
    try:
        return list(look())
    except Exception as failure:
        # Its words may have an address with a password in them; those of the system do not.
        said = type(failure).__name__
        if isinstance(failure, OSError) and failure.filename:
            said = f"{failure.filename}: {failure.strerror}"
        return [wrong(f"How it is with {what} could not be seen ({said}): put that right first.")]


def _stored() -> list[Finding]:
    try:
        with database_that_runs():
            return wait(stored.findings())
    except CannotStart:
        said = f"the database in {settings().data_dir} does not run: start the app first."
        return [wrong(f"DATABASE_URL is not set, and {said}")]
