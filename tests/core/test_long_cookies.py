"""What a worker remembers of the cookies that it has read."""

from rewards_app.core import caller
from rewards_app.core.caller import caller_from, digest


def found_in(cookies: str) -> str:
    return caller_from({"headers": {"cookie": cookies}}).session_hash


def test_a_header_that_is_sent_again_is_read_once():
    before = caller._hashes_in.cache_info().hits
    assert found_in("session=again") == found_in("session=again") == digest("again")
    assert caller._hashes_in.cache_info().hits > before


def test_a_long_one_is_understood_and_not_kept():
    before = caller._hashes_in.cache_info().currsize
    for number in range(50):
        of_others = f"x{number}={'x' * caller.LONGEST_REMEMBERED}"
        assert found_in(f"{of_others}; session=mine") == digest("mine")
    assert caller._hashes_in.cache_info().currsize == before
