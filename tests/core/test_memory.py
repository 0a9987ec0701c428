"""What an app holds from its start on is not looked through again and again."""

import gc

from rewards_app.core.memory import spare_what_stays


async def test_what_was_there_at_the_start_is_spared_until_the_end():
    there = [object(), []]
    async with spare_what_stays():
        assert gc.get_freeze_count() > 1000
        assert not any(one is there for one in gc.get_objects())
    assert gc.get_freeze_count() == 0
    assert any(one is there for one in gc.get_objects())


async def test_what_comes_later_is_still_cleaned_up():
    class Loop:
        pass

    async with spare_what_stays():
        late = Loop()
        late.itself = late  # pyright: ignore[reportAttributeAccessIssue]
        del late
        assert gc.collect() > 0


async def test_whoever_looks_for_it_was_sent_away_while_all_was_imported_and_is_back():
    gc.disable()
    try:
        async with spare_what_stays():
            assert gc.isenabled()
    finally:
        gc.enable()
