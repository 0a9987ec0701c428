"""The pages that a server of the tests is given are those that it would have built itself."""

import gzip
import json
from pathlib import Path

from tests.building import NOBODYS
from tests.serving import Served


def pages_of(served: Served) -> Path:
    return Path(served.environment["REFLEX_WEB_WORKDIR"])


def contents(folder: Path) -> list[bytes]:
    """What is said in each file, the packed ones unpacked."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [
        gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        for file in files
    ]


class TestPagesOfAServer:
    def test_lead_to_it_and_nowhere_else(self, served: Served):
        said = contents(pages_of(served))
        socket = f"ws://{served.url.removeprefix('http://')}/_event".encode()
        assert sum(socket in words for words in said) >= 2, "plain and packed"
        assert not any(NOBODYS.encode() in words for words in said)

    def test_are_current_so_that_it_builds_none(self, served: Served):
        stamp = json.loads((pages_of(served) / "built-from").read_text())
        assert stamp["address"] == served.url
        assert not (pages_of(served) / "node_modules").exists(), "only a build would bring them"
