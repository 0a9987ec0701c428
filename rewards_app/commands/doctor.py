"""`rewards doctor`: what is wrong with a deployment, and what to do. It changes nothing."""

from typing import Annotated

import typer

from rewards_app.commands.running import wait
from rewards_app.core.clock import utc_now
from rewards_app.core.embedded import CannotStart
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
    return [
        *configuration.findings(chosen, workers=worker_count(chosen)),
        *configuration.demo_file(accounts_file(), chosen),
        *here.disks(chosen),
        *here.backups(chosen, now=utc_now()),
        here.frontend(),
        *_stored(),
        *wait(neighbours.findings(chosen)),
    ]


def _stored() -> list[Finding]:
    try:
        with database_that_runs():
            return wait(stored.findings())
    except CannotStart:
        said = f"the database in {settings().data_dir} does not run: start the app first."
        return [wrong(f"DATABASE_URL is not set, and {said}")]
