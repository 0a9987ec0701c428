"""The lists are there before anybody posts."""

from rewards_app.features.moderation import early
from rewards_app.features.moderation.lexicon import lexicon
from rewards_app.rewards_app import app


async def test_a_worker_reads_the_lists_when_it_starts():
    lexicon.cache_clear()
    await early.read_lists()
    assert lexicon.cache_info().currsize == 1


def test_the_app_does_it():
    assert early.read_lists in app.get_lifespan_tasks()
