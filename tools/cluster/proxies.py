"""nginx or Caddy in front of the workers, with what deploy/ has for them.

What differs from a deployment: http on this machine alone instead of https, and other folders.
"""

import re
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools.cluster.engines import listens
from tools.cluster.programs import not_started, program, run, stop

DEPLOY = Path(__file__).parents[2] / "deploy"
SECONDS_TO_START = 15
LEADING_TO_HTTPS = re.compile(r"\n    server \{\n        listen 80 .*?\n    \}\n", re.DOTALL)
CADDY_LEADING_TO_HTTPS = re.compile(
    r"\n# [^\n]*\nhttp://play\.example\.com \{\n.*?\n\}\n", re.DOTALL
)
OF_HTTPS = re.compile(r"^\s*(ssl_|listen \[::\]).*;\n", re.MULTILINE)


@contextmanager
def nginx(folder: Path, port: int, workers: Sequence[int]) -> "Generator[subprocess.Popen[bytes]]":
    own = folder / "nginx"
    write_nginx(own, port, workers)
    command = [program("nginx"), "-p", str(own), "-c", str(own / "nginx.conf")]
    with _running([*command, "-g", "daemon off;"], folder / "nginx.log", port) as process:
        yield process


def write_nginx(folder: Path, port: int, workers: Sequence[int]) -> None:
    folder.mkdir(exist_ok=True)
    text = (DEPLOY / "nginx/nginx.conf").read_text("utf-8")
    text = OF_HTTPS.sub("", LEADING_TO_HTTPS.sub("\n", text))
    text = re.sub(r"listen 443 [^;]*;", f"listen 127.0.0.1:{port};", text)
    text = re.sub(r"/etc/nginx/(?!mime)|/var/(?:log|cache)/nginx/", f"{folder}/", text)
    places = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "scgi", "uwsgi")
    )
    text = text.replace("http {\n", f"http {{\n{places}", 1)
    # Only root may choose; others are themselves anyhow.
    (folder / "nginx.conf").write_text(f"user root;\npid {folder}/nginx.pid;\n{text}")
    (folder / "passing.conf").write_text((DEPLOY / "nginx/passing.conf").read_text("utf-8"))
    lines = (DEPLOY / "nginx/workers.machine.conf").read_text("utf-8")
    [how] = re.findall(r"127\.0\.0\.1:8301( .*;)", lines)
    others = re.sub(r"    server 127.*\n", "", lines)
    servers = "".join(f"    server 127.0.0.1:{one}{how}\n" for one in workers)
    (folder / "workers.conf").write_text(others.replace("least_conn;\n", f"least_conn;\n{servers}"))


@contextmanager
def caddy(folder: Path, port: int, workers: Sequence[int]) -> "Generator[subprocess.Popen[bytes]]":
    file = folder / "Caddyfile"
    file.write_text(caddy_text(port, workers))
    command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(file)]
    with _running(command, folder / "caddy.log", port) as process:
        yield process


def caddy_text(port: int, workers: Sequence[int]) -> str:
    text = CADDY_LEADING_TO_HTTPS.sub("", (DEPLOY / "Caddyfile").read_text("utf-8"))
    text = text.replace("play.example.com {", f"http://localhost:{port} {{\n\tbind 127.0.0.1\n")
    text = text.replace("127.0.0.1:8301 127.0.0.1:8302", _addresses(workers))
    text = text.replace("127.0.0.1:8302 127.0.0.1:8301", _addresses(workers[::-1]))
    return text.replace("{\n\tservers", "{\n\tadmin off\n\tauto_https off\n\tservers", 1)


def _addresses(workers: Sequence[int]) -> str:
    return " ".join(f"127.0.0.1:{one}" for one in workers)


@contextmanager
def _running(command: Sequence[str], log: Path, port: int) -> "Generator[subprocess.Popen[bytes]]":
    process = run(command, log)
    try:
        deadline = time.monotonic() + SECONDS_TO_START
        while not listens(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise not_started("The proxy", process, log, seconds=SECONDS_TO_START)
            time.sleep(0.05)
        yield process
    finally:
        stop(process)


PROXIES = {"nginx": nginx, "caddy": caddy}
