"""When a figure of a deployment is wrong, or worth knowing. Pure: figures in, a finding out."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from rewards_app.backups import rules as backups
from rewards_app.core.postgres.months import Standing
from rewards_app.doctor.findings import Finding, fine, worth_knowing, wrong

OLDEST_POSTGRES = 15
NEWEST_POSTGRES = 18
"""As the programs that make backups: they refuse a server that is newer."""
OLDEST_REDIS = 7
CONNECTIONS_A_WORKER = 35
"""The most that one opens: two pools of 20 and 10, the queue's 4, and one that listens."""
FEWEST_CONNECTIONS_LEFT = 5
MOST_APART = timedelta(seconds=5)
WORTH_APART = timedelta(seconds=1)
GIB = 1024**3
LEAST_DISK = GIB // 4
LITTLE_DISK = 2 * GIB
KEEPS_ALL = "noeviction"
TELLS_OF_KEYS = "K$sgxe"
"""As `notify-keyspace-events`: who waits for a page's state, and that it was let go."""
ALL_KINDS = frozenset("$sgxe")
"""What `A` stands for, as far as it is asked for here."""
MUCH_OF_REDIS = 0.9


def version(number: int) -> Finding:
    """`number` as PostgreSQL counts: 150004 is 15.4."""
    said = f"PostgreSQL {number // 10_000}.{number % 10_000}"
    if number // 10_000 < OLDEST_POSTGRES:
        return wrong(f"{said} is older than {OLDEST_POSTGRES}: move the data to a newer one.")
    if number // 10_000 > NEWEST_POSTGRES:
        return wrong(f"{said} is newer than {NEWEST_POSTGRES}: no backup can be made of it here.")
    return fine(f"The database answers: {said}.")


def encoding(name: str) -> list[Finding]:
    if name == "UTF8":
        return []
    return [
        wrong(f"The database keeps letters as {name}, not as UTF8: make one anew, and restore.")
    ]


MIGRATES = (
    "run 'rewards migrate', or where the tables have an owner of their own"
    " 'systemctl start watchcoins-migrate' ('docker compose run --rm migrate')"
)


def revision(present: str | None, newest: str, *, is_known: bool) -> Finding:
    if present == newest:
        return fine(f"The schema is at the newest migration, {newest}.")
    if present is None:
        return wrong(f"The database has no schema yet: {MIGRATES}.")
    if is_known:
        return wrong(f"The schema is at {present}, not at {newest}: {MIGRATES}.")
    return wrong(f"The schema is at {present}, of a newer version of the app: start that version.")


def database_role(
    *, is_superuser: bool, is_owner: bool, is_own: bool, is_production: bool
) -> Finding:
    """Who owns the tables can switch off what keeps the books from being changed."""
    if is_own:
        return fine("The database is the app's own: nobody else asks it.")
    advice = "let another role own the tables and migrate: DATABASE_OWNER_URL."
    if is_superuser and is_production:
        return wrong(f"The app is a superuser of the database: {advice}")
    if is_owner or is_superuser:
        return worth_knowing(f"The app may change the tables and the books themselves: {advice}")
    return fine("The app may change rows and no tables, and the books not at all.")


def connections(allowed: int, used: int, *, workers: int) -> Finding:
    left = allowed - used
    said = f"{left} of {allowed} connections to the database are free"
    if left < FEWEST_CONNECTIONS_LEFT:
        return wrong(f"{said}: raise max_connections, or run fewer workers.")
    if (most := workers * CONNECTIONS_A_WORKER) > allowed:
        return worth_knowing(
            f"{said}, and {workers} workers may open {most}: raise max_connections to more than"
            " that, or run fewer workers."
        )
    return fine(f"{said}.")


LOSES_STATES = "pages lose their state whenever another worker answers"


def states_of_pages(working: int, *, has_redis: bool) -> list[Finding]:
    """Workers that are begun one by one know nothing of each other; the database does."""
    if has_redis or working <= 1:
        return []
    # One that was killed counts until it was not heard of for so long.
    return [
        wrong(
            f"{working} workers were heard of within half a minute, without Redis: {LOSES_STATES}."
            " Set REDIS_URL for each of them, or run one."
        )
    ]


def clocks(apart: timedelta) -> Finding:
    said = f"This machine's clock and the database's are {abs(apart).total_seconds():.1f} s apart"
    if abs(apart) > MOST_APART:
        return wrong(f"{said}: set both by NTP, else ads and sign-ins end too early or too late.")
    if abs(apart) > WORTH_APART:
        return worth_knowing(f"{said}: check NTP on both.")
    return fine(f"{said}.")


