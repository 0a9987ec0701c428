"""Who is acting: pure values that rules and services can ask questions of."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Role(StrEnum):
    """What an account may be. A visitor has no account, so it is not a role."""

    PLAYER = "player"
    MODERATOR = "moderator"
    COMPANY = "company"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Actor:
    """A signed-in person at the moment of one event."""

    user_id: UUID
    session_id: UUID
    role: Role
    name: str
    email: str
    signed_in_at: datetime
    is_age_verified: bool
    is_suspended: bool = False
    has_second_factor: bool = False

    @property
    def is_player(self) -> bool:
        return self.role in PLAYING_ROLES

    @property
    def needs_age(self) -> bool:
        """Admins are exempt; everybody else says when they were born before anything else."""
        return self.role is not Role.ADMIN and not self.is_age_verified


PLAYING_ROLES = frozenset({Role.PLAYER, Role.MODERATOR})
MEMBER_ROLES = PLAYING_ROLES | {Role.COMPANY}
"""Everybody but admins."""
EVERY_ROLE = frozenset(Role)
