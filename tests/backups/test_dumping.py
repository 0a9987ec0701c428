"""Backups of a database on another machine, which is known by its certificate."""

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from rewards_app.backups import dumping
from rewards_app.backups.dumping import BackupFailed
from rewards_app.core.settings import settings
from tests.backups.point_in_time import Machine, Server
from tools.ports import free_port

NAME = "db.example.com"
Lead = Callable[[str, Path], str]
MAKING = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2")


def a_certificate(machine: Machine, name: str) -> Path:
    """That the server made itself, as the handbook has it; its key lies beside it."""
    made = machine.folder / f"{name}.crt"
    named = ("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}")
    machine.must(*MAKING, *named, "-keyout", made.with_suffix(".key"), "-out", made)
    return made


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    made = Machine()
    yield made
    made.remove()


@pytest.fixture(scope="module")
def far(machine: Machine, blank: Path) -> Iterator[str]:
    """The address of one that lets in by TLS alone, with `{}` in place of the database."""
    shown = a_certificate(machine, "shown")
    port = free_port()
    server = Server(machine, "far")
    server.make(blank)
    with (server.data / "postgresql.conf").open("a") as told:
        told.write(f"port = {port}\nlisten_addresses = '127.0.0.1'\narchive_mode = off\nssl = on\n")
        told.write(f"ssl_cert_file = '{shown}'\nssl_key_file = '{shown.with_suffix('.key')}'\n")
    (server.data / "pg_hba.conf").write_text("hostssl all all 127.0.0.1/32 trust\n")
    try:
        server.start()
    except AssertionError:
        if "ssl" not in (machine.folder / "far.log").read_text().lower():
            raise
        pytest.skip("the PostgreSQL of this machine speaks no TLS")
    yield f"postgresql://watchcoins@{NAME}:{port}/{{}}?hostaddr=127.0.0.1&sslmode=verify-full"
    server.stop()


@pytest.fixture
def leads_to(far: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lead]:
    def lead(database: str, trusted: Path) -> str:
        url = f"{far.format(database)}&sslrootcert={trusted}"
        monkeypatch.setenv("DATABASE_URL", url)
        settings.cache_clear()
        return url

    yield lead
    monkeypatch.undo()
    settings.cache_clear()


def test_is_made_and_restored_by_tls(machine: Machine, leads_to: Lead, tmp_path: Path):
    trusted = tmp_path / "trusted.crt"
    trusted.write_bytes((machine.folder / "shown.crt").read_bytes())
    with psycopg.connect(leads_to("postgres", trusted), autocommit=True) as server:
        server.execute("create database before")
        server.execute("create database after")
    with psycopg.connect(leads_to("before", trusted)) as before:
        before.execute("create table kept as select generate_series(1, 9) as number")
    file = tmp_path / "all.dump"
    assert dumping.dump(file).rows == {"kept": 9}
    with psycopg.connect(leads_to("after", trusted)) as after:
        dumping.restore(file)
        assert after.execute("select count(*) from kept").fetchone() == (9,)


def test_is_restored_on_a_server_that_lacks_the_tablespaces_of_the_one_before(
    machine: Machine, leads_to: Lead, tmp_path: Path
):
    trusted = tmp_path / "trusted.crt"
    trusted.write_bytes((machine.folder / "shown.crt").read_bytes())
    place = machine.folder / "slow"
    machine.must("install", "-d", "-m", "700", place)
    file = tmp_path / "all.dump"
    with psycopg.connect(leads_to("postgres", trusted), autocommit=True) as server:
        server.execute(sql.SQL("create tablespace slow location {}").format(str(place)))
        for name in ("spread", "together"):
            server.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
        with psycopg.connect(leads_to("spread", trusted)) as spread:
            spread.execute("create table kept (number integer primary key) tablespace slow")
            spread.execute("create index by_number on kept (number) tablespace slow")
        dumping.dump(file)
        server.execute("drop database spread")
        server.execute("drop tablespace slow")
    leads_to("together", trusted)
    dumping.restore(file)
    assert dumping.count_rows() == {"kept": 0}


def test_another_server_in_its_place_gets_nothing(machine: Machine, leads_to: Lead, tmp_path: Path):
    """Asked as the program is, which must look at the certificate itself."""
    another = tmp_path / "another.crt"
    another.write_bytes(a_certificate(machine, "another").read_bytes())
    leads_to("postgres", another)
    with pytest.raises(BackupFailed, match="certificate verify failed"):
        dumping._run("pg_dump", "-s", "-f", str(tmp_path / "all.dump"))
