"""The tables, one file a noun. Importing this package knows them all."""

from rewards_app.models.account import Account, AccountIdentity
from rewards_app.models.account_session import AccountSession, EmailLink, SignInTicket
from rewards_app.models.ads import Ad, AdCampaign, AdReport, Advertiser, AdView, Watcher
from rewards_app.models.coins import CoinBalance, CoinEntry, CoinHold
from rewards_app.models.presence import Presence
from rewards_app.models.signals import DeviceUse, FraudSignal, SecurityAlert

__all__ = [
    "Account",
    "AccountIdentity",
    "AccountSession",
    "Ad",
    "AdCampaign",
    "AdReport",
    "AdView",
    "Advertiser",
    "CoinBalance",
    "CoinEntry",
    "CoinHold",
    "DeviceUse",
    "EmailLink",
    "FraudSignal",
    "Presence",
    "SecurityAlert",
    "SignInTicket",
    "Watcher",
]
