"""What a browser tells of itself when an ad starts: the module of the pages itself, run by bun."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rewards_app.core.access import LONGEST_LINE

BUN = Path(sys.executable).parent / "bun"
MODULE = Path(__file__).parents[3] / "assets" / "fingerprint.js"
TELL = f"""
import {{ fingerprint }} from {json.dumps(str(MODULE))};
globalThis.screen = {{ width: 2560, height: 1440 }};
const userAgent = await Bun.stdin.text();
Object.defineProperty(globalThis, "navigator", {{ value: {{ userAgent }} }});
console.log(JSON.stringify(fingerprint()));
"""


def told(user_agent: str, zone: str) -> str:
    done = subprocess.run(
        [str(BUN), "-e", TELL],
        input=user_agent,
        env=os.environ | {"TZ": zone},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize(("zone", "offset"), [("Asia/Tokyo", "-540"), ("Etc/GMT+3", "180")])
def test_is_the_browser_its_screen_and_its_distance_from_utc(zone: str, offset: str):
    assert told("Mozilla/5.0 (X11)", zone) == f"Mozilla/5.0 (X11) 2560x1440 {offset}"


def test_is_never_longer_than_the_gate_takes():
    assert len(told("x" * 1000, "Asia/Tokyo")) == LONGEST_LINE
