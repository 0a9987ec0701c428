"""Achievements, games and texts of profiles: their rules."""

import pytest

from rewards_app.features.advertiser.fields import Missing, TooLong, Unseen
from rewards_app.features.profile import achievements, games, rules
from rewards_app.features.profile.achievements import RULES, Achievement, Deeds
from rewards_app.ui.glyphs import GAME_SIGNS

LEGEND = Deeds(ads=100, purchases=1, best_streak=7, games=3, posts=10, best_day=50, level=15)


class TestAchievements:
    def test_are_eight(self):
        assert list(RULES) == list(Achievement)
        assert len(RULES) == 8

    def test_are_locked_for_a_newcomer(self):
        assert achievements.newly_met(Deeds(), ()) == []

    def test_are_all_met_by_who_did_everything(self):
        assert achievements.newly_met(LEGEND, ()) == list(Achievement)

    @pytest.mark.parametrize("achievement", RULES)
    def test_are_met_at_the_goal_and_not_one_below(self, achievement: Achievement):
        rule = RULES[achievement]
        assert rule.is_met(Deeds(**{rule.counts: rule.goal}))
        assert not rule.is_met(Deeds(**{rule.counts: rule.goal - 1}))

    @pytest.mark.parametrize(
        ("achievement", "too_little", "enough"),
        [
            (Achievement.SEVEN_IN_A_ROW, Deeds(best_streak=6), Deeds(best_streak=7)),
            (Achievement.LIVING_LEGEND, Deeds(level=14), Deeds(level=15)),
        ],
    )
    def test_need_seven_days_and_the_last_one_level_fifteen(
        self, achievement: Achievement, too_little: Deeds, enough: Deeds
    ):
        assert achievements.newly_met(too_little, ()) == []
        assert achievements.newly_met(enough, ()) == [achievement]
        assert [*RULES][-1] is Achievement.LIVING_LEGEND

    def test_that_are_unlocked_are_not_new(self):
        assert achievements.newly_met(Deeds(ads=1), {"first_watch"}) == []

    def test_come_no_further_than_their_goal(self):
        assert RULES[Achievement.CENTURY].progress(Deeds(ads=293)) == 100
        assert RULES[Achievement.CENTURY].progress(Deeds(ads=41)) == 41

    def test_take_the_better_of_today_and_the_past(self):
        assert Deeds(best_day=12).with_best_day(41, was_full=False).best_day == 41
        assert Deeds(best_day=42).with_best_day(41, was_full=False).best_day == 42

    @pytest.mark.parametrize(("was_full", "shown"), [(False, 49), (True, 50)])
    def test_are_full_in_the_past_only_where_a_day_was(self, was_full: bool, shown: int):
        assert Deeds().with_best_day(50, was_full=was_full).best_day == shown


class TestTheCatalogue:
    def test_has_ten_games_each_with_its_own_sign(self):
        assert [game.title for game in games.CATALOGUE] == [
            *("Fortnite", "Roblox", "Call of Duty", "Minecraft", "Apex Legends", "Valorant"),
            *("League of Legends", "Overwatch 2", "Genshin Impact", "EA Sports FC"),
        ]
        assert set(GAME_SIGNS) == set(games.BY_ID)
        assert len({tint for tint, _ in GAME_SIGNS.values()}) == 10

    def test_rates_from_4_1_to_4_9(self):
        ratings = [game.rating_tenths for game in games.CATALOGUE]
        assert (min(ratings), max(ratings)) == (41, 49)


class TestChoosing:
    def test_takes_the_game_of_the_catalogue_before_ones_own(self):
        game = games.game_from({"game": "minecraft", "title": "Skogens Väktare"})
        assert (game.title, game.platform, game.genre) == ("Minecraft", "Multi-platform", "Sandbox")
        assert (game.is_custom, game.external_game_id, game.rating_tenths) == (
            *(False, "minecraft", 48),
        )

    def test_keeps_what_a_player_describes(self):
        form = {
            "title": "  Skogens   Väktare ",
            "platform": "PC",
            "rating": "45",
            "description": "A small co-op survival game.\nWe play on Sundays.",
            "achievements": "All 42 mushrooms",
        }
        game = games.game_from(form)
        assert (game.title, game.platform, game.rating_tenths) == ("Skogens Väktare", "PC", 45)
        assert game.description == "A small co-op survival game.\nWe play on Sundays."
        assert (game.is_custom, game.external_game_id) == (True, None)

    @pytest.mark.parametrize("form", [{}, {"title": "  "}, {"game": "tetris"}, {"game": ""}])
    def test_refuses_neither(self, form: dict[str, str]):
        with pytest.raises(games.NothingChosen) as refusal:
            games.game_from(form)
        assert refusal.value.title == "games.nothing_chosen_title"

    @pytest.mark.parametrize(
        ("field", "length"),
        [("title", 61), ("platform", 41), ("description", 501), ("achievements", 301)],
    )
    def test_refuses_what_is_too_long_beside_its_field(self, field: str, length: int):
        with pytest.raises(TooLong) as refusal:
            games.game_from({"title": "Tetris"} | {field: "x" * length})
        assert refusal.value.params == {"field": field, "most": length - 1}

    def test_refuses_what_hides_in_a_title(self):
        with pytest.raises(Unseen):
            games.game_from({"title": "Tet\u202eris"})

    @pytest.mark.parametrize("rating", ["0", "5", "51", "4.5", "-45", "99999", "x", "4５"])
    def test_refuses_ratings_that_nobody_can_choose(self, rating: str):
        with pytest.raises(games.BadRating):
            games.game_from({"title": "Tetris", "rating": rating})

    def test_needs_a_title_for_ones_own(self):
        with pytest.raises(Missing):
            games.own_game_from({"title": ""})


class TestTexts:
    def test_a_bio_has_300_characters_at_most(self):
        assert rules.bio_from("x" * 300)
        with pytest.raises(TooLong):
            rules.bio_from("x" * 301)

    def test_others_read_bad_words_masked(self):
        assert rules.shown_to_others("You are all noobs, noob") != "You are all noobs, noob"
        assert "*" in rules.shown_to_others("what a noob").text

    def test_others_read_why_a_text_was_removed(self):
        shown = rules.shown_to_others("Click here for free coins: hack coins now")
        assert (shown.text, shown.removed) == ("", "scam")

    def test_what_a_person_must_read_first_is_not_shown(self):
        assert rules.shown_to_others("I want to kill myself") == rules.Shown()

    def test_plain_words_stay(self):
        assert rules.shown_to_others("Whatever, closer to Scunthorpe").text == (
            "Whatever, closer to Scunthorpe"
        )
        assert rules.changed_for_others("Support main") == ()

    def test_texts_are_read_in_their_writers_language(self):
        assert rules.shown_to_others("slut", "sv").text == "slut"
        assert rules.changed_for_others("slut", "sv") == ()
        assert rules.shown_to_others("slut").text == "****"
