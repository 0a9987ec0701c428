"""Which databases show a certificate before they are told a password."""

import os
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

CHECKED = "verify-full"
SYSTEM = "system"
"""In place of a file: what the library that speaks TLS takes for the machine's own."""


def unchecked_hosts(url: str) -> list[str]:
    """Those on other machines that anybody may answer for."""
    if not url or _mode(url) == CHECKED:
        return []
    told = conninfo_to_dict(url)
    hosts = str(told.get("hostaddr") or told.get("host") or "").split(",")
    return [host for host in hosts if not is_here(host)]


def believed(url: str) -> str:
    """The file of those who may sign, or SYSTEM; nothing where no certificate is looked at."""
    if not url or _mode(url) != CHECKED:
        return ""
    return _named(url) or str(Path.home() / ".postgresql/root.crt")


def _mode(url: str) -> str:
    """As libpq takes it: SYSTEM alone asks for all of it."""
    told = str(conninfo_to_dict(url).get("sslmode") or os.environ.get("PGSSLMODE", ""))
    return told or (CHECKED if _named(url) == SYSTEM else "")


def _named(url: str) -> str:
    return str(conninfo_to_dict(url).get("sslrootcert") or os.environ.get("PGSSLROOTCERT", ""))


def is_here(host: str) -> bool:
    """A socket in the file system, or this machine's own addresses."""
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return False
