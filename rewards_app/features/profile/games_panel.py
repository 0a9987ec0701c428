"""The gaming profile: bio and games, one's own with what can be done to them."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.profile.games import RATINGS, TENTHS
from rewards_app.features.profile.read_differently import FOUND, as_others_read_it
from rewards_app.features.profile.state import EDIT, REMOVE, ProfileState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, icon_button, link_button
from rewards_app.ui.cards import badge, empty_state, panel, skeleton
from rewards_app.ui.feedback import could_not_load
from rewards_app.ui.forms import actions, form, form_row, select_field, text_field, textarea_field
from rewards_app.ui.glyphs import game_tile
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Child, hidden_text
from rewards_app.ui.numbers import number
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal

ADD_GAME = "/add-game"


def games_panel() -> rx.Component:
    shown: Any = ProfileState.shown_games
    return panel(
        _bio(),
        rx.el.div(
            rx.el.h3(
                t("profile.my_games"),
                rx.cond(
                    ProfileState.shown_games,
                    rx.el.span(
                        " ",
                        number(shown.length()),
                        class_name="tnum font-medium text-quiet",
                    ),
                ),
                class_name="min-w-0 flex-1 text-lg",
            ),
            rx.cond(
                (shown.length() > 0) | ProfileState.has_failed_games,
                link_button(t("profile.add_game"), href=ADD_GAME, kind="ghost", icon="plus"),
            ),
            class_name="mt-6 mb-3 flex flex-wrap items-center gap-3",
        ),
        rx.cond(
            ProfileState.has_games,
            rx.cond(
                ProfileState.shown_games,
                game_list(ProfileState.shown_games, _own_game),
                _no_games(),
            ),
            rx.cond(
                ProfileState.has_failed_games,
                could_not_load(t("games.not_loaded_title"), ProfileState.load),
                rx.el.div(skeleton("tile"), skeleton("tile"), class_name="grid gap-3"),
            ),
        ),
        _edit_dialog(),
        _remove_dialog(),
        title=t("profile.gaming"),
    )


def bio_text(bio: Child) -> rx.Component:
    return rx.el.p(bio, class_name="max-w-[72ch] whitespace-pre-line wrap-anywhere")


def game_list(rows: Any, each: Any) -> rx.Component:
    return rx.el.ul(rx.foreach(rows, each), class_name="grid gap-3")


def _bio() -> rx.Component:
    bio = ProfileState.profile["bio"].to(str)
    return rx.el.div(
        rx.el.h3(t("profile.bio"), class_name="font-sans text-sm font-medium text-quiet"),
        rx.cond(
            ProfileState.profile,
            rx.cond(
                bio,
                rx.fragment(bio_text(bio), as_others_read_it(ProfileState.violations)),
                rx.el.p(t("profile.no_bio"), class_name="text-quiet"),
            ),
            skeleton("line", "mt-1"),
        ),
        class_name="grid gap-1",
    )


def _no_games() -> rx.Component:
    return empty_state(
        "gamepad-2",
        t("profile.no_games_title"),
        t("profile.no_games_text"),
        link_button(t("profile.add_first_game"), href=ADD_GAME, kind="ghost", icon="plus"),
    )


def game_card(
    game: Any, heading: rx.Component, texts: Child, action: Child | None = None
) -> rx.Component:
    """A game with its sign, its rating and whatever its player wrote of it."""
    rating: Any = game["rating"].to(int)
    return rx.el.li(
        rx.el.div(game_tile(game["game"].to(str), 44), class_name="sm:row-span-2"),
        rx.el.div(
            heading,
            rx.cond(game["is_custom"].to(bool), badge(t("games.custom"))),
            class_name="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1",
        ),
        rx.cond(
            rating > 0,
            rx.el.p(
                icon("star", 16, class_name="fill-current text-lilac"),
                hidden_text(t("games.rated"), " "),
                number(rating / TENTHS, 1),
                class_name="tnum flex items-center gap-1 justify-self-end font-semibold",
            ),
            rx.el.span(),
        ),
        rx.el.div(texts, class_name="col-span-full grid gap-1 sm:col-span-1 sm:col-start-2"),
        *([] if action is None else [rx.el.div(action, class_name=_GAME_ACTION)]),
        class_name=(
            "grid min-w-0 grid-cols-[44px_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2"
            " rounded-control border border-line bg-bg p-4 sm:items-start sm:gap-y-0.5"
        ),
    )


GAME_TITLE = "min-w-0 font-sans text-base font-semibold wrap-anywhere"
# On a phone below what was written, so that words have the whole width.
_GAME_ACTION = "-my-2 -mr-3 max-sm:col-span-full sm:self-end sm:-ml-4 justify-self-end"


def kind_line(game: Any, platform: Any | None = None) -> rx.Component:
    """Where it is played, and what kind of game it is."""
    written = game["platform"].to(str) if platform is None else platform
    is_custom = game["is_custom"].to(bool)
    known = rx.fragment(
        t(f"games.platforms.{game['platform'].to(str)}"),
        " · ",
        t(f"games.genres.{game['genre'].to(str)}"),
    )
    return rx.cond(
        is_custom,
        rx.cond(written, rx.el.p(written, class_name="text-sm text-quiet wrap-anywhere")),
        rx.el.p(known, class_name="text-sm text-quiet"),
    )


def about_game(game: Any, description: Any) -> rx.Component:
    """Ours where it is a game of the catalogue, else the player's."""
    return rx.cond(
        game["is_custom"].to(bool),
        rx.cond(description, rx.el.p(description, class_name="whitespace-pre-line wrap-anywhere")),
        rx.el.p(t(f"games.about.{game['game'].to(str)}")),
    )


