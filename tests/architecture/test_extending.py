"""The recipes of docs/extending, followed literally in a copy of the project, without a browser."""

import re
from pathlib import Path

import pytest

from rewards_app.schedule import JOBS
from tests.recipes import PROJECT, Done, blocks, copy_of_project, follow, run

RECIPES = PROJECT / "docs" / "extending"
HOUSE_RULES = (
    "tests/architecture/test_drawings.py",
    "tests/architecture/test_house_rules.py::TestHandlers",
    "tests/architecture/test_rooms.py",
    "tests/architecture/test_house_rules.py::TestTools::test_import_contracts_hold",
    "tests/architecture/test_house_rules.py::TestTools::test_ruff_finds_nothing",
    "tests/architecture/test_house_rules.py::TestTools::test_the_code_is_formatted",
)
EXTENSIONS = ("admin-tab", "mail-and-job", "ad-type", "payment-provider")
NEW = (
    *("accounts/readers.py", "accounts/reminding.py", "accounts/jobs.py"),
    *("admin/languages_state.py", "admin/languages_tab.py", "admin/tabs.py"),
    *("ads/kinds.py", "advertiser/ad_rules.py", "advertiser/ads_tab.py"),
    *("payments/northpay_gateway.py", "payments/service.py"),
)
CATALOGUES = "tests/architecture/test_texts.py::TestCatalogues"
SETTINGS = "tests/test_deploy.py::TestTheSettings"
LEFT_IN_ENGLISH = "test_left_no_sentence_in_english"
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
OFFERED = "from rewards_app.schedule import JOBS; print(*(job.name for job in JOBS))"
SPEAKS_DUTCH = """
from rewards_app.features.forum.rules import dictionary_of
from rewards_app.i18n import written
from rewards_app.i18n.languages import wanted
from rewards_app.i18n.mail_text import text
from rewards_app.rewards_app import PAGES
assert any(page.path == "/nl" and page.visitors for page in PAGES)
assert wanted("nl-BE,en;q=0.5") == "nl"
assert text("back.coins", "nl", count=2800).startswith("2.800")
assert dictionary_of("nl") == "dutch"
"""


def followed(folder: Path, *names: str) -> Path:
    copy = copy_of_project(folder / "project")
    for name in names:
        follow(copy, blocks(f"docs/extending/{name}.md"))
    return copy


def of_the_copy(copy: Path, *chosen: str) -> Done:
    return run(copy, "-m", "pytest", "-n", "0", "-q", *chosen)


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """By all recipes but the language's, one after the other."""
    return followed(tmp_path_factory.mktemp("extended"), *EXTENSIONS)


class TestExtensions:
    def test_obey_the_house_rules_and_do_what_they_promise_on_a_real_database(self, extended: Path):
        """In one run: to load the app takes longer than most of it."""
        done = of_the_copy(
            extended,
            *HOUSE_RULES,
            CATALOGUES,
            SETTINGS,
            "tests/i18n/test_glossary.py",
            "tests/features/admin/test_languages.py",
            "tests/features/admin/test_tabs.py",
            "tests/features/admin/test_audited.py::test_every_handler_of_admins_is_known_here_as_acting_or_as_reading",
            "tests/features/accounts/test_reminding.py",
            "tests/features/advertiser/test_portraits.py",
            "tests/features/payments/test_northpay.py",
            "tests/features/health/test_schedule.py::TestWords",
        )
        assert done.returncode == 0, done.stdout[-3000:]

    def test_have_their_types_right(self, extended: Path):
        files = [f"rewards_app/features/{name}" for name in NEW]
        done = run(extended, "-m", "pyright", *files)
        assert done.returncode == 0, done.stdout[-3000:]

    def test_add_a_job_and_take_none_away(self, extended: Path):
        offered = run(extended, "-c", OFFERED).stdout.split()
        assert {job.name for job in JOBS} == set(offered) - {"accounts.remind_unverified"}
        assert "accounts.remind_unverified" in offered


@pytest.fixture(scope="module")
def in_dutch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return followed(tmp_path_factory.mktemp("dutch"), "language")


@pytest.fixture(scope="module")
def asked(in_dutch: Path) -> Done:
    """One run of all that is asked of a language."""
    return of_the_copy(
        in_dutch,
        *HOUSE_RULES,
        CATALOGUES,
        "tests/features/moderation/test_languages.py::test_every_language_of_the_product_has_its_lists",
        "-vvvv",
    )


class TestALanguage:
    def test_is_spoken_by_the_app(self, in_dutch: Path):
        done = run(in_dutch, "-c", SPEAKS_DUTCH)
        assert done.returncode == 0, done.stderr[-2000:]

    def test_obeys_the_house_rules(self, asked: Done):
        failed = FAILED.findall(asked.stdout)
        assert not [name for name in failed if LEFT_IN_ENGLISH not in name], asked.stdout[-3000:]
        assert asked.returncode == 1, asked.stdout[-3000:]

    def test_is_not_done_before_its_texts_are_and_the_tests_say_which(self, asked: Done):
        assert asked.returncode == 1, asked.stdout[-3000:]
        assert "landing.tagline_first" in asked.stdout
        assert "2 failed" in asked.stdout, "its interface and its mails, and no other language's"


def test_every_recipe_is_in_the_table_of_contents():
    contents = (PROJECT / "docs" / "extending.md").read_text("utf-8")
    assert [f.name for f in RECIPES.glob("*.md") if f"(extending/{f.name})" not in contents] == []
