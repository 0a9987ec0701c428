"""`python -m bench [name …]`: measure all of it, or the named benches."""

import logging
import sys

import structlog

from bench import (
    admin_lists,
    analytics,
    completions,
    dashboards,
    event_round_trip,
    export,
    failover,
    forum,
    fraud,
    history,
    hydration,
    idle_tabs,
    landing_transfer,
    leaderboard,
    lighthouse,
    mixed_load,
    moderation,
    purchases,
    report,
    revocation,
    second_start,
    serving,
    shop_events,
    sign_ins,
    tab_memory,
    unit_costs,
    watchers,
    workers,
)
from bench.sites import sites

BENCHES = {
    "event_round_trip": event_round_trip.measure,
    "landing_transfer": landing_transfer.measure,
    "lighthouse": lighthouse.measure,
    "hydration": hydration.measure,
    "tab_memory": tab_memory.measure,
    "unit_costs": unit_costs.measure,
    "second_start": second_start.measure,
    "completions": completions.measure,
    "watchers": watchers.measure,
    "dashboards": dashboards.measure,
    "shop_events": shop_events.measure,
    "purchases": purchases.measure,
    "history": history.measure,
    "analytics": analytics.measure,
    "serving": serving.measure,
    "fraud": fraud.measure,
    "admin_lists": admin_lists.measure,
    "moderation": moderation.measure,
    "leaderboard": leaderboard.measure,
    "forum": forum.measure,
    "export": export.measure,
    "revocation": revocation.measure,
    "sign_ins": sign_ins.measure,
    "workers": workers.measure,
    "idle_tabs": idle_tabs.measure,
    "mixed_load": mixed_load.measure,
    "failover": failover.measure,
}


def main(names: list[str]) -> None:
    # Whoever is signed in to be measured needs no line of its own.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    if unknown := set(names) - set(BENCHES):
        sys.exit(f"No such bench: {', '.join(unknown)}. There are: {', '.join(BENCHES)}")
    measured: dict[str, list[report.Row]] = {}
    with sites() as both:
        for name in names or BENCHES:
            print(f"Measuring {name} …", flush=True)
            measured[name] = BENCHES[name](both)
            # What is cut off later loses nothing of what is known by now.
            report.write(measured, list(BENCHES))
    rows = [row for found in measured.values() for row in found]
    print(f"\n{report.table(rows)}\n\nWritten to {report.FILE}")


if __name__ == "__main__":
    main(sys.argv[1:])
