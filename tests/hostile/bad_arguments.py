"""Arguments that no page sends: each is refused for itself, and leaves no trace."""

from collections.abc import Callable, Iterable
from typing import Any

from tests.hostile.client import Browser
from tests.hostile.evidence import Diary
from tests.hostile.handlers import DECLARED, short

PLANTED = "Planted-Word-of-9"


async def are_refused(
    browser: Browser,
    path: str,
    name: str,
    payloads: Iterable[Any],
    *,
    kept: Callable[[], object] = lambda: None,
    is_told_more: bool = False,
) -> None:
    """One after the other, in one tab. None of them changes what is `kept`.

    A page that `is_told_more` may hear of something else at the same time.
    """
    assert name in DECLARED
    diary, before = Diary(browser.served), kept()
    async with browser.tab(path) as tab:
        for payload in payloads:
            what = f"{short(name)} with {str(payload)[:40]!r}"
            answer = await tab.call(name, payload)
            assert answer.is_refused_anew, (what, answer.changed, answer.events)
            assert answer.refused_as == "bad_arguments", what
            assert is_told_more or answer.is_refusal, (what, answer.changed, answer.events)
            assert kept() == before, what
            assert not diary.gives_away(PLANTED), what
