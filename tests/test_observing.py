"""What operators look at: every figure that a rule or a picture names is one that is told."""

import errno
import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest
import redis as redis_client
import time_machine
import yaml
from prometheus_client import REGISTRY

import rewards_app.rewards_app  # noqa: F401  (registers every figure)
from rewards_app.api import figures
from rewards_app.api.figures import Figures
from rewards_app.backups import dumping
from rewards_app.core import aside, jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.settings import settings
from rewards_app.features.health import probes
from rewards_app.features.health.schedule import Scheduled
from tests.ads import an_ad, were_watched
from tests.people import NOON
from tests.servers import soon_given_up
from tests.serving import Redis, redis_that_cannot_save
from tests.shop import a_buyer, buys, stock

DEPLOY = Path(__file__).parents[1] / "deploy"
RULES = DEPLOY / "prometheus/alerts.yaml"
CONFIGURATIONS = tuple(sorted((DEPLOY / "prometheus").glob("prometheus*.yaml")))
BOARD = DEPLOY / "grafana/dashboards/watchcoins.json"
NAMED = re.compile(r"\b(?:watchcoins|process|python)_\w+")
SUFFIXES = {"histogram": ("_bucket", "_count", "_sum"), "counter": ("_total",), "gauge": ("",)}
NODE = 'up{job="node", instance="a"}'


def a_unit(name: str, state: str = "active") -> str:
    return f'node_systemd_unit_state{{name="{name}", state="{state}", instance="a"}}'


HAPPENINGS = {
    "WebhooksFail": ('watchcoins_webhooks_total{outcome="failed"}', 1),
    "WebhooksForged": ('watchcoins_webhooks_total{outcome="forged"}', 6),
    "CardKeyRefused": ('watchcoins_provider_failures_total{reason="key_refused"}', 1),
    "CardsAway": ('watchcoins_provider_failures_total{reason="away"}', 6),
    "Defects": ('watchcoins_broken_total{where="Home.load"}', 1),
    "NothingIsSaved": ('watchcoins_refusals_total{code="storage_away"}', 1),
}
"""What happens by a rule's name, and how often wakes somebody."""
STANDINGS = [
    ("ClockWrong", {'watchcoins_clock_ahead_seconds{instance="a"}': 6}, True),
    ("ClockWrong", {'watchcoins_clock_ahead_seconds{instance="a"}': -6}, True),
    ("ClockWrong", {'watchcoins_clock_ahead_seconds{instance="a"}': -4}, False),
    ("RedisFull", {"watchcoins_redis_used_bytes": 91, "watchcoins_redis_most_bytes": 100}, True),
    ("RedisFull", {"watchcoins_redis_used_bytes": 90, "watchcoins_redis_most_bytes": 100}, False),
    ("RedisFull", {"watchcoins_redis_used_bytes": 91, "watchcoins_redis_most_bytes": 0}, False),
    ("RedisCannotSave", {"watchcoins_redis_save_failing": 1}, True),
    ("RedisCannotSave", {"watchcoins_redis_save_failing": 0}, False),
    ("MonthsMissing", {"watchcoins_months_missing": 1}, True),
    ("MonthsMissing", {"watchcoins_months_missing": 0}, False),
    *(
        ("UnitFailed", {a_unit(f"{name}.service", "failed"): 1}, True)
        for name in (
            *("watchcoins-backup", "certbot", "nginx", "caddy", "redis-server"),
            "postgresql@15-main",
        )
    ),
    ("UnitFailed", {a_unit("certbot.service", "failed"): 0}, False),
    ("UnitFailed", {a_unit("ssh.service", "failed"): 1}, False),
    ("UnitsUnseen", {NODE: 0}, True),
    ("UnitsUnseen", {NODE: 1, a_unit("ssh.service"): 1}, True),
    ("UnitsUnseen", {NODE: 1, a_unit("watchcoins@8301.service"): 1}, False),
    ("UnitsUnseen", {'up{job="watchcoins", instance="a"}': 1}, False),
    ("UnitFailed", {a_unit("watchcoins-doctor.service", "failed"): 1}, True),
    ("UnitFailed", {a_unit("watchcoins-doctor.service", "failed"): 0}, False),
    ("TimerStands", {a_unit("watchcoins-backup.timer"): 0}, True),
    ("TimerStands", {a_unit("watchcoins-backup.timer"): 1}, False),
    ("TimerStands", {a_unit("watchcoins-backup.timer", "failed"): 0}, False),
    ("TimerStands", {a_unit("watchcoins-backup.service"): 0}, False),
]
"""A rule, what is told, and whether it wakes somebody by that."""


