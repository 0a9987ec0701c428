"""What a phone reads before it installs the app."""

import struct
from pathlib import Path

import httpx2 as httpx
import pytest

from rewards_app.api.manifest import manifest_in
from rewards_app.i18n.languages import CODES, wanted
from rewards_app.i18n.mail_text import words
from rewards_app.ui.palette import DARK, LIGHT
from tests.serving import Served

ASSETS = Path(__file__).parents[2] / "assets"


def size_of(picture: Path) -> str:
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    return f"{width}x{height}"


class TestManifest:
    @pytest.mark.parametrize("language", CODES)
    def test_speaks_the_language_and_stays_the_same_app(self, language: str):
        found = manifest_in(language)
        assert (found["id"], found["start_url"], found["display"]) == ("/", "/", "standalone")
        assert found["lang"] == language
        assert found["description"] == words("landing.lead", language)
        assert [(way["name"], way["url"]) for way in found["shortcuts"]] == [
            (words("nav.earn", language), "/watch"),
            (words("nav.shop", language), "/shop"),
        ]

    def test_names_icons_as_large_as_they_are(self):
        for icon in manifest_in("en")["icons"]:
            assert size_of(ASSETS / icon["src"].strip("/")) == icon["sizes"]

    def test_has_what_a_phone_needs_to_install_it(self):
        icons = {(icon["sizes"], icon["purpose"]) for icon in manifest_in("en")["icons"]}
        assert icons >= {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}


class TestWanted:
    @pytest.mark.parametrize(
        ("accepted", "language"),
        [
            ("sv-SE,sv;q=0.9,en;q=0.8", "sv"),
            ("ja, PL;q=0.7", "pl"),
            ("ja", "en"),
            ("*", "en"),
            ("", "en"),
            (",;;q=,", "en"),
        ],
    )
    def test_is_the_first_of_ours(self, accepted: str, language: str):
        assert wanted(accepted) == language


@pytest.fixture
def http(served: Served) -> httpx.Client:
    return httpx.Client(base_url=served.url, follow_redirects=False, verify=False)


class TestServed:
    def test_in_the_language_that_the_browser_asks_for(self, http: httpx.Client):
        answer = http.get("/manifest.webmanifest", headers={"Accept-Language": "de-AT,de;q=0.9"})
        assert answer.headers["content-type"] == "application/manifest+json"
        assert answer.headers["cache-control"] == "no-cache"
        assert "Accept-Language" in answer.headers["vary"]
        assert answer.json() == manifest_in("de")

    @pytest.mark.parametrize("path", ["/", "/sv", "/auth", "/shop", "/no-such-page"])
    def test_every_document_leads_there(self, http: httpx.Client, path: str):
        document = http.get(path).text
        for said in (
            '<link href="/manifest.webmanifest" rel="manifest"/>',
            '<link href="/icons/apple-touch-icon.png" rel="apple-touch-icon"/>',
            f'<meta content="{DARK["bg"]}" media="(prefers-color-scheme: dark)"',
            f'<meta content="{LIGHT["bg"]}" media="(prefers-color-scheme: light)"',
        ):
            assert document.count(said) == 1, said

    def test_its_pictures_are_there(self, http: httpx.Client):
        for icon in (*manifest_in("en")["icons"], {"src": "/icons/apple-touch-icon.png"}):
            assert http.get(icon["src"]).headers["content-type"] == "image/png"
