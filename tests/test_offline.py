"""The page for a lost connection, and the worker that shows it, as the builder leaves them."""

import gzip
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rewards_app import documents, offline
from rewards_app.i18n.languages import CODES
from rewards_app.i18n.mail_text import words

ASSETS = Path(__file__).parents[1] / "assets"


class Mains(HTMLParser):
    """What each language's part says, by its language; and which of them are hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.said: dict[str, list[str]] = {}
        self.hidden: set[str] = set()
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "main":
            self.inside = dict(attrs)["lang"] or ""
            self.said[self.inside] = []
            if "hidden" in dict(attrs):
                self.hidden.add(self.inside)

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.said[self.inside].append(data)


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "root-CM8-3q_R.js").touch()
    for name in ("sw.js", "offline.js", "favicon.svg"):
        shutil.copy(ASSETS / name, tmp_path)
    offline.finish(tmp_path)
    return tmp_path


def name_in(worker: Path) -> str:
    found = offline.NAME.search(worker.read_text())
    assert found
    return found.group()


class TestThePage:
    def test_says_in_every_language_what_the_catalogue_says(self):
        page = Mains()
        page.feed(offline.document())
        assert page.said == {
            code: [words(f"offline.{key}", code) for key in ("title", "text", "hint", "again")]
            for code in CODES
        }
        assert page.hidden == {*CODES} - {"en"}

    def test_has_no_script_of_its_own_and_asks_for_nothing_foreign(self):
        document = offline.document()
        assert document.count("<script") == document.count('<script src="/offline.js">') == 1
        assert "http" not in document
        assert "url(" not in document

    def test_is_no_page_of_the_app(self, built: Path):
        assert documents.found_in(built) == {}


class TestTheWorker:
    def test_bears_the_name_of_its_build_packed_and_unpacked(self, built: Path):
        assert offline.name_of_build(built) in name_in(built / "sw.js")
        packed = (built / "sw.js.gz").read_bytes()
        assert gzip.decompress(packed) == (built / "sw.js").read_bytes()

    def test_has_another_name_when_any_file_of_the_build_is_another(self, built: Path):
        before = name_in(built / "sw.js")
        (built / "assets" / "root-CM8-3q_R.js").rename(built / "assets" / "root-B1keVz0A.js")
        offline.finish(built)
        assert name_in(built / "sw.js") != before

    @pytest.mark.parametrize("kept", offline.KEPT[1:])
    def test_has_another_name_when_what_it_always_keeps_is_another(self, built: Path, kept: str):
        before = name_in(built / "sw.js")
        (built / kept).write_text("another one")
        offline.finish(built)
        assert name_in(built / "sw.js") != before

    def test_always_keeps_what_the_name_stands_for(self):
        always = re.search(r"^const ALWAYS = .*$", (ASSETS / "sw.js").read_text(), re.MULTILINE)
        assert always
        named = ["OFFLINE", *(f'"/{name}"' for name in offline.KEPT[1:])]
        assert always.group() == f"const ALWAYS = [{', '.join(named)}];"

    def test_twice_is_as_good_as_once(self, built: Path):
        before = {file: file.read_bytes() for file in built.rglob("*") if file.is_file()}
        offline.finish(built)
        assert {file: file.read_bytes() for file in built.rglob("*") if file.is_file()} == before

    def test_of_the_sources_has_no_name_yet(self):
        assert 'const BUILD = "";' in (ASSETS / "sw.js").read_text()