def disk(free: int, size: int, folder: str, ends: str) -> Finding:
    said = f"{free / GIB:.1f} of {size / GIB:.1f} GB are free where {folder} is"
    if free < LEAST_DISK:
        return wrong(f"{said}: {ends} like this. Free some space.")
    if free < LITTLE_DISK:
        return worth_knowing(f"{said}: that is little.")
    return fine(f"{said}.")


def redis_version(said: str) -> Finding:
    if not re.match(r"[0-9]{1,4}\.", said):
        return worth_knowing(f"Redis does not say which version it is: at least {OLDEST_REDIS}?")
    if int(said.partition(".")[0]) < OLDEST_REDIS:
        return worth_knowing(f"Redis {said} is older than {OLDEST_REDIS}, which is asked for.")
    return fine(f"Redis answers: {said}.")


def redis_memory(policy: str, most_bytes: int, used_bytes: int) -> Finding:
    """A page's state that Redis throws away is a page that empties itself under its reader.

    One that throws nothing away answers as ever when it is full, and refuses what is written.
    """
    if policy != KEEPS_ALL:
        return _throws_away(policy, is_bounded=bool(most_bytes))
    if not most_bytes:
        return worth_knowing(
            "Redis has no maxmemory: it takes what the machine has, and nobody is told before that"
            " is used up. Set one, 'maxmemory 1gb' for example, where it is set up."
        )
    if used_bytes > MUCH_OF_REDIS * most_bytes:
        return wrong(
            f"Redis has used {used_bytes / most_bytes:.0%} of its maxmemory, and once it is full"
            " every page stands still: raise maxmemory."
        )
    return fine("Redis throws nothing away: maxmemory-policy is noeviction.")


def _throws_away(policy: str, *, is_bounded: bool) -> Finding:
    said = f"Redis throws away what it likes when it is full (maxmemory-policy {policy})"
    advice = "set it to noeviction, else open pages lose what they show and limits are forgotten."
    return wrong(f"{said}: {advice}") if is_bounded else worth_knowing(f"{said}: {advice}")


def redis_saving(*, cannot_save: bool) -> list[Finding]:
    if not cannot_save:
        return []
    return [
        wrong(
            "Redis cannot save, and so refuses what is written: every page stands still. Its own"
            " log says why: a full disk, a folder that is not its own, or vm.overcommit_memory."
        )
    ]


def redis_notices(flags: str | None) -> list[Finding]:
    """Who is told of no key waits for a page's state until its lock would expire.

    None: it does not say.
    """
    if flags is None:
        return [
            worth_knowing(
                "Redis refuses CONFIG, by which workers have it tell them of keys: allow it, or set"
                f" 'notify-keyspace-events {TELLS_OF_KEYS}' where it is set up. Else a page waits"
                " for ten seconds where another worker has its state."
            )
        ]
    told = set(flags) | (ALL_KINDS if "A" in flags else set())
    if told >= set(TELLS_OF_KEYS):
        return []
    return [
        worth_knowing(
            "Redis tells of no keys until a worker asks it to: with 'notify-keyspace-events"
            f" {TELLS_OF_KEYS}' in its configuration it does from its first moment on."
        )
    ]


def backup(made: datetime | None, proven: datetime | None, *, now: datetime) -> list[Finding]:
    """The newest of the folder, and when one was last restored for a proof."""
    if made is None:
        return [
            wrong(
                "There is no backup in BACKUP_DIR: mount its disk where it has one, and run"
                " 'rewards backup make', by a timer."
            )
        ]
    hours = (now - made) // timedelta(hours=1)
    if backups.is_too_old(made, now=now):
        found = [wrong(f"The last backup is {hours} hours old: see why the timer made no newer.")]
    else:
        found = [fine(f"The last backup is {hours} hours old.")]
    if proven is None or now - proven > backups.PROOF_IS_DUE:
        found.append(
            worth_knowing("No backup was restored lately: prove one by 'rewards backup verify'.")
        )
    return found


def backup_ahead(name: str) -> Finding:
    """Nothing would ever make it old, and it would have people in it who are forgotten."""
    return wrong(
        f"A backup is dated in the future: {name}. Set the clock by NTP, run 'rewards backup make',"
        " then delete it and the note beside it."
    )


