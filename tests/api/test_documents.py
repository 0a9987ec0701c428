"""The documents of the pages: finished after a build, and served without a detour."""

import gzip
import mimetypes
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx2 as httpx
import pytest
from reflex.utils.precompressed_staticfiles import PrecompressedStaticFiles

from rewards_app import build, documents
from rewards_app.api.documents import Documents
from rewards_app.api.headers import SafeHeaders
from rewards_app.core.routes import VISITORS_FIRST
from rewards_app.i18n.languages import LANGUAGES, OF_ONE_LANGUAGE
from rewards_app.i18n.mail_text import words
from tests.serving import Served

STARTS = (
    '<script type="module" async="">import "/assets/manifest.js";\n'
    'import * as route0 from "/assets/root.js";\n\n'
    '  window.modules = {"root":route0};\n\nimport("/assets/entry.js");</script>'
)
FETCHES = '<link rel="modulepreload" href="/assets/root.js"/>'
PAGE = f'<!DOCTYPE html><html lang="en"><head>{FETCHES}</head><body>'
AT_ONCE = f'<div class="{VISITORS_FIRST}">Hello</div>'
CONTENTS = {"terms": AT_ONCE}

LEGAL = ("terms", "privacy")


def written(content: str) -> str:
    return f"{PAGE}{content}{STARTS}</body></html>"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """What the builder leaves: each page twice, packed beside unpacked."""
    pages = dict.fromkeys(path.strip("/") for path in OF_ONE_LANGUAGE)
    for name in (*pages, "shop", "terms"):
        content = written(CONTENTS.get(name, name))
        for file in (tmp_path / f"{name}.html", tmp_path / name / "index.html"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(content)
            file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(content.encode()))
    for name in ("index", "404", "__spa-fallback"):
        (tmp_path / f"{name}.html").write_text(written(AT_ONCE))
    documents.finish(tmp_path)
    return tmp_path


class TestFinishing:
    def test_a_front_page_names_its_language_packed_and_unpacked(self, built: Path):
        for file in (built / "sv.html", built / "sv" / "index.html"):
            assert '<html lang="sv">' in file.read_text()
            packed = file.with_name(f"{file.name}.gz").read_bytes()
            assert gzip.decompress(packed) == file.read_bytes()

    def test_a_page_that_visitors_see_at_once_has_a_twin_for_members(self, built: Path):
        assert '<html lang="en" class="expected">' in (built / "terms.members.html").read_text()
        assert "expected" not in (built / "terms.html").read_text().split("<body>")[0]
        assert not (built / "shop.members.html").exists()

    def test_each_is_painted_before_its_scripts_are_fetched(self, built: Path):
        for name in ("shop", "terms", "terms.members", "sv"):
            text = (built / f"{name}.html").read_text()
            assert "<link" not in text
            assert 'import "' not in text
            assert 'for (const href of ["/assets/root.js"])' in text
            assert 'await import("/assets/manifest.js");\nconst route0 = await import(' in text
            assert "requestAnimationFrame(() => setTimeout(begin))" in text

    def test_each_is_loaded_anew_when_its_scripts_do_not_come(self, built: Path):
        text = (built / "terms.html").read_text()
        assert 'await import("/assets/entry.js");' in text
        assert "start().catch(" in text

    def test_twice_is_as_good_as_once(self, built: Path):
        before = {file: file.read_bytes() for file in built.rglob("*") if file.is_file()}
        documents.finish(built)
        after = {file: file.read_bytes() for file in built.rglob("*") if file.is_file()}
        assert after == before

    def test_each_page_is_found_by_its_path(self, built: Path):
        found = documents.found_in(built)
        assert found["/shop"] == "/shop.html"
        assert found[documents.FRONT] == "/index.html"
        assert not [path for path in found if "404" in path or "__" in path]


@pytest.fixture
async def browser(built: Path) -> AsyncGenerator[httpx.AsyncClient]:
    """It meets the files as the framework serves them."""
    files = PrecompressedStaticFiles(directory=built, html=True, encodings=["gzip"])
    app = SafeHeaders(Documents(files, built), [])
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://app.test") as browser:
        yield browser


async def opened_again(
    browser: httpx.AsyncClient, path: str, *, keeps_cookies: bool = True
) -> httpx.Response:
    """What is answered to a browser that has it already, and asks whether it has changed."""
    known = (await browser.get(path)).headers["etag"]
    if not keeps_cookies:
        browser.cookies.clear()
    answer = await browser.get(path, headers={"If-None-Match": known})
    assert answer.status_code == 304
    return answer


class TestAPageThatHasNotChanged:
    async def test_names_a_browser_that_has_lost_its_cookies(self, browser: httpx.AsyncClient):
        answer = await opened_again(browser, "/terms", keeps_cookies=False)
        assert answer.headers["set-cookie"].startswith("door=")

    async def test_lets_the_name_last_from_anew(self, browser: httpx.AsyncClient):
        named = (await browser.get("/terms")).headers["set-cookie"]
        assert (await opened_again(browser, "/terms")).headers["set-cookie"] == named

    async def test_is_no_picture(self, browser: httpx.AsyncClient, built: Path):
        (built / "icon.png").write_bytes(b"a picture")
        assert "set-cookie" not in (await opened_again(browser, "/icon.png")).headers


