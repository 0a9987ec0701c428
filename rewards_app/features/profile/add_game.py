"""Adding a game to the profile: the ten built-in ones, or one that the player describes."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.profile.add_game_state import PROFILE, AddGameState
from rewards_app.features.profile.games import CATALOGUE, CatalogueGame
from rewards_app.features.profile.games_panel import (
    TENTHS,
    achievements_field,
    own_words,
    rating_field,
)
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import page_head, panel
from rewards_app.ui.forms import form
from rewards_app.ui.glyphs import game_tile
from rewards_app.ui.icons import icon
from rewards_app.ui.inputs import RadioInput
from rewards_app.ui.markup import hidden_text
from rewards_app.ui.numbers import number
from rewards_app.ui.refusal import other_refusal
from rewards_app.ui.search import search_field

TYPING_PAUSE = 200


def add_game() -> rx.Component:
    """Enter in the search field sends nothing: the search stands beside the form."""
    return rx.fragment(
        page_head(t("games.add_title"), t("games.add_text")),
        rx.el.div(
            _catalogue(),
            form(
                _own(),
                other_refusal(AppState.refusal),
                rx.el.div(
                    link_button(t("ui.cancel"), href=PROFILE, kind="ghost"),
                    button(t("games.add"), icon="plus", submits=True, busy=AppState.is_busy),
                    class_name=_ACTIONS,
                ),
                on_submit=AddGameState.add,
                no_validate=True,
            ),
            class_name="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2",
        ),
    )


# On a phone at hand, however far down the list somebody chooses.
_ACTIONS = (
    "foot-bar flex gap-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-(--banner,0px) max-lg:z-10"
    " max-lg:border-t max-lg:border-line max-lg:bg-panel max-lg:py-3 max-lg:pr-18 max-lg:pl-4"
    " max-lg:*:flex-auto lg:justify-end"
)


def _catalogue() -> rx.Component:
    search: Any = AddGameState.search
    found: Any = rx.Var.create(AddGameState.found)
    return panel(
        rx.el.div(
            search_field(
                "search",
                t("games.search"),
                placeholder=t("games.search_example"),
                on_change=search.debounce(TYPING_PAUSE),
            ),
            role="search",
        ),
        rx.el.fieldset(
            rx.el.legend(t("games.built_in"), class_name="sr-only"),
            *(rx.cond(found.contains(game.id), _choice(game)) for game in CATALOGUE),
            class_name="mt-4 grid gap-2",
        ),
        rx.el.div(
            rx.cond(
                found.length() == 0,
                rx.el.p(
                    t("games.none_found", text=AddGameState.searched),
                    class_name="mt-2 text-quiet wrap-anywhere",
                ),
            ),
            role="status",
        ),
        title=t("games.built_in"),
    )


def _choice(game: CatalogueGame) -> rx.Component:
    return rx.el.label(
        RadioInput.create(
            name="game",
            value=game.id,
            chosen=AddGameState.chosen,
            on_choose=AddGameState.choose,
            class_name="check mt-3 rounded-full",
        ),
        game_tile(game.id, 44),
        rx.el.span(
            rx.el.span(
                rx.el.span(game.title, class_name="min-w-0 flex-1 font-semibold"),
                rx.el.span(
                    icon("star", 16, class_name="fill-current text-lilac"),
                    hidden_text(t("games.rated"), " "),
                    number(game.rating_tenths / TENTHS, 1),
                    class_name="tnum inline-flex items-center gap-1 font-semibold",
                ),
                class_name="flex flex-wrap items-center gap-x-3",
            ),
            rx.el.span(
                t(f"games.platforms.{game.platform}"),
                " · ",
                t(f"games.genres.{game.genre}"),
                class_name="block text-sm text-quiet",
            ),
            rx.el.span(t(f"games.about.{game.id}"), class_name="mt-1 block text-sm"),
            class_name="min-w-0 flex-1",
        ),
        class_name=(
            "flex cursor-pointer items-start gap-3 rounded-control border border-line bg-bg p-3"
            " hover:border-edge has-checked:border-cyan has-checked:bg-cyan/8"
        ),
    )


def _own() -> rx.Component:
    """What is chosen takes precedence: the fields wait for a choice that is taken back."""
    choose: Any = AddGameState.choose
    match: Any = rx.match
    titles = ((game.id, game.title) for game in CATALOGUE)
    return panel(
        rx.cond(
            AddGameState.chosen,
            rx.el.div(
                rx.el.p(
                    icon("circle-check", 20, class_name="mt-0.5 text-good"),
                    t("games.chosen", title=match(AddGameState.chosen, *titles, "")),
                    class_name="flex gap-2 font-medium",
                ),
                rx.el.p(t("games.chosen_text"), class_name="text-quiet"),
                rx.el.div(
                    button(t("games.choose_none"), kind="ghost", size="sm", on_click=choose("")),
                ),
                class_name="mb-5 grid gap-2 rounded-control border border-line bg-bg p-4",
                role="status",
            ),
            rx.el.p(t("games.own_text"), class_name="mb-4 text-quiet"),
        ),
        rx.el.div(
            own_words(),
            rating_field(),
            achievements_field(),
            class_name=rx.cond(AddGameState.chosen, "hidden", "grid gap-4"),
        ),
        title=t("games.own"),
    )
