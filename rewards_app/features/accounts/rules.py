"""What a sign-up form may say, how long sessions and links last, and how signing in is refused.

Pure: no database, no clock.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from rewards_app.core.actor import Role
from rewards_app.core.errors import DomainError, Faults, FieldRefused
from rewards_app.features.accounts.name_rules import LONGEST_TYPED, is_unseen, name_from
from rewards_app.features.accounts.password_rules import LONGEST_PASSWORD as LONGEST_PASSWORD
from rewards_app.features.accounts.password_rules import PasswordAge as PasswordAge
from rewards_app.features.accounts.password_rules import password_notice as password_notice
from rewards_app.features.accounts.password_rules import refuse_weak

YOUNGEST, OLDEST = 13, 99
DEMO_DOMAIN = "demo.watchcoins.example"
"""Where everybody that the demo makes has their mail; nobody else can."""
LONGEST_EMAIL, LONGEST_PHONE = 254, 32
PHONE_COUNTRIES = (
    *("US", "CA", "GB", "DE", "FR", "ES", "IT", "NL", "SE", "NO"),
    *("DK", "FI", "AU", "NZ", "JP", "KR", "BR", "MX", "AR", "IN"),
)

IDLE_LIMIT = timedelta(minutes=30)
SESSION_LIFETIME = timedelta(days=30)
ACTIVITY_STEP = timedelta(minutes=1)
TICKET_LIFETIME = timedelta(seconds=30)
STEP_LIFETIME = timedelta(minutes=10)
VERIFICATION_LIFETIME = timedelta(hours=24)
RESET_LIFETIME = timedelta(hours=1)


def silent_before(now: datetime) -> datetime:
    """Sessions that were active last before this are over; what was written may lack a step."""
    return now - IDLE_LIMIT - ACTIVITY_STEP


def was_silent(last_active_at: datetime, over_at: datetime) -> bool:
    """Whether silence ended a session."""
    return over_at - last_active_at >= IDLE_LIMIT - ACTIVITY_STEP


class AccountKind(StrEnum):
    """What a visitor asks to become: the values of ?type=."""

    PLAYER = "player"
    COMPANY = "company"
    ADMIN = "admin"


class Gender(StrEnum):
    """The stored values, as the specification has them."""

    MALE = "man"
    FEMALE = "kvinna"
    OTHER = "other"


GENDER_CHOICES = {"Male": Gender.MALE, "Female": Gender.FEMALE, "Other": Gender.OTHER}


class BadAge(DomainError):
    """No age, or no whole number up to `oldest`; `youngest` and `oldest` are the limits."""

    code = "accounts.bad_age"


class TooYoung(DomainError):
    code = "accounts.too_young"
    title = "errors.accounts.too_young_title"


class GenderMissing(DomainError):
    code = "accounts.gender_missing"


class UnknownCountry(DomainError):
    code = "accounts.unknown_country"


class BadPhone(DomainError):
    """No telephone number of the chosen country."""

    code = "accounts.bad_phone"


class BadEmail(DomainError):
    """Not an address that mail could be sent to."""

    code = "accounts.bad_email"


class DisposableEmail(DomainError):
    """An address of a throw-away mail service."""

    code = "accounts.disposable_email"


class EmailTaken(DomainError):
    """The specification's words; rate limits carry the risk of telling."""

    code = "accounts.email_taken"


class InvalidCredentials(DomainError):
    """The same for an unknown email and a wrong password."""

    code = "accounts.invalid_credentials"


class WrongPassword(FieldRefused):
    """Somebody who is signed in does not know their password when they are asked for it again."""

    code = "accounts.wrong_password"


class SignInAgain(DomainError):
    """Who has no password proves themselves by a sign-in that is minutes old."""

    code = "accounts.sign_in_again"


class NoSuchSession(DomainError):
    """It has ended, or was never one of theirs: the answer is the same."""

    code = "accounts.no_such_session"


class SameAddress(FieldRefused):
    code = "accounts.same_address"


class AddressTakenMeanwhile(DomainError):
    """Told to whoever owns the address, who has just proven that."""

    code = "accounts.address_taken_meanwhile"


class AddressMoved(DomainError):
    """Too late for a link to bring the account back: support still can."""

    code = "accounts.address_moved"


class StepExpired(DomainError):
    """A sign-in that waited too long for its second step, or is another browser's."""

    code = "accounts.step_expired"


class AccountLocked(DomainError):
    """Too many failures for this account; `count` minutes later the next try is accepted."""

    code = "accounts.locked"


class LinkExpired(DomainError):
    """A mailed link that is too old, or that never was one of ours."""

    code = "accounts.link_expired"


class LinkUsed(DomainError):
    """A mailed link works once, and not at all once something newer has replaced it."""

    code = "accounts.link_used"


