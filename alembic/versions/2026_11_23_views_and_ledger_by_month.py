"""Views of ads and the coin ledger are cut by month; one table knows which views run

Every row is copied into the month of its identifier, and counted. A downgrade copies them back;
months that retention has let go meanwhile do not come back with it.
"""

from datetime import date

import sqlalchemy as sa

from alembic import op

revision = "c3e8d2b7f514"
down_revision = "e07d3b9c4a18"
branch_labels = None
depends_on = None

FUNCTIONS = (
    """create function first_id_since(moment timestamptz) returns uuid
    language sql immutable parallel safe
    return (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0')
        || repeat('0', 20))::uuid""",
    # A cause names what it came of by an identifier, and identifiers begin with their time.
    """create function month_of_cause(cause text) returns date
    language sql immutable parallel safe
    return case when cause ~ '^[a-z_]+:[0-9a-f]{8}-[0-9a-f]{4}-7'
        then date_trunc('month', timestamp '1970-01-01' + interval '1 millisecond' * ('x' || lpad(
            replace(substr(cause, strpos(cause, ':') + 1, 13), '-', ''), 16, '0'))::bit(64)::bigint
        )::date
        else date '1970-01-01' end""",
)
PUT_ASIDE = """
do $$
declare name text;
begin
    alter table {table} rename to {table}_before;
    for name in select indexname from pg_indexes
        where schemaname = current_schema() and tablename = '{table}_before'
    loop
        execute format('alter index %I rename to %I', name, left(name, 55) || '_before');
    end loop;
end
$$
"""
VIEWS = """
create table ad_views (
    id uuid not null,
    account_id uuid not null,
    ad_id uuid not null,
    status varchar(10) not null,
    started_at timestamptz not null,
    required_seconds integer not null,
    reward_coins integer not null,
    expires_at timestamptz not null,
    paused_at timestamptz,
    paused_ms integer not null,
    rewarded_at timestamptz,
    ended_at timestamptz,
    clicked_at timestamptz,
    refusal varchar(40),
    missing_seconds integer,
    client_seconds integer,
    tab_hash varchar(64) not null,
    device_hash varchar(64) not null,
    day date not null,
    price bigint not null,
    holds_place boolean not null,
    age_group smallint,
    invalid_at timestamptz,
    invalid_reason varchar(200) not null,
    constraint view_status_is_known
        check (status in ('running', 'rewarded', 'refused', 'given_up', 'expired')),
    constraint view_rewarded_has_a_moment
        check ((status = 'rewarded') = (rewarded_at is not null)),
    constraint view_paid_for_waits_no_more check (not holds_place or status <> 'rewarded')
)
"""
VIEW_COLUMNS = """
id, account_id, ad_id, status, started_at, required_seconds, reward_coins, expires_at, paused_at,
paused_ms, rewarded_at, ended_at, clicked_at, refusal, missing_seconds, client_seconds, tab_hash,
device_hash, day, price, holds_place, age_group, invalid_at, invalid_reason
"""
VIEW_KEYS = (
    "alter table ad_views add constraint ad_views_pkey primary key (id)",
    """create index ix_ad_views_account_id_started_at on ad_views (account_id, started_at)""",
    """create index ix_ad_views_account_id_rewarded_at on ad_views (account_id, rewarded_at)
    where rewarded_at is not null""",
    "create index ix_ad_views_rewarded_at on ad_views (rewarded_at) where rewarded_at is not null",
    "create index ix_ad_views_places on ad_views (ad_id) where holds_place",
    "create index ix_ad_views_ad_id on ad_views (ad_id)",
    """alter table ad_views add constraint ad_views_account_id_fkey
    foreign key (account_id) references accounts (id) on delete restrict""",
    """alter table ad_views add constraint ad_views_ad_id_fkey
    foreign key (ad_id) references ads (id) on delete restrict""",
)
RUNNING = (
    """create table running_views (
        account_id uuid constraint one_running_view_a_player primary key,
        view_id uuid not null
    )""",
    """insert into running_views (account_id, view_id)
    select account_id, id from ad_views where status = 'running'""",
    """create function view_begins() returns trigger language plpgsql as $$
    begin
        insert into running_views (account_id, view_id) values (new.account_id, new.id);
        return null;
    end
    $$""",
    """create function view_ends() returns trigger language plpgsql as $$
    begin
        delete from running_views where account_id = old.account_id;
        return null;
    end
    $$""",
    """create trigger views_begin after insert on ad_views
    for each row when (new.status = 'running') execute function view_begins()""",
    """create trigger views_begin_again after update of status on ad_views
    for each row when (new.status = 'running' and old.status <> 'running')
    execute function view_begins()""",
    """create trigger views_end after update of status on ad_views
    for each row when (old.status = 'running' and new.status <> 'running')
    execute function view_ends()""",
    """create trigger views_vanish after delete on ad_views
    for each row when (old.status = 'running') execute function view_ends()""",
)
LEDGER = """
create table coin_entries (
    number bigint generated always as identity,
    month date not null,
    account_id uuid not null,
    amount integer not null,
    kind varchar(20) not null,
    cause varchar(80) not null,
    subject varchar(120) not null,
    balance_after bigint not null,
    created_at timestamptz not null,
    written_by bigint default pg_current_xact_id()::text::bigint,
    constraint entry_has_an_amount check (amount <> 0),
    constraint entry_leaves_no_debt check (balance_after >= 0),
    constraint entry_is_in_the_month_of_its_cause check (month = month_of_cause(cause))
)
"""
LEDGER_COLUMNS = """
number, account_id, amount, kind, cause, subject, balance_after, created_at, written_by
"""
LEDGER_KEYS = (
    "alter table coin_entries add constraint coin_entries_pkey primary key (number, month)",
    "alter table coin_entries add constraint coin_entries_cause_key unique (cause, month)",
    "create index ix_coin_entries_account_id_number on coin_entries (account_id, number)",
    "create index ix_coin_entries_purchases on coin_entries (number) where kind = 'purchase'",
    """alter table coin_entries add constraint coin_entries_account_id_fkey
    foreign key (account_id) references accounts (id) on delete restrict""",
    """create trigger coin_entries_are_append_only before update or delete on coin_entries
    for each row execute function refuse_change_of_coin_entries()""",
    """create trigger coin_entries_are_never_emptied before truncate on coin_entries
    for each statement execute function refuse_change_of_coin_entries()""",
)
COUNT_ON = """
select setval(pg_get_serial_sequence('coin_entries', 'number'),
    (select coalesce(max(number), 0) + 1 from coin_entries), false)
"""
FIRST_MONTH_OF = {
    "ad_views": """select min(date_trunc('month', started_at at time zone 'UTC'))::date
    from ad_views_before where id >= first_id_since('2000-01-01+00')""",
    "coin_entries": """select min(month_of_cause(cause)) from coin_entries_before
    where month_of_cause(cause) >= '2000-01-01'""",
}
ADD_UP_WHAT_IS_COUNTED = """
insert into ledger_days (day, kind, entries, amount)
select (created_at at time zone 'Europe/Stockholm')::date, kind, count(*), sum(amount)
from coin_entries join board_progress on number <= settled_to or written_by is null
    or pg_visible_in_snapshot(written_by::text::xid8, counted::pg_snapshot)
group by 1, 2
"""


