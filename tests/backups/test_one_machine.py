"""Back again where `rewards run` has its own database: the lines of the handbook, as they are."""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from rewards_app.features.shop.demo import DEMO_ORDERS
from tests import scratch
from tests.serving import PROJECT, rewards_once_loaded

HANDBOOK = (PROJECT / "docs/operating.md").read_text("utf-8")
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def block_of(heading: str, word: str) -> str:
    """The first one below the heading that says the word."""
    section = HANDBOOK.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return next(block for block in BLOCK.findall(section) if word in block)


class Machine:
    """Folders of one small machine, with the demo's people in its database."""

    def __init__(self, folder: Path) -> None:
        self.data, self.backups = folder / "data", folder / "backups"
        self.backups.mkdir()
        places = {"DATA_DIR": str(self.data), "BACKUP_DIR": str(self.backups)}
        inherited = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
        self.environment = inherited | places

    def types(self, lines: str) -> subprocess.CompletedProcess[str]:
        """What root's shell does of it; the unit does not run, and is told so."""
        here = lines.replace("/var/backups/watchcoins", str(self.backups))
        here = here.replace("/var/lib/watchcoins", str(self.data))
        rewards = shlex.join(rewards_once_loaded())
        stand_ins = f'rewards() {{ {rewards} "$@"; }}\nsystemctl() {{ echo "systemctl $*"; }}\n'
        return subprocess.run(
            ["bash", "-euc", stand_ins + here],
            cwd=PROJECT,
            env=self.environment,
            text=True,
            capture_output=True,
        )

    def does(self, lines: str) -> str:
        done = self.types(lines)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def email_of(self, role: str) -> str:
        rows = json.loads((self.data / "demo-accounts.json").read_text())
        [found] = [row["email"] for row in rows if row["role"] == role]
        return found


@pytest.fixture
def machine() -> Iterator[Machine]:
    folder = Path(scratch.a_folder())
    made = Machine(folder)
    made.does("rewards seed")
    yield made
    scratch.remove(folder)


def test_a_backup_takes_the_place_of_the_database_and_who_was_forgotten_stays_so(
    machine: Machine,
):
    player, company = machine.email_of("player"), machine.email_of("company")
    machine.does("rewards backup make")
    # After it, and on no backup's list but the one that the lines themselves write.
    machine.does(f"rewards promote {company} --role moderator")
    machine.does(f"BACKUP_DIR= rewards erase {player} --now")
    said = machine.does(block_of("One small machine", "import"))
    assert "systemctl stop watchcoins\n" in said
    [before] = machine.data.glob("postgres-before-*")
    assert (before / "PG_VERSION").exists()
    said = machine.does(block_of("Restore", "forget-again"))
    assert "1 of 1 were there again, and are forgotten." in said
    assert "0 codes are withheld" in said
    assert len((machine.backups / "delivered").read_text().split()) == len(DEMO_ORDERS)
    # As it was at the backup, and everybody but the forgotten one is there.
    assert machine.types(f"rewards promote {player} --role player").returncode == 1
    said = machine.does("rewards ledger check; rewards audit check")
    assert said
