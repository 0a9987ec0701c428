"""The tables, one file a noun. Importing this package knows them all."""

from rewards_app.models.account import Account, AccountIdentity
from rewards_app.models.account_session import AccountSession, EmailLink, SignInTicket
from rewards_app.models.presence import Presence

__all__ = [
    "Account",
    "AccountIdentity",
    "AccountSession",
    "EmailLink",
    "Presence",
    "SignInTicket",
]
