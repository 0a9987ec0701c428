"""The page about growth knows every table: how it ends, or why it never does."""

import re

import pytest
from sqlmodel import SQLModel

import rewards_app.models  # noqa: F401  (knowing the tables is the point)
from tools.figures import PROJECT

PAGE = (PROJECT / "docs" / "growth.md").read_text("utf-8")
NAMED = set(re.findall(r"`(\w+)`", PAGE.split("## What grows without end")[1]))


class TestGrowth:
    @pytest.mark.parametrize("table", sorted(SQLModel.metadata.tables))
    def test_says_how_each_table_ends(self, table: str):
        assert table in NAMED
