"""Recipes of the handbook, followed literally in a copy of the project.

Every block whose first line names a file is written there, every `sh` block is run.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

PROJECT = Path(__file__).parents[1]
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
NAMES_A_FILE = re.compile(r"# ([\w./-]+\.(?:py|toml))")
LEFT_OUT = (".git", ".venv", ".web", ".build", "data", "__pycache__", ".hypothesis", "*.tmp")

Done = subprocess.CompletedProcess[str]


def blocks(file: str, heading: str = "") -> list[tuple[str, str]]:
    """The language and the text of each block, after `heading` where one is named."""
    text = (PROJECT / file).read_text("utf-8")
    return BLOCK.findall(text.partition(heading)[2] if heading else text)


def copy_of_project(folder: Path) -> Path:
    shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    (folder / ".venv").symlink_to(PROJECT / ".venv")
    return folder


def follow(folder: Path, recipe: Iterable[tuple[str, str]]) -> None:
    for language, block in recipe:
        first_line, _, rest = block.partition("\n")
        if language == "sh":
            subprocess.run(
                ["bash", "-euc", block], cwd=folder, env=_surroundings(folder), check=True
            )
        elif named := NAMES_A_FILE.fullmatch(first_line):
            file = folder / named[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(rest, "utf-8")


def run(folder: Path, *command: str) -> Done:
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=_surroundings(folder),
        text=True,
        capture_output=True,
    )


def _surroundings(folder: Path) -> dict[str, str]:
    """Nothing of the run that follows the recipe, and the copy's own modules."""
    inherited = ("DATABASE_URL", "REFLEX_WEB_WORKDIR")
    return {k: v for k, v in os.environ.items() if k not in inherited} | {"PYTHONPATH": str(folder)}
