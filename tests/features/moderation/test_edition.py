"""Whoever changes the rules or the lists raises the edition: texts are then looked at again."""

import hashlib
from pathlib import Path

from rewards_app.features.moderation import rules

SLICE = Path(rules.__file__).parent
EDITIONS = {
    2: "ee580bf51ce7c3b4aefd982914d656e00cf11eac88750fc4fad80bfe657e0f71",
    3: "a36c8424ee9f9da3a263ca78d15545cf63c3efbf16290245b80a126e81e0a872",
    4: "3d01e7cd67088691ddc69be8314744de97cc14697687d6322bae76e476445b6a",
    5: "73f405c041763cbd08a1af8db3c0ca71a976e04db6af3225c2f96b3e54b5b5d7",
    6: "231031ae5a62072f804d9bddc1fab696aef894b31dea4c52c64aed1214dd4df9",
}
"""The rules and lists of each. Whoever changes them raises EDITION and adds a line."""


def what_decides() -> str:
    files = sorted([*SLICE.glob("*.py"), *(SLICE / "words").glob("*.toml")])
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def test_the_edition_was_raised_with_the_last_change():
    assert EDITIONS.get(rules.EDITION) == what_decides()


def test_the_edition_is_the_last_one():
    assert max(EDITIONS) == rules.EDITION
