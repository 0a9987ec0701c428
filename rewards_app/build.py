"""Building the frontend, and knowing when the last build still serves."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from rewards_app import documents, offline
from rewards_app.core.settings import settings

PROJECT = Path(__file__).parents[1]
SOURCES = ("rewards_app", "assets", "reflex.lock", "rxconfig.py", "requirements.txt")
NPM_PACKAGES = PROJECT / "reflex.lock" / "package.json"

# Reflex's own switches; the last two groups are its internals, which is why its version is pinned.
REFLEX_ENVIRONMENT = {
    "REFLEX_TELEMETRY_ENABLED": "false",
    "REFLEX_CHECK_LATEST_VERSION": "0",
    "REFLEX_USE_GRANIAN": "true",
    # The longest message that a page sends, in characters: a whole sheet of gift codes.
    "REFLEX_SOCKET_MAX_HTTP_BUFFER_SIZE": "600000",
    # Seconds that a page waits for a late ping: `connection.js` knows when it must have come.
    "REFLEX_SOCKET_TIMEOUT": "20",
}
SERVING_ENVIRONMENT = {
    "REFLEX_ENV_MODE": "prod",
    "__REFLEX_SKIP_COMPILE": "1",
    "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "1",
}

REFLEX = "import gc; gc.set_threshold(100_000, 50, 1000); from reflex.reflex import cli; cli()"
"""The pages are millions of objects that all stay until the end: to look for garbage among them as
often as usual takes a fifth of the time."""


class BuildFailed(Exception):
    """The frontend could not be built; the message ends with what the builder printed."""


def web_folder() -> Path:
    return Path(os.environ.get("REFLEX_WEB_WORKDIR", PROJECT / ".web"))


def pages_folder() -> Path:
    """What is served: the documents, the scripts, the pictures."""
    return web_folder() / "build" / "client"


def build_if_changed() -> bool:
    """Build unless the last build was made of the same sources and settings."""
    if is_current():
        return False
    _refuse_others_folder()
    _stamp().unlink(missing_ok=True)
    _tidy_lock()
    # Taken before: what is saved while the builder works is not in its build.
    wanted = fingerprint()
    build()
    _stamp().write_text(wanted)
    return True


def _refuse_others_folder() -> None:
    for place in (web_folder(), PROJECT):
        if place.exists() and not os.access(place, os.W_OK):
            raise BuildFailed(
                f"{place} belongs to another user, {place.owner()}: 'rewards build' is theirs to"
                " run. Nothing was changed."
            )


def is_current() -> bool:
    return _stamp().exists() and _stamp().read_text() == fingerprint()


def what_changed() -> list[str]:
    """What of the last build is not what it would be made of now; all of it where there is none."""
    made_of = json.loads(_stamp().read_text()) if _stamp().exists() else {}
    wanted: dict[str, object] = json.loads(fingerprint())
    return [part for part, value in wanted.items() if made_of.get(part) != value]


def built_at() -> datetime | None:
    """When the last build was made, of whichever version."""
    if not _stamp().exists():
        return None
    return datetime.fromtimestamp(_stamp().stat().st_mtime, UTC)


def _stamp() -> Path:
    return web_folder() / "built-from"


def build() -> None:
    # Reflex copies an asset only over an older one, and a restored folder may look newer.
    shutil.rmtree(web_folder() / "public", ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-c", REFLEX, "export", "--frontend-only", "--no-zip"],
        cwd=PROJECT,
        env={**os.environ, **REFLEX_ENVIRONMENT},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    _tidy_lock()
    if done.returncode:
        raise BuildFailed(f"The frontend could not be built:\n{done.stdout[-4000:]}")
    documents.finish(pages_folder())
    offline.finish(pages_folder())


def _tidy_lock() -> None:
    """One way of writing the npm packages: Reflex and bun each have their own, in turns."""
    if NPM_PACKAGES.read_bytes() != _content(NPM_PACKAGES):
        NPM_PACKAGES.write_bytes(_content(NPM_PACKAGES))


def _content(file: Path) -> bytes:
    if file != NPM_PACKAGES:
        return file.read_bytes()
    # Another build may be at work: what is written counts, not how.
    return (json.dumps(json.loads(file.read_text("utf-8")), indent=2) + "\n").encode()


def fingerprint() -> str:
    """Changes with every source file and with each setting that is baked into the pages."""
    chosen = settings()
    baked = {
        "address": chosen.origin,
        "mode": chosen.mode,
        "providers": _providers(),
        "support": chosen.support_email,
    }
    return json.dumps({"sources": digest_of_sources(), **baked}, indent=2)


def digest_of_sources() -> str:
    digest = hashlib.sha256()
    for file in _source_files():
        digest.update(str(file.relative_to(PROJECT)).encode())
        digest.update(_content(file))
    return digest.hexdigest()


def _providers() -> tuple[str, ...]:
    chosen = settings()
    return (
        chosen.google_client_id,
        chosen.discord_client_id,
        chosen.oidc_client_id,
        chosen.oidc_name,
    )


def _source_files() -> Iterator[Path]:
    for name in SOURCES:
        path = PROJECT / name
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (file for file in found if file.is_file() and "__pycache__" not in file.parts)
