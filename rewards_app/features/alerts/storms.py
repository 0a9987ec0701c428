"""Storms of refusals, which the core counts, become alerts."""

from rewards_app.core.gate import current_actor, current_caller
from rewards_app.core.sealed import fingerprint
from rewards_app.core.watching.storms import Storm, What
from rewards_app.features.alerts import rules, soon
from rewards_app.features.alerts.rules import Kind

KINDS = {What.LIMITED: (Kind.LIMIT_STORM, "limit"), What.DENIED: (Kind.DENIED_STORM, "handler")}
"""What a storm of them is told as, and as what its alert names the limit or the handler."""


def tell(storm: Storm) -> None:
    """One alert for each caller, in the context of the call that was refused last."""
    kind, name = KINDS[storm.what]
    actor = current_actor.get()
    params: dict[str, str | int] = {name: storm.name, "refusals": storm.refusals}
    soon.alert(
        kind,
        about=fingerprint("\n".join((storm.what, *storm.who))),
        account_id=actor.user_id if actor else None,
        address=_address(storm),
        params=params,
    )


def _address(storm: Storm) -> str | None:
    """Of the socket that called; requests without one are told apart by their address."""
    known = (rules.address_from(said) for said in (current_caller.get().address, *storm.who))
    return next(filter(None, known), None)