def won_in_game(achievements: Any) -> rx.Component:
    return rx.cond(
        achievements,
        rx.el.p(
            icon("trophy", 16, class_name="mt-0.5"),
            hidden_text(t("games.achievements"), ": "),
            rx.el.span(achievements, class_name="min-w-0 whitespace-pre-line wrap-anywhere"),
            class_name="flex gap-2 text-sm text-quiet",
        ),
    )


def _own_game(game: Any) -> rx.Component:
    edit: Any = ProfileState.ask_to_edit
    remove: Any = ProfileState.ask_to_remove
    title = game["title"].to(str)
    game_id = game["id"].to(str)
    found: Any = game["found"].to(dict[str, FOUND])
    return game_card(
        game,
        rx.el.h4(title, class_name=GAME_TITLE),
        rx.fragment(
            as_others_read_it(found["title"]),
            kind_line(game),
            as_others_read_it(found["platform"]),
            about_game(game, game["description"].to(str)),
            as_others_read_it(found["description"]),
            won_in_game(game["achievements"].to(str)),
            as_others_read_it(found["achievements"]),
        ),
        rx.el.span(
            icon_button("pencil", t("games.edit_this", title=title), on_click=edit(game_id)),
            icon_button("trash-2", t("games.remove_this", title=title), on_click=remove(game_id)),
            class_name="inline-flex",
        ),
    )


def _is_asked(what: str) -> Any:
    return rx.Var.create(ProfileState.asked) == what


def _edit_dialog() -> rx.Component:
    game: Any = ProfileState.game
    save: Any = ProfileState.save_game
    return dialog(
        rx.cond(
            _is_asked(EDIT),
            form(
                rx.cond(game["is_custom"].to(bool), own_words(game)),
                rating_field(game["rating"].to(int)),
                achievements_field(game["achievements"].to(str)),
                other_refusal(AppState.refusal),
                actions(
                    button(t("ui.cancel"), kind="ghost", on_click=ProfileState.close),
                    button(t("games.save"), submits=True, busy=AppState.is_busy),
                ),
                on_submit=lambda typed: save(game["id"].to(str), typed),
                no_validate=True,
            ),
        ),
        id="edit-game",
        title=t("games.edit_this", title=game["title"].to(str)),
        open=_is_asked(EDIT),
        on_close=ProfileState.close,
    )


def own_words(game: Any | None = None) -> rx.Component:
    """The fields of a game that its player describes; filled with what is known."""
    refusal = AppState.refusal

    def known(name: str) -> dict[str, Any]:
        return {} if game is None else {"default_value": game[name].to(str)}

    return rx.fragment(
        form_row(
            text_field(
                "title",
                t("games.title"),
                autocomplete="off",
                required=True,
                error=field_error(refusal, "title"),
                **known("title"),
            ),
            text_field(
                "platform",
                t("games.platform"),
                autocomplete="off",
                placeholder=t("games.platform_example"),
                error=field_error(refusal, "platform"),
                **known("platform"),
            ),
        ),
        textarea_field(
            "description",
            t("games.description"),
            rows=3,
            error=field_error(refusal, "description"),
            **known("description"),
        ),
    )


def rating_field(rating: Any | None = None) -> rx.Component:
    options = (
        rx.el.option(t("games.stars", rating=number(tenths / TENTHS, 1)), value=str(tenths))
        for tenths in RATINGS
    )
    known = {} if rating is None else {"default_value": rating.to_string()}
    return select_field(
        "rating",
        t("games.your_rating"),
        rx.fragment(rx.el.option(t("games.no_rating"), value=""), *options),
        error=field_error(AppState.refusal, "rating"),
        **known,
    )


def achievements_field(achievements: Any | None = None) -> rx.Component:
    known = {} if achievements is None else {"default_value": achievements}
    return textarea_field(
        "achievements",
        t("games.your_achievements"),
        rows=2,
        hint=t("games.achievements_hint"),
        error=field_error(AppState.refusal, "achievements"),
        **known,
    )


def _remove_dialog() -> rx.Component:
    game: Any = ProfileState.game
    remove: Any = ProfileState.remove_game
    title = game["title"].to(str)
    return dialog(
        rx.el.div(
            rx.el.p(t("games.remove_text"), class_name="text-quiet"),
            other_refusal(AppState.refusal),
            actions(
                button(t("games.keep"), kind="ghost", on_click=ProfileState.close),
                button(t("games.remove"), kind="danger", on_click=remove(game["id"].to(str))),
            ),
            class_name="grid gap-4",
        ),
        id="remove-game",
        title=t("games.remove_title", title=title),
        open=_is_asked(REMOVE),
        on_close=ProfileState.close,
        width=480,
    )
