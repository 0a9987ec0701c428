"""`rewards months`: what a role that only serves may not do, done by the owner's timer."""

from rewards_app import launch
from rewards_app.commands.running import database
from rewards_app.core.clock import utc_now
from rewards_app.core.postgres import months as cut
from rewards_app.core.postgres import rights, schema
from rewards_app.features.ads import old_months

ONLY_THE_OWNER = (
    "The tables belong to another role: nothing was changed. Their owner does it:"
    " 'systemctl start watchcoins-months', or 'docker compose run --rm migrate months'."
)


def months() -> None:
    """Make room for the next months, and let go of what is older than it is kept."""
    now = utc_now()
    with database():
        schema.refuse_outdated()
        with launch.changing_tables():
            if not cut.may_change():
                raise rights.NotTheOwner(ONLY_THE_OWNER)
            made = cut.make_ahead(now=now)
            cut.count_anew()
            gone = old_months.let_go(now=now)
    print(f"Months made: {made}, cut off: {gone['cut_off']}, dropped: {gone['dropped']}.")
