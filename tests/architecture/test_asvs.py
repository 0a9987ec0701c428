"""The table of OWASP's standard is whole, adds up, and names only what there is."""

import ast
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
DOCUMENT = PROJECT / "docs" / "asvs.md"
LEVELS = Path(__file__).with_name("asvs_levels.txt")
"""Each requirement of level 1 and 2 of version 5.0.0 with its level, from OWASP's own list."""
STANDINGS = ("met", "in part", "not met", "does not apply")
BEGINNING = "| v5.0.0-"
CELLS = 6
NAMED = re.compile(r"`([^`]+)`")
FILE = re.compile(r"[\w./-]+/[\w.-]+\.\w+")
BY_READING, NOTHING = "reading", "–"


@dataclass(frozen=True, slots=True)
class Row:
    id: str
    level: str
    asked: str
    standing: str
    why: str
    proof: str

    @property
    def tests(self) -> list[str]:
        return NAMED.findall(self.proof)

    @property
    def files(self) -> list[str]:
        return [name for name in NAMED.findall(self.why) if FILE.fullmatch(name)]


def rows() -> list[Row]:
    lines = DOCUMENT.read_text("utf-8").splitlines()
    cells = [line.strip("|").split("|") for line in lines if line.startswith(BEGINNING)]
    assert {len(row) for row in cells} == {CELLS}
    return [Row(*(cell.strip() for cell in row)) for row in cells]


@cache
def names_in(file: str) -> frozenset[str]:
    """The tests of a file as pytest names them: `TestClass::test_name`, or the name alone."""
    body = ast.parse((PROJECT / file).read_text("utf-8")).body
    groups = [part for part in body if isinstance(part, ast.ClassDef)]
    grouped = {f"{one.name}::{name}" for one in groups for name in functions_of(one.body)}
    return frozenset(grouped | functions_of(body))


def functions_of(body: list[ast.stmt]) -> set[str]:
    return {part.name for part in body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))}


def is_there(test: str) -> bool:
    file, _, name = test.partition("::")
    return (PROJECT / file).is_file() and name in names_in(file)


class TestTheList:
    def test_has_as_many_as_the_standard(self):
        levels = [line.split()[1] for line in LEVELS.read_text("utf-8").splitlines()]
        assert Counter(levels) == {"1": 70, "2": 183}


class TestTheTable:
    def test_has_each_requirement_once_with_its_level_in_the_standards_order(self):
        known = [f"{row.id.removeprefix('v5.0.0-')} {row.level}" for row in rows()]
        assert known == LEVELS.read_text("utf-8").splitlines()

    def test_says_of_each_how_it_stands_and_why(self):
        assert [row.id for row in rows() if row.standing not in STANDINGS or not row.why] == []

    @pytest.mark.parametrize("standing", STANDINGS)
    def test_is_counted_right_at_its_head(self, standing: str):
        found = Counter(row.level for row in rows() if row.standing == standing)
        line = f"| {standing} | {found['1']} | {found['2']} |"
        assert line in DOCUMENT.read_text("utf-8").splitlines()

    def test_proves_what_it_calls_met(self):
        unproven = [
            row.id
            for row in rows()
            if row.standing == "met" and not row.tests and row.proof != BY_READING
        ]
        assert unproven == []

    def test_has_no_words_where_a_proof_should_be(self):
        bare = {NAMED.sub("", row.proof).replace("<br>", "") for row in rows()}
        assert bare <= {"", BY_READING, NOTHING}

    def test_names_only_tests_that_exist(self):
        assert [test for row in rows() for test in row.tests if not is_there(test)] == []

    def test_names_only_files_that_exist(self):
        gone = [
            name
            for row in rows()
            for name in row.files
            if not any((folder / name).exists() for folder in (PROJECT, PROJECT / "rewards_app"))
        ]
        assert gone == []

    def test_leads_only_to_headings_that_exist(self):
        links = re.findall(r"\]\(([\w-]+\.md)#([\w-]+)\)", DOCUMENT.read_text("utf-8"))
        assert links
        missing = [link for link in set(links) if link[1] not in headings_of(link[0])]
        assert missing == []


def headings_of(name: str) -> set[str]:
    """As they are linked to: small letters, dashes for spaces, no other signs."""
    lines = (DOCUMENT.parent / name).read_text("utf-8").splitlines()
    heads = [line.lstrip("# ").lower() for line in lines if line.startswith("#")]
    return {re.sub(r"[^\w -]", "", head).replace(" ", "-") for head in heads}