@pytest.fixture
def http(served: Served) -> httpx.Client:
    return httpx.Client(base_url=served.url, follow_redirects=False, verify=False)


class TestServed:
    @pytest.mark.parametrize("path", ["/shop", "/shop/", "/shop/orders", "/landing"])
    def test_a_page_is_answered_without_a_detour(self, http: httpx.Client, path: str):
        answer = http.get(path)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-cache"

    def test_who_brings_a_session_waits_for_their_own_page(self, http: httpx.Client):
        shown = http.get("/")
        expecting = http.get("/", headers={"Cookie": "session=made-up"})
        assert 'class="expected"' not in shown.text
        assert 'class="expected"' in expecting.text
        assert "Cookie" in shown.headers["vary"]

    def test_a_document_allows_its_own_scripts_and_a_picture_none(self, http: httpx.Client):
        assert "sha256-" in http.get("/sv").headers["content-security-policy"]
        assert len(http.get("/sv").headers["content-security-policy"]) < 1500

    def test_an_unknown_page_is_no_other_page(self, http: httpx.Client):
        assert http.get("/no-such-page").status_code == 404
        assert http.get("/%2e%2e/terms.html").status_code in {400, 404}

    def test_a_folder_is_no_list_of_what_lies_in_it(self, http: httpx.Client, served: Served):
        pages = Path(served.environment["REFLEX_WEB_WORKDIR"]) / "build" / "client"
        within = {f"/{one.relative_to(pages)}" for one in pages.rglob("*") if one.is_dir()}
        folders = within - documents.found_in(pages).keys()
        assert {"/assets", "/icons", "/ads", "/locales/visitors"} <= folders
        nothing = http.get("/no-such-page").text
        for path in (f"{folder}{end}" for folder in folders for end in ("", "/", "/.", "//")):
            answer = http.get(path)
            assert (answer.status_code, answer.text) == (404, nothing), path


class TestFrontPages:
    @pytest.mark.parametrize("language", [language.code for language in LANGUAGES])
    def test_are_written_in_their_language(self, http: httpx.Client, language: str, served: Served):
        path = "/" if language == "en" else f"/{language}"
        document = http.get(path).text
        assert f'<html lang="{language}"' in document
        for key in ("tagline_first", "lead", "watch_title"):
            assert words(f"landing.{key}", language).replace("'", "&#x27;") in document
        assert f"<title>{words('landing.page_title', language)}</title>" in document
        assert f'<link href="{served.url}{path}" rel="canonical"/>' in document

    def test_name_each_other(self, http: httpx.Client, served: Served):
        document = http.get("/de").text
        for language in LANGUAGES:
            path = "/" if language.code == "en" else f"/{language.code}"
            link = f'<link href="{served.url}{path}" hrefLang="{language.code}" rel="alternate"/>'
            assert link in document
        assert f'<link href="{served.url}/" hrefLang="x-default" rel="alternate"/>' in document

    def test_show_a_picture_when_they_are_shared(self, http: httpx.Client, served: Served):
        picture = f'<meta content="{served.url}/preview.png" property="og:image"/>'
        assert http.get("/de").text.count(picture) == 1
        assert http.get("/preview.png").headers["content-type"] == "image/png"

    @pytest.mark.parametrize(
        ("path", "title", "about"),
        [
            ("/auth", "auth.page_title", "landing.lead"),
            *((f"/{name}", f"legal.{name}.page_title", f"legal.{name}.intro") for name in LEGAL),
        ],
    )
    def test_so_do_the_others_that_search_engines_are_led_to(
        self, http: httpx.Client, served: Served, path: str, title: str, about: str
    ):
        document, here = http.get(path).text, f"{served.url}{path}"
        assert document.count(f'<link href="{here}" rel="canonical"/>') == 1
        for name, said in (("title", words(title, "en")), ("url", here)):
            assert document.count(f'<meta content="{said}" property="og:{name}"/>') == 1
        assert f'<meta content="{words(about, "en")}" name="description"/>' in document

    def test_a_language_that_nobody_speaks_is_no_page(self, http: httpx.Client):
        assert http.get("/xx").status_code == 404


@pytest.fixture
def without_a_list_of_kinds(monkeypatch: pytest.MonkeyPatch):
    """A system that does not say which ending is of which kind, as the image's is."""
    with monkeypatch.context() as patch:
        patch.setattr(mimetypes, "knownfiles", [])
        mimetypes.init()
        yield
    mimetypes.init()


@pytest.mark.usefixtures("without_a_list_of_kinds")
def test_every_picture_film_and_font_has_its_kind_on_a_small_system(built: Path):
    Documents(built, built)  # pyright: ignore[reportArgumentType]
    named = {file.suffix for file in (build.PROJECT / "assets").rglob("*.*") if file.is_file()}
    for ending in named | {".woff2", ".css"}:
        kind = mimetypes.guess_type(f"a{ending}")[0] or ""
        assert kind.split("/")[0] in ("application", "audio", "font", "image", "text", "video")
        assert kind != "application/octet-stream", ending
