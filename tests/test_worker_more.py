"""One worker more: what the handbook has typed for it, and every place that names the others."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from dotenv import dotenv_values

from rewards_app.core.settings import Settings
from rewards_app.doctor import configuration, neighbours
from rewards_app.doctor.findings import Kind
from tests.serving import Redis
from tests.test_deploy import DEPLOY, HANDBOOK, blocks_under, told_under
from tools.ports import free_port

TOLD = told_under("One worker more")
SECOND, THIRD = "127.0.0.1:8302", "127.0.0.1:8303"
INSTALLED_AS = {
    "Caddyfile": "/etc/caddy/Caddyfile",
    "nginx/workers.machine.conf": "/etc/nginx/workers.conf",
    "prometheus/prometheus.yaml": "/etc/prometheus/prometheus.yml",
}
STAND_INS = "".join(f"{word}() {{ :; }}\n" for word in ("apt-get", "ufw", "chown", "systemctl"))


class TestOnTheSameMachine:
    def test_comes_into_every_file_that_names_the_others(self):
        naming = {
            str(file.relative_to(DEPLOY))
            for file in DEPLOY.rglob("*")
            if file.is_file() and SECOND in file.read_text("utf-8")
        }
        assert naming == set(INSTALLED_AS)
        assert all(f"`{name}`" in TOLD for name in INSTALLED_AS.values())

    @pytest.mark.parametrize("name", ["nginx/workers.machine.conf", "prometheus/prometheus.yaml"])
    def test_has_a_line_as_they_have(self, name: str):
        [line] = re.findall(rf"^ *(.*{SECOND}.*)$", (DEPLOY / name).read_text("utf-8"), re.M)
        assert f"`{line.replace(SECOND, THIRD)}` below the others in `{INSTALLED_AS[name]}`" in TOLD

    def test_is_in_each_list_of_caddy(self):
        lists = (DEPLOY / "Caddyfile").read_text("utf-8").count(SECOND)
        assert (lists, f"`{THIRD}` in each of the three lists" in TOLD) == (3, True)

    def test_restarts_wherever_the_second_one_does(self):
        for heading in ("Update", "Roles of the database"):
            _, _, after = told_under(heading).partition("systemctl restart watchcoins@8302")
            assert re.match(r".{0,20}each further worker likewise", after, re.S | re.I), heading


def test_prometheus_asks_the_second_worker_again_once_there_are_several():
    """On one small machine its line was taken out."""
    told = told_under("From one small machine to several workers")
    assert f"`- {SECOND}` stands below 8301 in `/etc/prometheus/prometheus.yml` again" in told
    assert f"sed -i '/{SECOND}/d' /etc/prometheus/prometheus.yml" in HANDBOOK


class TestOnAnotherMachine:
    def test_is_reached_where_its_firewall_lets_in(self):
        [_, _, there] = blocks_under("One worker more")
        assert "ufw allow from 192.0.2.4 to any port 8301,9100 proto tcp\n" in there
        written = re.search(r"printf '(.+)' >(\S+)$", there, re.MULTILINE)
        assert written
        assert written[1] == r"[Service]\nEnvironment=HOST=0.0.0.0\n"
        assert written[2] == "/etc/systemd/system/watchcoins@.service.d/host.conf"
        # What a file of settings says counts for more than a unit and what is added to it.
        assert "HOST" not in dotenv_values(DEPLOY / "env.example")

    def test_is_not_told_the_owner_and_makes_no_backups(self):
        assert "with nothing after `BACKUP_DIR=`" in TOLD
        assert "`env.owner` stays where it is" in TOLD


class _RedisAsTold(Redis):
    """By what was written down for it."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            ["redis-server", "redis.conf"], cwd=self.folder, stdout=subprocess.DEVNULL
        )
        self._wait_until_it_listens()


class TestRedisOfSeveralMachines:
    """As the lines of the handbook leave it, on another port and under this machine's name."""

    @pytest.fixture
    def url(self, tmp_path: Path) -> Iterator[str]:
        port = str(free_port())
        [_, block, _] = blocks_under("One worker more")
        for said, here in {
            "redis.example.com": "localhost",
            "0.0.0.0": "127.0.0.1",
            "6379": port,
            "/etc/redis": str(tmp_path),
            "/etc/watchcoins": str(tmp_path),
        }.items():
            block = block.replace(said, here)
        shutil.copy(DEPLOY / "env.example", tmp_path / "env")
        subprocess.run(["bash", "-euc", STAND_INS + block], check=True, capture_output=True)
        server = _RedisAsTold(tmp_path, int(port))
        yield dotenv_values(tmp_path / "env")["REDIS_URL"] or ""
        server.stop()

    async def test_answers_by_tls_to_who_has_the_password(self, url: str, tmp_path: Path):
        assert not list(tmp_path.glob("password"))
        assert (tmp_path / "redis.key").stat().st_mode & 0o077 == 0
        found = await neighbours.redis(_with_redis(url))
        assert not [one for one in found if one.kind is Kind.WRONG]

    async def test_answers_nobody_without_it(self, url: str):
        scheme, _, place = url.partition("://")
        [found] = await neighbours.redis(_with_redis(f"{scheme}://{place.rpartition('@')[2]}"))
        assert (found.kind, "(AuthenticationError)" in found.what) == (Kind.WRONG, True)

    async def test_is_known_by_its_certificate(self, url: str):
        [found] = await neighbours.redis(_with_redis(url.partition("?")[0]))
        assert (found.kind, "does not answer" in found.what) == (Kind.WRONG, True)

    def test_is_what_the_doctor_asks_for(self, url: str):
        here = _with_redis(url.replace("localhost", "redis.example.com"))
        said = "\n".join(one.what for one in configuration.findings(here, workers=1))
        assert "Redis: let REDIS_URL be rediss://" not in said
        assert "REDIS_URL believes any certificate" not in said


def _with_redis(url: str) -> Settings:
    return Settings(_env_file=None, redis_url=url)  # pyright: ignore
