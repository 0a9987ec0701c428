"""The open tabs of this worker: which session and which account each one shows."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple
from uuid import UUID

from rewards_app.core.actor import PLAYING_ROLES, Actor, Role
from rewards_app.core.caller import Caller
from rewards_app.core.live import EVERYBODYS


class Tab(NamedTuple):
    token: str
    socket: str
    session_hash: str
    user_id: UUID | None
    role: Role | None

    @property
    def is_player(self) -> bool:
        return self.role in PLAYING_ROLES


_tabs: dict[str, Tab] = {}
_of_users: dict[UUID, dict[str, Tab]] = defaultdict(dict)
"""The same tabs: of all that is announced, most concerns nobody here."""
_places: dict[str, str] = {}
_cares: dict[str, str] = {}
_online = 0


def remember(caller: Caller, actor: Actor | None) -> None:
    user_id, role = (actor.user_id, actor.role) if actor else (None, None)
    tab = Tab(caller.tab, caller.socket, caller.session_hash, user_id, role)
    if tab == _tabs.get(tab.token):
        return
    _forget(tab.token)
    _tabs[tab.token] = tab
    if tab.user_id:
        _of_users[tab.user_id][tab.token] = tab


def _forget(token: str) -> None:
    tab = _tabs.pop(token, None)
    if tab and tab.user_id:
        own = _of_users[tab.user_id]
        del own[token]
        if not own:
            del _of_users[tab.user_id]


def show(token: str, path: str) -> None:
    """The tab shows the page at `path` from now on, and cares for whatever the page follows."""
    _places[token] = path
    _cares.pop(token, None)


def care(token: str, key: str) -> None:
    """The tab shows things of one owner only: what others change does not concern it."""
    _cares[token] = key


def concerns(token: str, keys: Collection[str]) -> bool:
    """Whether the tab shows something of what was announced with these keys."""
    return token not in _cares or EVERYBODYS in keys or _cares[token] in keys


def place_of(token: str) -> str:
    return _places.get(token, "")


def keep_only(connected: Iterable[str]) -> None:
    """Forget the tabs whose socket is gone."""
    alive = set(connected)
    for token in [token for token in _tabs if token not in alive]:
        _forget(token)
        _places.pop(token, None)
        _cares.pop(token, None)


def on_their_sockets(tokens: Iterable[str], socket_of: Callable[[str], str | None]) -> list[str]:
    """Those of `tokens` that are connected by the socket that last spoke for them.

    Another one knows the token only, and has not shown whose cookie it brings.
    """
    return [token for token in tokens if token in _tabs and _tabs[token].socket == socket_of(token)]


def of_session(session_hash: str) -> list[str]:
    return [tab.token for tab in _tabs.values() if tab.session_hash == session_hash]


def of_user(user_id: UUID) -> list[str]:
    return list(_of_users[user_id]) if user_id in _of_users else []


def of_roles_at(path: str, roles: Collection[Role]) -> list[str]:
    """The tabs of people with one of `roles` that show the page at `path`."""
    return [t.token for t in _tabs.values() if t.role in roles and _places.get(t.token) == path]


def players_at(path: str) -> list[str]:
    return of_roles_at(path, PLAYING_ROLES)


def role_of(token: str) -> Role | None:
    return _tabs[token].role if token in _tabs else None


def signed_in() -> list[str]:
    return [tab.token for tab in _tabs.values() if tab.user_id]


def players() -> set[UUID]:
    return {user_id for user_id in _of_users if plays(user_id)}


def plays(user_id: UUID) -> bool:
    """Whether this player has a tab open here."""
    return user_id in _of_users and any(tab.is_player for tab in _of_users[user_id].values())


def note_online(count: int) -> bool:
    """Remember how many players are connected to any worker; whether that is news."""
    global _online
    is_news, _online = count != _online, count
    return is_news


def online() -> int:
    return _online