def asked_as(job: str, scraped: Any) -> list[str]:
    [config] = [one for one in scraped["scrape_configs"] if one["job_name"] == job]
    [group] = config["static_configs"]
    return group["targets"]


def expressions() -> Iterator[str]:
    for group in yaml.safe_load(RULES.read_text("utf-8"))["groups"]:
        yield from (rule["expr"] for rule in group["rules"])
    for panel in json.loads(BOARD.read_text("utf-8"))["panels"]:
        yield from (target["expr"] for target in panel["targets"])


def of_replica(job: Scheduled, did: Mapping[str, int]) -> Scheduled:
    """What the job said last that watches the replica; any other stays as it is."""
    return replace(job, did=did) if job.name == figures.WATCHES_REPLICA else job


async def told(backups: Path, monkeypatch: pytest.MonkeyPatch, redis_url: str) -> dict[str, Any]:
    """All that is told where there is everything: Redis, a backup, a replica."""
    dumping.dump(backups / "watchcoins-20261123T000000Z.dump")
    monkeypatch.setenv("BACKUP_DIR", str(backups))
    monkeypatch.setenv("REDIS_URL", redis_url)
    settings.cache_clear()
    seen = await figures.look(utc_now())
    assert seen.site
    one = Figures()
    one.seen = replace(seen, jobs=tuple(of_replica(job, {"behind": 40}) for job in seen.jobs))
    families = [*one.collect(), *(f for f in REGISTRY.collect() if f.type != "gauge")]
    families += [f for f in REGISTRY.collect() if f.name.startswith(("process", "python"))]
    return {
        f"{family.name}{suffix}": family
        for family in families
        for suffix in SUFFIXES.get(family.type, ("",))
    }


@pytest.fixture
def sick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """To say how the disk of the backups is, which there are."""
    monkeypatch.setenv("BACKUP_DIR", str(tmp_path))
    settings.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    settings.cache_clear()


