"""What a start in production serves: nothing that is there to help whoever develops."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from rewards_app import server
from rewards_app.documents import NOT_FOUND_DOCUMENT
from tests.core.test_settings import PRODUCTION
from tests.serving import PROJECT

FOR_DEVELOPERS = ("/dev/outbox", "/dev/outbox/a.eml/0", "/dev/components", "/_all_routes")
PROGRAM = """
import asyncio, json, sys
import httpx
from reflex.utils.exec import is_prod_mode
from rewards_app.core.settings import settings
from rewards_app.served import app
from tests.hostile.routes import routes
from rewards_app.rewards_app import ROUTES

async def answers(paths):
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app()), base_url="http://x") as http:
        return {path: (await http.get(path)).status_code for path in paths}

print(json.dumps({
    "mode": settings().mode,
    "is_reflex_in_production": is_prod_mode(),
    "debugs": app._api.debug,
    "pages": list(app._unevaluated_pages),
    "routes": [path for path, _ in routes(ROUTES)],
    "answers": asyncio.run(answers(sys.argv[1:])),
}))
"""


async def started(folder: Path, **environment: str) -> dict[str, Any]:
    """What an app tells of itself that was loaded as the server loads it, beside no page at all."""
    pages = folder / "build" / "client"
    pages.mkdir(parents=True)
    (pages / NOT_FOUND_DOCUMENT).write_text("<!doctype html>")
    # As a build leaves it: no page makes states, so none is evaluated.
    (folder / "backend").mkdir()
    (folder / "backend" / "stateful_pages.json").write_text("[]")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PROGRAM, "/robots.txt", *FOR_DEVELOPERS),
        cwd=PROJECT,
        env=server.server_environment() | {"REFLEX_WEB_WORKDIR": str(folder)} | environment,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    return json.loads(said.splitlines()[-1])


@pytest.mark.usefixtures("database")
class TestAStart:
    async def test_in_production_serves_nothing_for_developers(self, tmp_path: Path):
        found = await started(tmp_path, **PRODUCTION)
        assert (found["mode"], found["is_reflex_in_production"]) == ("production", True)
        assert not found["debugs"]
        assert found["answers"] == {"/robots.txt": 200} | dict.fromkeys(FOR_DEVELOPERS, 404)
        assert [one for one in (*found["pages"], *found["routes"]) if "dev/" in f"{one}/"] == []

    async def test_in_development_does(self, tmp_path: Path):
        """Else the test before would prove nothing."""
        found = await started(tmp_path, **os.environ | {"REFLEX_ADD_ALL_ROUTES_ENDPOINT": "1"})
        assert found["mode"] == "development"
        assert (found["answers"]["/dev/outbox"], found["answers"]["/_all_routes"]) == (200, 200)
        assert "dev/components" in found["pages"]
