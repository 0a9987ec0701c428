"""In which order the tests are run, and which files are run by one and the same process."""

from pathlib import Path

from xdist.scheduler import LoadFileScheduling

SLOWEST_FIRST = (
    # One builds the frontend for all, the other one has something to do meanwhile.
    *("faults/test_kills.py", "architecture/test_house_rules.py"),
    *("architecture/test_readme.py", "test_cli.py"),
    *("chaos", "faults", "browser", "hostile", "features/shop", "architecture", "api", "core"),
)
"""Files, and folders of them, that build or wait for films, servers and clocks: what is quick
fills up the end, where a long file would leave the other core with nothing to do."""
TWO_WORKERS = {
    f"tests/{name}.py"
    for name in (
        *("faults/test_redis", "browser/test_forgetting"),
        *("browser/test_stripe", "hostile/test_workers"),
    )
}
"""Files whose tests ask for the app with two workers: each process would start its own."""


def slowness(file: Path) -> int:
    """The place of a file below this folder."""
    names = [one.as_posix() for one in (file, *file.parents)]
    found = (SLOWEST_FIRST.index(name) for name in names if name in SLOWEST_FIRST)
    return next(found, len(SLOWEST_FIRST))


ATTACKED = {"tests/hostile/test_generated.py", "tests/hostile/test_routes.py"}
"""Files whose tests ask for the app that is theirs to attack."""
UMAMI = {"tests/browser/test_page_views.py", "tests/browser/test_admin_factor.py"}
"""Files whose tests ask for the app where Umami counts page views."""
SHARED = {"two workers": TWO_WORKERS, "attacked": ATTACKED, "umami": UMAMI}


class ByServer(LoadFileScheduling):
    """File by file, but for those that share a server."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return next((name for name, files in SHARED.items() if file in files), file)
