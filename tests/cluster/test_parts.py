"""What a cluster is made of, looked at without one that runs."""

import os
import re
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.cluster.conftest import skip_without
from tools.cluster import engines, programs, proxies
from tools.cluster.programs import CannotStart, program
from tools.ports import free_port

PORTS = (18301, 18302, 18303)


class TestPrograms:
    @pytest.mark.parametrize(("name", "package"), programs.PACKAGES.items())
    def test_that_are_missing_are_named_as_debian_names_them(
        self, name: str, package: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(programs.shutil, "which", lambda *_, **__: None)
        with pytest.raises(CannotStart) as refusal:
            program(name)
        assert f"apt-get install --no-install-recommends {package}" in str(refusal.value)


class TestPostgres:
    def test_is_not_begun_where_its_account_cannot_go(self, tmp_path: Path):
        if os.geteuid() != 0:
            pytest.skip("Only root gives it another account.")
        skip_without("postgres")
        hidden = tmp_path / "hidden"
        hidden.mkdir(mode=0o700)
        with pytest.raises(CannotStart, match="cannot enter"), engines.postgres(hidden, workers=1):
            pass
        assert list(hidden.iterdir()) == []


class TestTheProxies:
    def test_nginx_reads_what_deployments_have(self, tmp_path: Path):
        skip_without("nginx")
        proxies.write_nginx(tmp_path / "nginx", 18300, PORTS)
        text = (tmp_path / "nginx/nginx.conf").read_text()
        assert "ssl" not in text
        assert "listen 127.0.0.1:18300;" in text
        servers = (tmp_path / "nginx/workers.conf").read_text()
        assert all(f"server 127.0.0.1:{port} max_fails=0" in servers for port in PORTS)
        assert (tmp_path / "nginx/passing.conf").read_text() == (
            proxies.DEPLOY / "nginx/passing.conf"
        ).read_text()
        done = subprocess.run(
            [program("nginx"), "-t", "-p", tmp_path, "-c", tmp_path / "nginx/nginx.conf"],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr

    def test_caddy_reads_what_deployments_have(self, tmp_path: Path):
        skip_without("caddy")
        text = proxies.caddy_text(18300, PORTS)
        assert "127.0.0.1:18301 127.0.0.1:18302 127.0.0.1:18303" in text
        assert re.findall(r"^\S.* \{$", text, re.MULTILINE) == ["http://localhost:18300 {"]
        file = tmp_path / "Caddyfile"
        file.write_text(text)
        done = subprocess.run(
            [program("caddy"), "validate", "--adapter", "caddyfile", "--config", file],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr

    def test_caddy_refuses_what_is_too_large(self, tmp_path: Path):
        """Before it asks a worker, of which there is none."""
        skip_without("caddy")
        port = free_port()
        with (
            proxies.caddy(tmp_path, port, PORTS),
            httpx.Client(base_url=f"http://localhost:{port}", timeout=30) as client,
        ):
            large = client.post("/webhooks/stripe", content=b" " * 4 * 2**20)
            assert large.status_code == 413
            small = client.post("/webhooks/stripe", content=b" " * 999_999)
            assert small.status_code in (502, 503)

    def test_caddy_writes_down_nothing_of_what_failed(self, tmp_path: Path):
        """Mailed links carry their secret in the query; addresses of visitors are nobody's."""
        skip_without("caddy")
        port = free_port()
        with (
            proxies.caddy(tmp_path, port, PORTS),
            httpx.Client(base_url=f"http://localhost:{port}", timeout=30) as client,
        ):
            assert client.get("/verify?token=planted-secret").status_code in (502, 503)
        said = (tmp_path / "caddy.log").read_text()
        assert "health_checker" in said
        assert "planted-secret" not in said
        assert "remote_ip" not in said
