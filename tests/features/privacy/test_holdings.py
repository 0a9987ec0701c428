"""Nothing that is held on a person is forgotten: every table and column is named."""

import pytest
from sqlalchemy import ForeignKey, Table
from sqlmodel import SQLModel

import rewards_app.models
from rewards_app.core.sealed import Sealed
from rewards_app.features.privacy.holding import Holding, Why
from rewards_app.features.privacy.holdings import EXPORTED, HOLDINGS, SEALED

TABLES = SQLModel.metadata.tables
assert rewards_app.models


def of_table(name: str) -> list[Holding]:
    return [holding for holding in HOLDINGS if holding.table == name]


def columns_about_accounts(table: Table) -> set[str]:
    keys: set[ForeignKey] = table.foreign_keys
    return {key.parent.name for key in keys if key.column.table.name == "accounts"}


class TestHoldings:
    @pytest.mark.parametrize("table", sorted(TABLES))
    def test_name_every_table(self, table: str):
        assert of_table(table)

    def test_name_no_table_that_is_not_there(self):
        assert {holding.table for holding in HOLDINGS} <= set(TABLES)

    @pytest.mark.parametrize("holding", EXPORTED, ids=lambda holding: holding.file)
    def test_say_of_every_column_whether_it_is_in_the_archive(self, holding: Holding):
        named = [*holding.columns, *holding.left_out]
        assert sorted(named) == sorted(column.name for column in TABLES[holding.table].columns)

    @pytest.mark.parametrize("table", sorted(TABLES))
    def test_leave_no_table_with_accounts_to_nobody(self, table: str):
        is_nobodys = all(holding.why_not is Why.NOBODY for holding in of_table(table))
        assert not (is_nobodys and columns_about_accounts(TABLES[table]))

    def test_say_whose_rows_are_taken(self):
        assert all(holding.whose for holding in HOLDINGS if holding.why_not is not Why.NOBODY)

    def test_have_a_name_of_their_own_in_the_archive(self):
        names = [(holding.group, holding.file) for holding in EXPORTED]
        assert len(set(names)) == len(names)
        assert all(holding.file for holding in EXPORTED)

    def test_leave_hashes_behind(self):
        taken = {(holding.table, column) for holding in EXPORTED for column in holding.columns}
        assert not {(table, column) for table, column in taken if column.endswith("_hash")}

    def test_know_what_has_to_be_opened(self):
        sealed = {
            (holding.table, column)
            for holding in EXPORTED
            for column in holding.columns
            if isinstance(TABLES[holding.table].columns[column].type, Sealed)
        }
        assert sealed == {(table, column) for table in SEALED for column in SEALED[table]}
