"""What lives beside every page of a member; visitors fetch nothing of it."""

import reflex as rx

from rewards_app.core.state import is_member
from rewards_app.features.accounts.age_prompt import age_prompt
from rewards_app.features.ads.player import left_end
from rewards_app.features.guardians.card import request as guardian_request
from rewards_app.features.profile.moments import achievement_moment
from rewards_app.features.shell.wanted_state import WantedState
from rewards_app.ui.frame import TERMS_AND_PRIVACY
from rewards_app.ui.wanted import WantedThen


@rx.memo
def beside_members() -> rx.Component:
    return rx.fragment(
        age_prompt(TERMS_AND_PRIVACY, guardian_request()),
        achievement_moment(),
        left_end(),
        rx.cond(is_member(), WantedThen.create(on_back=WantedState.offer)),
    )
