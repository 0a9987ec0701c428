"""What tabs, bookmarks and histories call a page."""

import pytest

from rewards_app.features.landing import pages as landing
from rewards_app.i18n.catalogues import interface
from rewards_app.i18n.languages import CODES
from rewards_app.rewards_app import PAGES

OTHERS = [page for page in PAGES if page not in landing.PAGES and page.title != "dev.components"]


class TestTitles:
    @pytest.mark.parametrize("language", CODES)
    def test_say_what_the_page_is_and_then_whose(self, language: str):
        said = {page.path: interface(language)[page.title] for page in OTHERS}
        assert [path for path, title in said.items() if not title.endswith(" · WatchCoins")] == []

    @pytest.mark.parametrize("language", CODES)
    def test_tell_the_pages_apart(self, language: str):
        keys = {page.title for page in OTHERS}
        assert len({interface(language)[key] for key in keys}) == len(keys)
