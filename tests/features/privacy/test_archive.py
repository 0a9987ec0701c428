"""The file itself, from its lines to its pieces: whole, flat, and quick to pack."""

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from isal import isal_zlib

from rewards_app.features.privacy import archive
from rewards_app.features.privacy.archive import Archive, Pieces

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MANY = 20_000


def many_rows(count: int = MANY) -> Iterator[bytes]:
    return (
        json.dumps({"number": number, "text": "Ж" * 20}).encode() + b"\n" for number in range(count)
    )


def an_archive(rows: int) -> tuple[bytes, list[int]]:
    """With one table; and how large its pieces were."""
    left: list[bytes] = []
    into = Archive(Pieces(lambda _, content: left.append(content)), NOON)
    with into.file("table.json") as entry:
        archive.as_json(archive.in_blocks(many_rows(rows)), entry)
    with into.file("table.csv") as entry:
        archive.as_lines(archive.in_blocks(many_rows(rows)), entry)
    into.end(dict.fromkeys(archive.EXPORTED, 0))
    return b"".join(left), [len(piece) for piece in left]


def read(content: bytes, name: str) -> bytes:
    return zipfile.ZipFile(io.BytesIO(content)).read(name)


def packed(content: bytes, name: str) -> bytes:
    """As it lies in the file."""
    about = zipfile.ZipFile(io.BytesIO(content)).getinfo(name)
    named = len(about.filename) + int.from_bytes(
        content[about.header_offset + 28 : about.header_offset + 30], "little"
    )
    begins = about.header_offset + 30 + named
    return content[begins : begins + about.compress_size]


class TestBlocks:
    def test_hold_every_line_once_and_in_order(self):
        blocks = list(archive.in_blocks(many_rows()))
        assert b"".join(block.lines for block in blocks) == b"".join(many_rows())
        assert sum(block.rows for block in blocks) == MANY
        assert len(blocks) > 1

    def test_are_of_one_size_however_many_lines_there_are(self):
        assert max(len(block.lines) for block in archive.in_blocks(many_rows())) < 70_000

    def test_hold_a_line_that_is_larger_than_a_block(self):
        blocks = list(archive.in_blocks([b"a\n", b"b" * 500_000 + b"\n", b"c\n"]))
        assert [block.rows for block in blocks] == [2, 1]

    def test_of_nothing_are_none(self):
        assert list(archive.in_blocks([])) == []


class TestFile:
    @pytest.mark.parametrize("rows", [0, 1, 2, MANY])
    def test_is_an_array_with_a_row_in_each_line(self, rows: int):
        written = read(an_archive(rows)[0], "table.json")
        assert json.loads(written) == [json.loads(row) for row in many_rows(rows)]
        assert len(written.splitlines()) == (rows + 2 if rows else 1)

    def test_is_what_the_manifest_says(self):
        content, _ = an_archive(MANY)
        for file in json.loads(read(content, "manifest.json"))["files"]:
            found = read(content, file["path"])
            assert len(found) == file["bytes"]
            assert hashlib.sha256(found).hexdigest() == file["sha256"]

    def test_names_the_manifest_last(self):
        names = zipfile.ZipFile(io.BytesIO(an_archive(1)[0])).namelist()
        assert names == ["table.json", "table.csv", "manifest.json"]

    def test_leaves_in_pieces_of_one_size(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(archive, "PIECE", 1000)
        _, sizes = an_archive(MANY)
        assert set(sizes[:-1]) == {1000}
        assert 0 < sizes[-1] <= 1000


class TestPacking:
    def test_is_standard_deflate(self):
        content, _ = an_archive(MANY)
        lines = b"".join(many_rows())
        assert zlib.decompress(packed(content, "table.csv"), archive.RAW) == lines

    def test_is_the_quick_one(self):
        """It is put where zipfile keeps its own: moved elsewhere, nothing would fail but time."""
        content, _ = an_archive(MANY)
        packer = isal_zlib.compressobj(archive.QUICKLY, isal_zlib.DEFLATED, archive.RAW)
        blocks = archive.in_blocks(many_rows())
        expected = b"".join([*(packer.compress(block.lines) for block in blocks), packer.flush()])
        assert packed(content, "table.csv") == expected

    def test_makes_text_small(self):
        content, _ = an_archive(MANY)
        assert len(content) < 2 * len(b"".join(many_rows())) / 5
