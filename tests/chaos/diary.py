"""What workers were answered: one line for each, written before anything else happens.

A worker that is killed leaves its lines behind: what stands there was acknowledged, and must hold.
"""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Diary:
    """`note` writes a line at once; several processes may write."""

    path: Path

    def note(self, what: str, **details: Any) -> None:
        line = f"\n{json.dumps({'what': what, **details})}\n"
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)

    def lines(self) -> dict[str, list[dict[str, Any]]]:
        """All that was noted, by what it is."""
        found = defaultdict[str, list[dict[str, Any]]](list)
        for line in self._written():
            found[line.pop("what")].append(line)
        return found

    def _written(self) -> Iterator[dict[str, Any]]:
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                # Half a line is of a worker that was killed in its midst, and had noted nothing.
                if line.endswith("}"):
                    yield json.loads(line)