class ProviderAway(DomainError):
    """It does not answer, or says nothing that could be read: nobody was asked who they are."""

    code = "accounts.provider_away"


class ProviderRefused(DomainError):
    """Google, Discord or another provider did not confirm the person."""

    code = "accounts.provider_refused"


@dataclass(frozen=True, slots=True)
class SignUpForm:
    """What was typed, unchecked. A company or an admin types an email and a password only."""

    email: str
    password: str = field(repr=False)
    name: str = ""
    phone: str = field(default="", repr=False)
    phone_country: str = "US"
    age: str = ""
    gender: str = ""
    country: str = "US"


@dataclass(frozen=True, slots=True)
class PlayerDetails:
    """What only players tell. `phone` is as typed: the service knows each country's numbers."""

    name: str
    phone: str = field(repr=False)
    phone_country: str
    age: int
    gender: Gender
    country: str


@dataclass(frozen=True, slots=True)
class Details:
    """What somebody said of themselves, as it is kept; empty where they never told it."""

    country: str
    phone: str = field(repr=False)
    """In international form."""
    gender: str


@dataclass(frozen=True, slots=True)
class SignUp:
    """A sign-up that passed every rule here; only players have `player`."""

    kind: AccountKind
    email: str
    password: str = field(repr=False)
    player: PlayerDetails | None

    @property
    def role(self) -> Role:
        return role_at_signup(self.kind)

    @property
    def about(self) -> list[str]:
        """What nobody may make their password of."""
        return [self.email, self.player.name] if self.player else [self.email]

    @property
    def asked_for_admin(self) -> bool:
        return self.kind is AccountKind.ADMIN


def kind_from(raw: str | None) -> AccountKind:
    return AccountKind(raw) if raw in set(AccountKind) else AccountKind.PLAYER


def role_at_signup(kind: AccountKind) -> Role:
    """Nobody signs up as an admin: an admin or the command line promotes the account later."""
    return Role.COMPANY if kind is AccountKind.COMPANY else Role.PLAYER


ROLES_AT_SIGNUP = frozenset(map(role_at_signup, AccountKind))


def validated_sign_up(
    kind: AccountKind, form: SignUpForm, *, countries: Collection[str], language: str = "en"
) -> SignUp:
    """Raise whatever is refused at once, in the order of the form's fields."""
    with Faults() as faults:
        is_player = kind is AccountKind.PLAYER
        player = faults.read(player_from, form, countries, language) if is_player else None
        email = faults.about("email", email_from, form.email)
        typed = [form.email, form.name] if is_player else [form.email]
        about = [text[:LONGEST_TYPED] for text in typed]
        faults.about("password", refuse_weak, form.password, about=about)
    return SignUp(kind=kind, email=email, password=form.password, player=player)


def player_from(
    form: SignUpForm, countries: Collection[str], language: str = "en"
) -> PlayerDetails:
    with Faults() as faults:
        return PlayerDetails(
            name=faults.about("name", name_from, form.name, language),
            phone=faults.about("phone", phone_from, form.phone, form.phone_country),
            phone_country=form.phone_country,
            age=faults.about("age", age_from, form.age),
            gender=faults.about("gender", gender_from, form.gender),
            country=faults.about("country", country_from, form.country, countries),
        )


def name_in(email: str) -> str:
    return email.partition("@")[0]


def phone_from(raw: str, country: str) -> str:
    phone = raw.strip()
    if country not in PHONE_COUNTRIES or not 0 < len(phone) <= LONGEST_PHONE:
        raise BadPhone
    return phone


def age_from(raw: str) -> int:
    age = int(raw) if re.fullmatch(r"\s*\d{1,3}\s*", raw) else OLDEST + 1
    if age > OLDEST:
        raise BadAge(youngest=YOUNGEST, oldest=OLDEST)
    if age < YOUNGEST:
        raise TooYoung
    return age


def gender_from(raw: str) -> Gender:
    if raw not in GENDER_CHOICES:
        raise GenderMissing
    return GENDER_CHOICES[raw]


def corrected_gender(form: Mapping[str, str], known: str) -> str:
    """Stored; who never told it need not."""
    raw = form.get("gender")
    return known if raw is None or not (raw or known) else gender_from(raw).value


def country_from(raw: str, countries: Collection[str]) -> str:
    country = raw.strip().upper()
    if len(country) != 2 or country not in countries:
        raise UnknownCountry
    return country


def email_from(raw: str) -> str:
    """In lower case, so that one address has one account; the service checks the syntax."""
    if len(raw) > LONGEST_TYPED:
        raise BadEmail
    email = unicodedata.normalize("NFC", raw).strip().lower()
    has_gap = any(c.isspace() or is_unseen(c) for c in email)
    if has_gap or not 0 < len(email) <= LONGEST_EMAIL:
        raise BadEmail
    return email
