"""How the house is called, and where it is: one day for everybody's figures, and its own hours.

Pure.
"""

from typing import LiteralString
from zoneinfo import ZoneInfo

NAME = "WatchCoins"
ZONE_NAME: LiteralString = "Europe/Stockholm"
HOUSE_ZONE = ZoneInfo(ZONE_NAME)
