"""What stands on a player's home, and what stands in for it when it cannot be counted. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Platform:
    """Everybody's figures, the same for all who look."""

    players: int
    ads_today: int
    coins: int
    """Ever given out."""
    rewards: int
    """Orders that were delivered, however they were paid, and not taken back since."""
    top_name: str = ""
    """Empty while nobody has watched an ad."""
    top_ads: int = 0
    are_rewards_estimated: bool = False


COINS_A_REWARD = 800


def rewards_for(coins: int) -> int:
    """What so many coins may have brought, where orders cannot be counted."""
    return coins // COINS_A_REWARD


SAMPLE = Platform(players=1250, ads_today=8450, coins=127_500, rewards=159, top_ads=847)
"""Shown, and marked as such, where the real figures could not be counted."""
SAMPLE_ONLINE = 187
