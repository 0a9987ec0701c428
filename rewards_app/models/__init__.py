"""The tables, one file a noun. Importing this package knows them all."""

from rewards_app.models.account import Account, AccountIdentity, AccountRestriction
from rewards_app.models.account_session import AccountSession, EmailLink, SignInTicket
from rewards_app.models.ads import (
    Ad,
    AdCampaign,
    AdDay,
    AdReport,
    AdServing,
    AdView,
    AdViewer,
    RunningView,
    Watcher,
)
from rewards_app.models.advertisers import (
    Advertiser,
    AdvertiserEntry,
    AdvertiserInvitation,
    AdvertiserMember,
    InvoiceNumbers,
    TopUp,
)
from rewards_app.models.arrivals import ArrivalDay
from rewards_app.models.audit import AuditEntry
from rewards_app.models.coins import CoinBalance, CoinEntry, CoinHold, LedgerDay
from rewards_app.models.factors import (
    Authenticator,
    BackupCode,
    FactorReset,
    Passkey,
    PasskeyChallenge,
    SignInStep,
)
from rewards_app.models.forum import (
    ForumCount,
    ForumDecision,
    ForumDraft,
    ForumLike,
    ForumPost,
    ForumReply,
    ForumReport,
    ForumWriter,
)
from rewards_app.models.handles import AccountHandle
from rewards_app.models.health import HealthSample
from rewards_app.models.jobs import JobRun
from rewards_app.models.leaderboard import Board, BoardProgress, BoardScore, BoardStep, Streak
from rewards_app.models.months import DetachedMonth
from rewards_app.models.notifications import Notification, NotificationChoice
from rewards_app.models.payments import Payment, PaymentEvent, TestCheckout
from rewards_app.models.presence import Presence
from rewards_app.models.privacy import (
    AccountClosure,
    CoinExpiryNotice,
    DataExport,
    DataExportPart,
    GuardianConsent,
    LegalReading,
)
from rewards_app.models.profile import Profile, UnlockedAchievement, UserGame
from rewards_app.models.shop import GiftCode, Purchase
from rewards_app.models.signals import (
    DeviceUse,
    FraudDay,
    FraudSignal,
    FraudSimulation,
    FraudWeight,
    SecurityAlert,
)
from rewards_app.models.support import SupportMessage, SupportTicket
from rewards_app.models.waitlist import OpenedDoors, WaitlistEntry

__all__ = [
    "Account",
    "AccountClosure",
    "AccountHandle",
    "AccountIdentity",
    "AccountRestriction",
    "AccountSession",
    "Ad",
    "AdCampaign",
    "AdDay",
    "AdReport",
    "AdServing",
    "AdView",
    "AdViewer",
    "Advertiser",
    "AdvertiserEntry",
    "AdvertiserInvitation",
    "AdvertiserMember",
    "ArrivalDay",
    "AuditEntry",
    "Authenticator",
    "BackupCode",
    "Board",
    "BoardProgress",
    "BoardScore",
    "BoardStep",
    "CoinBalance",
    "CoinEntry",
    "CoinExpiryNotice",
    "CoinHold",
    "DataExport",
    "DataExportPart",
    "DetachedMonth",
    "DeviceUse",
    "EmailLink",
    "FactorReset",
    "ForumCount",
    "ForumDecision",
    "ForumDraft",
    "ForumLike",
    "ForumPost",
    "ForumReply",
    "ForumReport",
    "ForumWriter",
    "FraudDay",
    "FraudSignal",
    "FraudSimulation",
    "FraudWeight",
    "GiftCode",
    "GuardianConsent",
    "HealthSample",
    "InvoiceNumbers",
    "JobRun",
    "LedgerDay",
    "LegalReading",
    "Notification",
    "NotificationChoice",
    "OpenedDoors",
    "Passkey",
    "PasskeyChallenge",
    "Payment",
    "PaymentEvent",
    "Presence",
    "Profile",
    "Purchase",
    "RunningView",
    "SecurityAlert",
    "SignInStep",
    "SignInTicket",
    "Streak",
    "SupportMessage",
    "SupportTicket",
    "TestCheckout",
    "TopUp",
    "UnlockedAchievement",
    "UserGame",
    "WaitlistEntry",
    "Watcher",
]
