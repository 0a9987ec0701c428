"""`rewards months`: what a role that only serves may not do, done by the owner's timer."""

from rewards_app import launch
from rewards_app.commands.running import database
from rewards_app.core import months as cut
from rewards_app.core import schema
from rewards_app.core.clock import utc_now
from rewards_app.features.ads import old_months


def months() -> None:
    """Make room for the next months, and let go of what is older than it is kept."""
    now = utc_now()
    with database():
        schema.refuse_outdated()
        with launch.changing_tables():
            made = cut.make_ahead(now=now)
            cut.count_anew()
            gone = old_months.let_go(now=now)
    print(f"Months made: {made}, cut off: {gone['cut_off']}, dropped: {gone['dropped']}.")