def upgrade() -> None:
    for function in FUNCTIONS:
        op.execute(function)
    op.execute(PUT_ASIDE.format(table="ad_views"))
    op.execute(f"{VIEWS} partition by range (id)")
    _cut("ad_views", "first_id_since('{month} 00:00+00')")
    _copy("ad_views", VIEW_COLUMNS, VIEW_COLUMNS)
    op.execute("drop table ad_views_before")
    for key in (*VIEW_KEYS, *RUNNING):
        op.execute(key)
    op.execute(PUT_ASIDE.format(table="coin_entries"))
    op.execute("alter sequence coin_entries_number_seq rename to coin_entries_number_before")
    op.execute(f"{LEDGER} partition by range (month)")
    leaves = _cut("coin_entries", "date '{month}'")
    _copy(
        "coin_entries",
        f"{LEDGER_COLUMNS}, month",
        f"{LEDGER_COLUMNS}, month_of_cause(cause)",
        overriding="overriding system value",
    )
    op.execute("drop table coin_entries_before")
    for key in LEDGER_KEYS:
        op.execute(key)
    for leaf in leaves:
        _never_emptied(leaf)
    op.execute(COUNT_ON)
    op.create_table(
        "detached_months",
        sa.Column("table_name", sa.String(length=40), nullable=False),
        sa.Column("month", sa.Date(), nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.Column("detached_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("dropped_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("table_name", "month"),
    )
    op.create_table(
        "ledger_days",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("entries", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("day", "kind"),
    )
    op.execute(ADD_UP_WHAT_IS_COUNTED)
    for table in ("ad_views", "coin_entries"):
        op.execute(f"analyze {table}")


def _cut(table: str, bound: str) -> list[str]:
    """A partition for each month that has rows and for the present one, one before, one after."""
    connection = op.get_bind()
    present = connection.scalar(
        sa.text("select date_trunc('month', now() at time zone 'UTC')::date")
    )
    month = min(connection.scalar(sa.text(FIRST_MONTH_OF[table])) or present, present)
    leaves = [f"{table}_earlier"]
    begin = bound.format(month=month)
    op.execute(
        f"create table {table}_earlier partition of {table} for values from (minvalue) to ({begin})"
    )
    while month <= present:
        following = date(month.year + month.month // 12, month.month % 12 + 1, 1)
        end = bound.format(month=following)
        leaves.append(f"{table}_{month:%Y_%m}")
        op.execute(
            f"create table {leaves[-1]} partition of {table} for values from ({begin}) to ({end})"
        )
        month, begin = following, end
    leaves.append(f"{table}_later")
    op.execute(
        f"create table {table}_later partition of {table} for values from ({begin}) to (maxvalue)"
    )
    return leaves


def _copy(table: str, columns: str, values: str, *, overriding: str = "") -> None:
    """All rows, or nothing happens at all."""
    connection = op.get_bind()
    copied = connection.execute(
        sa.text(
            f"insert into {table} ({columns}) {overriding} select {values} from {table}_before"  # noqa: S608
        )
    ).rowcount
    before = connection.scalar(sa.text(f"select count(*) from {table}_before"))  # noqa: S608
    if copied != before:
        raise RuntimeError(f"{table}: {copied} of {before} rows were copied")


def _never_emptied(leaf: str) -> None:
    op.execute(
        f"create trigger {leaf}_is_never_emptied before truncate on {leaf}"
        " for each statement execute function refuse_change_of_coin_entries()"
    )


def downgrade() -> None:
    op.drop_table("ledger_days")
    op.drop_table("detached_months")
    for name in ("views_begin", "views_begin_again", "views_end", "views_vanish"):
        op.execute(f"drop trigger {name} on ad_views")
    op.execute("drop function view_begins()")
    op.execute("drop function view_ends()")
    op.drop_table("running_views")
    op.execute(PUT_ASIDE.format(table="ad_views"))
    op.execute(VIEWS)
    _copy("ad_views", VIEW_COLUMNS, VIEW_COLUMNS)
    op.execute("drop table ad_views_before")
    for key in VIEW_KEYS:
        op.execute(key)
    op.execute(
        "create unique index one_running_view_a_player on ad_views (account_id)"
        " where status = 'running'"
    )
    op.execute(PUT_ASIDE.format(table="coin_entries"))
    op.execute("alter sequence coin_entries_number_seq rename to coin_entries_number_before")
    op.execute(
        LEDGER.replace("month date not null,", "").replace(
            """,
    constraint entry_is_in_the_month_of_its_cause check (month = month_of_cause(cause))""",
            "",
        )
    )
    _copy("coin_entries", LEDGER_COLUMNS, LEDGER_COLUMNS, overriding="overriding system value")
    op.execute("drop table coin_entries_before")
    for key in LEDGER_KEYS:
        op.execute(key.replace(", month)", ")"))
    op.execute(
        "create index ix_coin_entries_besides_ads on coin_entries (created_at) where kind <> 'ad'"
    )
    op.execute(COUNT_ON)
    op.execute("drop function month_of_cause(text)")
    op.execute("drop function first_id_since(timestamptz)")
