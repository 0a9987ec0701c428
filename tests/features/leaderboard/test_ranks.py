"""Each of the first ten ranks has a face of its own, the first three a medal, all others a star."""

import reflex as rx

from rewards_app.ui.glyphs import STAR
from rewards_app.ui.ranks import FACES, MEDALS, rank_face


def test_the_first_ten_have_a_face_of_their_own():
    assert sorted(FACES) == list(range(1, 11))
    assert len({path for _, path in FACES.values()}) == 10
    assert STAR not in {path for _, path in FACES.values()}


def test_whoever_comes_after_them_has_the_star():
    drawn = str(rank_face(rx.Var.create(11), 40).render())
    *_, otherwise = drawn.split("default")
    assert STAR in otherwise
    assert drawn.count(STAR) == 1


def test_the_first_three_have_medals():
    assert MEDALS == (1, 2, 3)