def old_copy(name: str) -> Finding:
    return wrong(
        f"{name} is older than {backups.KEPT_FOR.days} days, and has people in it who are forgotten"
        " since: delete it, and its note where it has one."
    )


def left_behind(folder: str) -> Finding:
    return wrong(
        f"DATABASE_URL names one database, and {folder} has another one, which nobody serves or"
        " backs up. 'From one small machine to several workers' in docs/operating.md brings it"
        " over. If that is done, or it was a trial: move it aside, and delete it within 30 days."
    )


def databases_of_before(names: Iterable[str], *, now: datetime) -> list[Finding]:
    """What a restore put aside; its name says when."""
    found: list[Finding] = []
    for name in names:
        made = _moment(name)
        is_old = made and now - made > backups.KEPT_FOR
        found.append(
            (wrong if is_old else worth_knowing)(
                f"The database {name} has people in it who are forgotten since: 'dropdb {name}'"
                " before the next base backup, which would have them for a month more, and within"
                " 30 days."
            )
        )
    return found


def _moment(name: str) -> datetime | None:
    """None where a name has another end."""
    try:
        return datetime.strptime(name.rpartition("_")[2], "%Y%m%dt%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def archive(*, is_on: bool, is_failing: bool, has_kept: bool, was_restored: bool) -> list[Finding]:
    """What a restore to a point in time needs; without it there is nothing to say."""
    if is_failing:
        return [
            wrong(
                "PostgreSQL does not keep its log for a point in time: look at archive_command, and"
                " into its own log."
            )
        ]
    if is_on and not has_kept:
        return [
            worth_knowing(
                "PostgreSQL has kept none of its log for a point in time since its figures begin:"
                " look into the folder of archive_command again in a few minutes."
            )
        ]
    if was_restored and not is_on:
        return [
            wrong(
                "PostgreSQL was taken back to a point in time and has kept no log since: reset"
                " archive_mode and restore_command, and make a base backup (docs/operating.md)."
            )
        ]
    return [fine("PostgreSQL keeps its log for a point in time.")] if is_on else []


def schedule(late: Sequence[str], failed: Sequence[str], *, ran_ever: bool) -> list[Finding]:
    if not ran_ever:
        return [worth_knowing("No job has run yet: one should a minute after the first start.")]
    found = [
        wrong(f"The job {name} is later than twice its period: is a worker running? See its log.")
        for name in late
    ]
    found += [
        worth_knowing(f"The last run of the job {name} failed: the admin panel's Health says how.")
        for name in failed
    ]
    return found or [fine("Every job ran when it should.")]


def ledger(apart: int, below_zero: int) -> Finding:
    if apart or below_zero:
        return wrong(
            f"The ledger does not add up: {apart} coins between entries and balances,"
            f" {below_zero} accounts below zero. Run 'rewards ledger check'."
        )
    return fine("The ledger's entries and balances have the same sum.")


def sealed(unknown: int) -> Finding:
    """A database that was restored beside another SECRET_KEY looks whole until it is read."""
    if unknown:
        return wrong(
            f"{unknown} values were sealed with a key that is not here: put it into SECRET_KEY, or"
            " into SECRET_KEYS_BEFORE. 'rewards keys check' says which values."
        )
    return fine("What is sealed was sealed with keys that are here.")


MAKES_MONTHS = (
    "run 'rewards months', or as their owner 'systemctl start watchcoins-months'"
    " ('docker compose run --rm migrate months')"
)


def months(standings: Iterable[Standing], *, now: datetime) -> list[Finding]:
    found = [
        wrong(
            f"The table {one.table} has rows in no month: {MAKES_MONTHS}, and see why neither its"
            " timer nor the job health.make_months did."
        )
        for one in standings
        if one.has_later_rows
    ]
    found += [
        worth_knowing(
            f"The table {one.table} has no month ahead, which the job health.make_months makes, or"
            f" a timer where the tables have an owner of their own: {MAKES_MONTHS}."
        )
        for one in standings
        if not one.has_later_rows and not one.ahead(now=now)
    ]
    return found or [fine("The months of views and of the ledger are there, and the next ones.")]


def demo(accounts: int, codes: int, *, is_production: bool) -> Finding:
    if not (accounts or codes):
        return fine("There is no demo data.")
    said = f"There are {accounts} demo accounts, and {codes} gift codes that no game accepts"
    if is_production:
        return wrong(f"{said}: begin with an empty database, and do not run 'rewards seed'.")
    return worth_knowing(f"{said}.")
