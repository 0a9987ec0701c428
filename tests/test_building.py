"""The pages that a server of the tests is given are those that it would have built itself."""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from rewards_app.ui.chunks import COMMON, ICONS, OF_ALL, in_few_files
from tests.building import BUILT, NOBODYS, PROJECT
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


AS_ANOTHER = """
import os, sys
from rewards_app import build
os.geteuid() or os.setuid(65534)
build._refuse_others_folder()
"""


class TestAFolderOfSomebodyElse:
    def test_is_named_with_whose_it_is(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            os.chmod(folder, 0o555)
            done = subprocess.run(
                [sys.executable, "-c", AS_ANOTHER],
                env={**os.environ, "REFLEX_WEB_WORKDIR": folder},
                capture_output=True,
                text=True,
                cwd=PROJECT,
            )
            assert done.returncode == 1
            assert (
                f"BuildFailed: {folder} belongs to another user, {Path(folder).owner()}"
                in done.stderr
            )


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


class TestScripts:
    def test_what_pages_have_in_common_comes_as_a_whole(self, served: Served):
        page = (pages_of(served) / "build/client/shop/index.html").read_text()
        asked = set(re.findall(r"/assets/([\w.-]+)\.js", page))
        for whole in (COMMON, OF_ALL):
            assert [name for name in asked if name.startswith(f"{whole}-")]
        assert len(asked) <= 13, asked

    def test_icons_of_several_pages_come_together(self, served: Served):
        files = [file.name for file in (pages_of(served) / "build/client/assets").glob("*.js")]
        # Behind the name stand a dash and eight letters of what is inside.
        cut = {name[: -len("-12345678.js")] for name in files}
        icons = {
            file.stem for file in (BUILT / "node_modules/lucide-react/dist/esm/icons").iterdir()
        }
        ours = {file.stem for file in (PROJECT / "assets").glob("*.js")}
        assert {"house", "trophy"} <= icons
        assert {COMMON, ICONS} <= cut
        assert not cut & icons - ours

    def test_what_no_page_uses_stays_out(self, served: Served):
        """State in cookies, uploads, themes of Emotion's, events without a websocket."""
        said = b"".join(contents(pages_of(served) / "build/client/assets"))
        assert b"left out by rewards_app/ui/chunks.py" in said
        assert b"cookieStore" not in said
        assert b"Upload already in progress" not in said
        assert b"getDefaultProps" not in said
        assert b"WebTransport" not in said
        assert b"xhr poll error" not in said

    @pytest.mark.parametrize(
        "configuration", ["", "groups: [] groups: []", "groups: [] alias: []" * 2]
    )
    def test_a_builder_that_is_told_otherwise_says_so(self, configuration: str):
        with pytest.raises(ValueError, match="no single place"):
            in_few_files(configuration)
