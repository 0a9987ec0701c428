"""What companies' figures are and how they compare. Pure.

Views are those that were completed and are paid for; impressions are all that were started.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of some ads."""

    impressions: int = 0
    completions: int = 0
    clicks: int = 0
    spend: int = 0
    """In thousandths of a cent."""


NOTHING = Figures()