class TestWhatIsTold:
    async def test_is_all_that_rules_and_pictures_name(
        self, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, redis: Any
    ):
        known = await told(tmp_path, monkeypatch, redis.url)
        monkeypatch.undo()
        settings.cache_clear()
        named = {name for line in expressions() for name in NAMED.findall(line)}
        assert len(named) > 25
        assert named - known.keys() == set()
        # And nothing of ours is told that nobody looks at.
        ours = {known[name].name for name in known if name.startswith("watchcoins_")}
        shown = {known[name].name for name in named if name.startswith("watchcoins_")}
        assert ours - shown == set()

    async def test_of_redis_is_what_it_keeps_and_how_much_it_may(
        self, database: str, monkeypatch: pytest.MonkeyPatch, redis: Redis
    ):
        monkeypatch.setenv("REDIS_URL", redis.url)
        settings.cache_clear()
        with redis_client.Redis.from_url(redis.url) as client:
            client.execute_command("CONFIG", "SET", "maxmemory", "100mb")
            seen = await figures.look(utc_now())
            client.execute_command("CONFIG", "SET", "maxmemory", "0")
        values = {s.name: s.value for f in _collected(seen) for s in f.samples if not s.labels}
        monkeypatch.undo()
        settings.cache_clear()
        assert values["watchcoins_redis_most_bytes"] == 100 * 2**20
        assert 0 < values["watchcoins_redis_used_bytes"] < 100 * 2**20
        assert values["watchcoins_redis_save_failing"] == 0

    async def test_of_redis_is_that_it_cannot_save(
        self, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        with redis_that_cannot_save(tmp_path) as one:
            monkeypatch.setenv("REDIS_URL", one.url)
            settings.cache_clear()
            seen = await figures.look(utc_now())
            values = {s.name: s.value for f in _collected(seen) for s in f.samples if not s.labels}
            monkeypatch.undo()
            settings.cache_clear()
        assert (values["watchcoins_redis_up"], values["watchcoins_redis_save_failing"]) == (1, 1)

    @pytest.mark.parametrize("failure", [PermissionError, OSError(errno.EIO, "")], ids=str)
    async def test_leaves_out_backups_whose_disk_is_sick(
        self, database: str, sick: pytest.MonkeyPatch, failure: Any
    ):
        def breaks(_folder: Path) -> None:
            raise failure

        sick.setattr(probes, "disk", breaks)
        seen = await figures.look(utc_now())
        assert seen.backups is None
        assert seen.site

    async def test_waits_for_no_backups_whose_disk_hangs(
        self, database: str, sick: pytest.MonkeyPatch
    ):
        begun, is_well = list[Path](), Event()

        def hangs(folder: Path) -> probes.Disk:
            begun.append(folder)
            is_well.wait(20)
            return probes.Disk(3, 2, 1)

        sick.setattr(probes, "disk", hangs)
        sick.setattr(aside, "SECONDS", 0.1)
        looked = [await figures.look(utc_now()) for _ in range(3)]
        assert [one.backups for one in looked] == [None] * 3
        assert len(begun) == 1
        is_well.set()
        sick.setattr(aside, "SECONDS", 10)
        assert (await figures.look(utc_now())).backups == figures.Backups(
            None, probes.Disk(3, 2, 1)
        )

    async def test_of_a_quiet_site_is_that_all_is_well(self, database: str):
        seen = await figures.look(utc_now())
        assert seen.site
        assert (seen.site.paid_not_delivered, seen.site.payments_unsettled) == (0, 0)
        values = {s.name: s.value for f in _collected(seen) for s in f.samples if not s.labels}
        assert values["watchcoins_database_up"] == 1
        assert values["watchcoins_queue_oldest_seconds"] == 0
        assert values["watchcoins_disk_free_bytes"] > 0
        assert "watchcoins_backup_age_seconds" not in values

    async def test_of_months_is_how_many_tables_lack_one(self, database: str):
        assert await months_missing(utc_now()) == 0
        assert await months_missing(utc_now() + timedelta(days=365)) == 2
        in_none = utc_now() + timedelta(days=200)
        await were_watched(await an_ad(), 1, price=0, day=in_none.date())
        assert await months_missing(utc_now()) == 2

    @pytest.mark.parametrize(
        ("did", "away", "lag"),
        [({}, None, None), ({"behind": 40}, 0, 0.04), ({"away": 1}, 1, None)],
        ids=["no replica", "near", "away"],
    )
    async def test_of_the_replica_is_what_the_job_saw(
        self, database: str, did: dict[str, int], away: int | None, lag: float | None
    ):
        seen = await figures.look(utc_now())
        seen = replace(seen, jobs=tuple(of_replica(job, did) for job in seen.jobs))
        values = {s.name: s.value for f in _collected(seen) for s in f.samples if not s.labels}
        assert values.get("watchcoins_replica_away") == away
        assert values.get("watchcoins_replica_lag_seconds") == lag

    async def test_says_of_a_database_that_is_away_only_that(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setenv("DATABASE_URL", "postgresql://127.0.0.1:1/nothing")
        settings.cache_clear()
        try:
            with soon_given_up():
                seen = await figures.look(utc_now())
        finally:
            monkeypatch.undo()
            settings.cache_clear()
        values = {s.name: s.value for f in _collected(seen) for s in f.samples if not s.labels}
        assert values["watchcoins_database_up"] == 0
        assert "watchcoins_paid_not_delivered" not in values

    async def test_is_looked_at_again_after_a_while_also_by_a_clock_that_was_set_back(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        one, earlier = Figures(), NOON - timedelta(hours=1)
        with time_machine.travel(NOON, tick=False):
            await one.refresh()
        with time_machine.travel(earlier, tick=False):
            await one.refresh()
            assert one.seen
            assert one.seen.at == NOON
            monkeypatch.setattr(figures, "SECONDS_KNOWN", 0)
            await one.refresh()
        assert one.seen.at == earlier

    async def test_what_watches_the_replica_is_a_job_that_there_is(self):
        assert figures.WATCHES_REPLICA in jobs.JOBS

    async def test_the_proofs_of_the_night_are_jobs_that_there_are(self):
        assert set(figures.BOOKS) <= set(jobs.JOBS)

    async def test_books_that_are_wrong_stay_so_until_a_proof_says_otherwise(self, database: str):
        def runs(hours: int, ended: str | None, error: str, did: str) -> None:
            with psycopg.connect(database) as connection:
                connection.execute(
                    "insert into job_runs (id, job, started_at, ended_at, error, did) values"
                    " (gen_random_uuid(), %(job)s, now() + %(hours)s * interval '1 hour',"
                    " %(ended)s, %(error)s, %(did)s)",
                    {"job": proof, "hours": hours, "ended": ended, "error": error, "did": did},
                )

        async def wrong() -> float:
            families = _collected(await figures.look(utc_now()))
            [of_books] = [f for f in families if f.name == "watchcoins_books_wrong"]
            told = {sample.labels["book"]: sample.value for sample in of_books.samples}
            return told[figures.BOOKS[proof]]

        proof = next(iter(figures.BOOKS))
        runs(-50, "2026-11-20", "", '{"wrong": 3}')
        assert await wrong() == 3
        runs(-26, "2026-11-21", "StorageAway", "{}")
        assert await wrong() == 3
        runs(-2, None, "", "{}")
        assert await wrong() == 3
        runs(-1, "2026-11-22", "", '{"wrong": 0}')
        assert await wrong() == 0

    async def test_an_order_that_was_delivered_is_not_counted(self, database: str):
        await stock()
        await buys(await a_buyer(coins_owned=89), 89)
        seen = await figures.look(utc_now())
        assert seen.site
        assert seen.site.paid_not_delivered == 0


async def months_missing(now: datetime) -> float:
    families = _collected(await figures.look(now))
    [found] = [f for f in families if f.name == "watchcoins_months_missing"]
    return found.samples[0].value


def _collected(seen: figures.Seen) -> list[Any]:
    one = Figures()
    one.seen = seen
    return list(one.collect())


class TestTheFiles:
    def test_each_rule_says_how_bad_it_is_and_what_is_so(self):
        [group] = yaml.safe_load(RULES.read_text("utf-8"))["groups"]
        for rule in group["rules"]:
            assert rule["labels"]["severity"] in ("critical", "warning")
            assert rule["annotations"]["summary"].endswith((".", "?"))
        names = [rule["alert"] for rule in group["rules"]]
        assert len(names) == len(set(names))

    def test_pictures_ask_the_source_that_is_provided(self):
        told = yaml.safe_load(
            (DEPLOY / "grafana/provisioning/datasources/prometheus.yaml").read_text("utf-8")
        )
        [source] = told["datasources"]
        for panel in json.loads(BOARD.read_text("utf-8"))["panels"]:
            assert panel["datasource"]["uid"] == source["uid"]
            assert all(target["datasource"] == panel["datasource"] for target in panel["targets"])

    def test_the_workers_of_the_machine_are_the_ones_that_are_asked(self):
        nginx = (DEPLOY / "nginx/workers.machine.conf").read_text("utf-8")
        scraped = yaml.safe_load((DEPLOY / "prometheus/prometheus.yaml").read_text("utf-8"))
        assert asked_as("watchcoins", scraped) == re.findall(r"127\.0\.0\.1:\d+", nginx)

    def test_the_workers_of_compose_are_the_ones_that_are_asked(self):
        nginx = (DEPLOY / "nginx/workers.conf").read_text("utf-8")
        scraped = yaml.safe_load((DEPLOY / "prometheus/prometheus.compose.yaml").read_text("utf-8"))
        assert asked_as("watchcoins", scraped) == re.findall(r"app-\w:\d+", nginx)

    @pytest.mark.parametrize("file", CONFIGURATIONS, ids=lambda file: file.name)
    def test_each_rule_wakes_somebody(self, file: Path):
        [told] = yaml.safe_load(file.read_text("utf-8"))["alerting"]["alertmanagers"]
        [group] = told["static_configs"]
        assert [target.rpartition(":")[2] for target in group["targets"]] == ["9093"]
        woken = yaml.safe_load((DEPLOY / "prometheus/alertmanager.yaml").read_text("utf-8"))
        assert woken["route"]["receiver"] in {one["name"] for one in woken["receivers"]}

    @pytest.mark.skipif(not shutil.which("promtool"), reason="Debian's prometheus is not here")
    def test_are_read_by_prometheus(self):
        configurations = [("config", "--syntax-only", file) for file in CONFIGURATIONS]
        for words in (("rules", RULES), *configurations):
            done = subprocess.run(["promtool", "check", *words], capture_output=True, text=True)
            assert done.returncode == 0, done.stderr

    @pytest.mark.skipif(not shutil.which("promtool"), reason="Debian's prometheus is not here")
    def test_notice_what_happens_once(self, tmp_path: Path):
        cases = [
            {
                "interval": "1m",
                "input_series": [{"series": series, "values": f"{before} {happened}x200"}],
                "promql_expr_test": [
                    {
                        "expr": f'count(ALERTS{{alertname="{rule}"}}) by (alertname) # {when}',
                        "eval_time": f"{minutes}m",
                        "exp_samples": [{"labels": f'{{alertname="{rule}"}}', "value": 1}] * fires,
                    }
                    for minutes, fires in ((19, 0), (23, 1), (180, 0))
                ],
            }
            for rule, (series, counted) in HAPPENINGS.items()
            for when, before, happened in (
                ("for the first time", "_x20", counted),
                ("again", "2x20", counted + 2),
            )
        ]
        hold(cases, tmp_path)

    @pytest.mark.skipif(not shutil.which("promtool"), reason="Debian's prometheus is not here")
    def test_notice_how_things_stand(self, tmp_path: Path):
        cases = [
            {
                "interval": "1m",
                "input_series": [
                    {"series": one, "values": f"{of}x60"} for one, of in series.items()
                ],
                "promql_expr_test": [
                    {
                        "expr": f'count(ALERTS{{alertname="{rule}", alertstate="firing"}}) '
                        f"# where {series}",
                        "eval_time": "30m",
                        "exp_samples": [{"labels": "{}", "value": 1}] * fires,
                    }
                ],
            }
            for rule, series, fires in STANDINGS
        ]
        hold(cases, tmp_path)


def hold(cases: list[dict[str, Any]], folder: Path) -> None:
    """Prometheus's own tool finds the rules to do as the cases say, and shows what is not so."""
    written = folder / "cases.yaml"
    said = {"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": cases}
    written.write_text(yaml.safe_dump(said))
    done = subprocess.run(["promtool", "test", "rules", written], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
