"""The pages that most people see look as somebody has reviewed them; `make looks` compares all."""

import pytest
from PIL import Image
from playwright.async_api import Browser

from tests import scratch
from tests.browser.looks import comparing, keeping
from tests.browser.looks.pages import QUICK, looks
from tests.browser.looks.taking import Studio, served_at_noon

MOST_BYTES = 4_000_000


async def test_what_most_people_see_looks_as_reviewed(a_chromium: Browser):
    wanted = [look for look in looks() if look.name in QUICK]
    with served_at_noon(scratch.a_folder() / "looks") as served:
        found = [
            difference
            async for look, picture in Studio(a_chromium, served).taken(wanted)
            for difference in keeping.what_differs(look.name, picture)
        ]
    assert not found, "\n".join(found)


def test_every_look_has_a_reviewed_picture_and_no_picture_is_of_nothing():
    assert keeping.reviewed() == {look.name for look in looks()}
    assert {look.name for look in looks()} > QUICK


def test_the_pictures_are_light():
    assert sum(file.stat().st_size for file in keeping.REVIEWED.iterdir()) < MOST_BYTES


@pytest.mark.parametrize("name", keeping.IN_README)
def test_the_readme_shows_what_was_reviewed(name: str):
    shown = Image.open(keeping.IN_README[name]).convert("RGB")
    assert not comparing.differences(keeping.top_of(name, keeping.opened(name)), shown)
