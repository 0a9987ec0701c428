"""The statements by which PostgreSQL itself writes a person's rows. Pure: text in, text out.

All parts are ours, from the holdings; the person is a parameter.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rewards_app.features.privacy.holding import Holding
from rewards_app.features.privacy.holdings import SEALED

# What a spreadsheet runs, as `core/csv_text.py` says it; a cell of it gets an apostrophe.
_BLANKS = r" \t-\r\u001c-\u001f\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_SIGN = r"[-=+@\uff1d\uff0b\uff0d\uff20]"
_FORMULA = rf"^[\t\r\n]|^[{_BLANKS}]*{_SIGN}"
# Most begin with a letter or a digit, which costs less to see than a pattern.
_BEGINS_WELL = (
    "(ascii({column}) between 48 and 57 or ascii({column}) between 65 and 90"
    f" or ascii({{column}}) between 97 and 122 or {{column}} !~ '{_FORMULA}')"
)
_BEGUN = f"case when {_BEGINS_WELL} then {{column}} else '''' || {{column}} end"
ESCAPED = (
    f"case when {{column}} !~ '[;\\t\\r\\n]' then {_BEGUN} else regexp_replace("
    rf"{_BEGUN}, '([;\t\r\n][{_BLANKS}\"]*)({_SIGN})', '\1''\2', 'g') end"
)
TYPES = """
select class.relname, attribute.attname, type.typcategory, type.typname
from pg_attribute attribute
join pg_class class on class.oid = attribute.attrelid and class.relkind in ('r', 'p')
join pg_namespace space on space.oid = class.relnamespace and space.nspname = current_schema()
join pg_type type on type.oid = attribute.atttypid
where class.relname = any(%s) and attribute.attnum > 0 and not attribute.attisdropped
"""
KEYS = """
select class.relname, array_agg(attribute.attname order by position.number)
from pg_index index
join pg_class class on class.oid = index.indrelid
join pg_namespace space on space.oid = class.relnamespace and space.nspname = current_schema()
cross join unnest(index.indkey) with ordinality as position (attnum, number)
join pg_attribute attribute
    on attribute.attrelid = class.oid and attribute.attnum = position.attnum
where index.indisprimary and class.relname = any(%s) group by class.relname
"""
# A text of JSON has neither of these characters: nothing is quoted, a row is a line.
JSON_LINES = r"(format csv, delimiter e'\x02', quote e'\x01')"
CSV_FILE = "(format csv, header)"


@dataclass(frozen=True, slots=True)
class Kind:
    """What PostgreSQL says of a column."""

    category: str
    type: str

    @property
    def is_text(self) -> bool:
        return self.category == "S"

    @property
    def is_list(self) -> bool:
        return self.category == "A"

    @property
    def is_claim(self) -> bool:
        return self.category == "B"


@dataclass(frozen=True, slots=True)
class Tables:
    """How the tables of this database look."""

    kinds: Mapping[tuple[str, str], Kind]
    keys: Mapping[str, tuple[str, ...]]


def counting(holdings: Iterable[Holding]) -> str:
    """One row: how many rows there are of each."""
    counts = (
        f"(select count(*) from {one.table} t where {one.whose})"  # noqa: S608
        for one in holdings
    )
    return f"select {', '.join(counts)}"


def json_lines(holding: Holding, tables: Tables) -> str:
    """Each row as one line of JSON."""
    return f"select row_to_json(r) from ({_rows(holding, tables, holding.columns)}) r"  # noqa: S608


def cells(holding: Holding, tables: Tables) -> str:
    """Each row as texts, harmless in a spreadsheet once they are opened."""
    sealed = SEALED.get(holding.table, ())
    written = (
        name if name in sealed else _cell(name, tables.kinds[holding.table, name])
        for name in holding.columns
    )
    return _rows(holding, tables, written)


def copied(query: str, how: str) -> str:
    return f"copy ({query}) to stdout {how}"


def _rows(holding: Holding, tables: Tables, columns: Iterable[str]) -> str:
    """In the order of their keys: the same in both files."""
    order = ", ".join(f"t.{name}" for name in tables.keys[holding.table])
    shown = ", ".join(name if " as " in name else f"t.{name}" for name in columns)
    return f"select {shown} from {holding.table} t where {holding.whose} order by {order}"  # noqa: S608


def _cell(name: str, kind: Kind) -> str:
    column = f"t.{name}"
    if kind.is_text:
        return f"{ESCAPED.format(column=column)} as {name}"
    if kind.is_list:
        return f"to_json({column}) as {name}"
    return f"{column}::text as {name}" if kind.is_claim else f"{column} as {name}"
