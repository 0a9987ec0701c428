"""Into which group of ages somebody falls."""

import pytest

from rewards_app.features.ads.audience import AgeGroup, group_of


@pytest.mark.parametrize(
    ("age", "group"),
    [
        (13, AgeGroup.UNDER_18),
        (17, AgeGroup.UNDER_18),
        (18, AgeGroup.FROM_18),
        (24, AgeGroup.FROM_18),
        (25, AgeGroup.FROM_25),
        (34, AgeGroup.FROM_25),
        (35, AgeGroup.FROM_35),
        (44, AgeGroup.FROM_35),
        (45, AgeGroup.FROM_45),
        (110, AgeGroup.FROM_45),
    ],
)
def test_each_age_is_in_the_group_that_begins_at_or_before_it(age: int, group: AgeGroup):
    assert group_of(age) is group


def test_groups_keep_the_numbers_that_are_stored():
    assert [group.value for group in AgeGroup] == [0, 1, 2, 3, 4]
