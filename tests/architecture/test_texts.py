"""Every text exists in every language, with the same parameters."""

import json
import re
from pathlib import Path

import pytest
import reflex as rx
from babel import Locale

from rewards_app.core.errors import DomainError, FieldRefused
from rewards_app.core.page import Page
from rewards_app.features.ads import stories
from rewards_app.features.ads.rules import ENDING, ReportReason, TooQuick, WatchedTooShort
from rewards_app.features.advertiser.ad_rules import Kind
from rewards_app.features.leaderboard.rules import Period
from rewards_app.features.shell import pages as shell
from rewards_app.features.shell.beside_members import beside_members
from rewards_app.features.support.contact import contact_card, quick_tips
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES
from rewards_app.rewards_app import PAGES, app  # also defines every error

PROJECT = Path(__file__).parents[2]
PARAMETER = re.compile(r"\{\{(\w+)\}\}")
PLURAL = re.compile(r"_(zero|one|two|few|many|other)$")
SAID = re.compile(r"""\bt\(\s*["']([\w.]+)["']""")
VISITORS_PAGES = [page for page in PAGES if page.visitors]
OTHERS = [code for code in CODES if code != "en"]

KEPT_WITH_A_VIEW = (TooQuick, WatchedTooShort)
"""Refusals after which the view goes on, and which it remembers."""

# The same word in both languages, checked by people.
SAME_WORD = re.compile(
    # The waitlist is Swedish in every language.
    r"^admin\.waitlist\.|^errors\.waitlist\.(unknown|not_)|"
    r"^(app\.name|dev\.|statement\.entry$)|^password\.|page_title$|WatchCoins|^frame\.online|^nav\.|^roles\.|"
    # Two parameters and a colon.
    r"^letter\.|"
    # The name of a game.
    r"^forum\.categories\.apex$|"
    # Numbered, so that there is a space.
    r"^legal\.(terms\.(coins|privacy)|privacy\.(cookies|contact)|version)$"
)


def base_of(key: str, texts: dict[str, str]) -> str:
    """The key without its plural form; a word such as `gender_other` has none."""
    base = PLURAL.sub("", key)
    return base if f"{base}_one" in texts else key


def bases(texts: dict[str, str]) -> dict[str, set[str]]:
    """Each key without its plural form, with the parameters of all its forms."""
    found: dict[str, set[str]] = {}
    for key, text in texts.items():
        found.setdefault(base_of(key, texts), set()).update(PARAMETER.findall(text))
    return found


def plural_forms(language: str) -> set[str]:
    rules = {*Locale(language).plural_form.rules, "other"}
    # CLDR's form for round millions in the Romance languages, which Babel may not know.
    return rules | ({"many"} if language in {"fr", "es", "it"} else set())


def all_errors() -> list[type[DomainError]]:
    found, waiting = [], DomainError.__subclasses__()
    while waiting:
        error = waiting.pop()
        found.append(error)
        waiting += error.__subclasses__()
    # What all refusals of fields share is none itself.
    found.remove(FieldRefused)
    return [error for error in found if error.__module__.startswith("rewards_app")]


@pytest.mark.parametrize("read", [catalogues.interface, catalogues.mails])
class TestCatalogues:
    @pytest.mark.parametrize("language", OTHERS)
    def test_have_the_same_texts_with_the_same_parameters(self, read, language: str):
        assert bases(read(language)) == bases(read("en"))

    @pytest.mark.parametrize("language", CODES)
    def test_have_every_plural_form_of_the_language(self, read, language: str):
        texts = read(language)
        plurals = {base for key in read("en") if (base := base_of(key, read("en"))) != key}
        missing = [
            f"{base}_{form}"
            for base in plurals
            for form in plural_forms(language)
            if f"{base}_{form}" not in texts
        ]
        assert missing == []

    @pytest.mark.parametrize("language", OTHERS)
    def test_left_no_sentence_in_english(self, read, language: str):
        english = read("en")
        left = [
            key
            for key, text in read(language).items()
            if text == english.get(key) and " " in text and not SAME_WORD.search(key)
        ]
        assert left == []

    @pytest.mark.parametrize("language", CODES)
    def test_have_no_empty_text(self, read, language: str):
        assert [key for key, text in read(language).items() if not text.strip()] == []


class TestKeys:
    def test_every_key_that_the_code_names_exists(self):
        known = bases(catalogues.interface("en"))
        sources = [*(PROJECT / "rewards_app").rglob("*.py"), *(PROJECT / "assets").glob("*.js")]
        named = {key for file in sources for key in SAID.findall(file.read_text("utf-8"))}
        assert sorted(named - set(known)) == []

    @pytest.mark.parametrize("error", all_errors(), ids=lambda error: error.__name__)
    def test_every_refusal_has_its_words(self, error: type[DomainError]):
        known = bases(catalogues.interface("en"))
        assert f"errors.{error.code}" in known
        assert error.title in known

    def test_every_outcome_of_an_ad_has_its_words(self):
        known = bases(catalogues.interface("en"))
        kept = [error for error in all_errors() if error in ENDING or error in KEPT_WITH_A_VIEW]
        reasons = [stories.LEFT, stories.UNFINISHED, *(error.code for error in kept)]
        assert [code for code in reasons if f"watch.reasons.{code}" not in known] == []

    @pytest.mark.parametrize("language", CODES)
    def test_every_kind_of_ad_has_its_words_and_in_one_place(self, language: str):
        """Whoever adds one writes them there, as the recipe says, and misses no other place."""
        places: dict[str, set[str]] = {}
        for key in catalogues.interface(language):
            place, _, last = key.rpartition(".")
            places.setdefault(place, set()).add(last)
        kinds = set(map(str, Kind))
        assert [place for place, keys in places.items() if keys >= kinds] == ["ads_desk.kind"]

    def test_every_reason_of_a_report_has_its_words(self):
        known = bases(catalogues.interface("en"))
        assert [r for r in ReportReason if f"watch.report_reasons.{r}" not in known] == []

    def test_refusals_have_codes_of_their_own(self):
        codes = [error.code for error in all_errors()]
        assert len(codes) == len(set(codes))

    def test_catalogues_are_sorted_for_readers_of_changes(self):
        for language in CODES:
            for part in catalogues.PARTS:
                keys = list(json.loads(catalogues.file_of(part, language).read_text("utf-8")))
                assert keys == sorted(keys)


class TestParts:
    """Visitors load what they can meet, members the rest too."""

    @pytest.mark.parametrize("part", catalogues.PARTS)
    @pytest.mark.parametrize("language", CODES)
    def test_each_text_stands_in_the_part_of_who_reads_it(self, language: str, part: str):
        texts = json.loads(catalogues.file_of(part, language).read_text("utf-8"))
        assert [key for key in texts if catalogues.part_of(key) != part] == []

    def test_there_are_no_other_files(self):
        files = {file for file in catalogues.INTERFACE.rglob("*") if file.is_file()}
        assert files == {
            catalogues.file_of(part, language) for part in catalogues.PARTS for language in CODES
        }

    @pytest.mark.parametrize("page", VISITORS_PAGES, ids=lambda page: page.path)
    def test_a_page_for_visitors_needs_no_text_of_members(self, page: Page):
        frame = shell.frame_for(PAGES)
        shown = rx.fragment(frame.title(page.title), frame.visitor(page.view()))
        assert texts_of_members_in(shown) == set()

    def test_only_the_legal_pages_read_the_long_texts(self):
        frame = shell.frame_for(PAGES)
        reading = {page.path for page in PAGES if texts_of(catalogues.LEGAL, page.view())}
        assert reading == {"/terms", "/privacy"}
        around = rx.fragment(frame.visitor(rx.fragment()), frame.loading(), frame.not_found())
        assert texts_of(catalogues.LEGAL, around) == set()

    def test_what_stands_in_for_a_page_needs_none(self):
        frame = shell.frame_for(PAGES)
        assert texts_of_members_in(rx.fragment(frame.loading(), frame.not_found())) == set()

    def test_nor_does_what_lives_beside_every_page_but_for_what_comes_with_those_texts(self):
        wraps = rx.fragment(*(wrap(True) for wrap in app.extra_app_wraps.values()))  # pyright: ignore[reportArgumentType]
        assert texts_of_members_in(wraps) == set()
        assert texts_of_members_in(beside_members.__wrapped__()) != set()


def texts_of_members_in(component: rx.Component) -> set[str]:
    return texts_of(catalogues.MEMBERS, component)


def texts_of(part: str, component: rx.Component) -> set[str]:
    """The keys of a part that its code names, wherever: as a text, in a choice, in a list."""
    known = bases(catalogues.interface("en"))
    named = set(re.findall(r"""["'`]([\w.]+)["'`]""", str(component.render())))
    found = named & set(known)
    return {key for key in found if catalogues.part_of(key) == part}


class TestSpecification:
    """The words of the specification, letter by letter."""

    @pytest.mark.parametrize(
        ("key", "words"),
        [
            ("profile.saved_title", "Changes saved successfully"),
            ("profile.no_activity", "No recent activity"),
            ("profile.private_title", "This profile is private"),
            ("ui.login_needed", "Authentication required"),
            ("games.login_needed_text", "Please log in to add games"),
            ("games.nothing_chosen_title", "Please select or create a game"),
            ("games.added_title", "Game Added Successfully"),
            ("games.not_added_title", "Error adding game"),
            ("games.not_added_text", "Something went wrong. Please try again."),
            ("games.not_loaded_title", "Error loading games"),
            ("games.not_loaded_text", "Could not load your games. Please refresh the page."),
            ("errors.title", "Error occurred"),
            (
                "errors.accounts.invalid_credentials",
                "Invalid email or password. Please try again.",
            ),
            (
                "errors.accounts.email_taken",
                "A user with this email already exists. Try logging in instead.",
            ),
            ("errors.session_expired_title", "Session Expired"),
            (
                "errors.session_expired",
                "Your session has expired due to inactivity. Please log in again.",
            ),
            ("errors.accounts.weak_password_title", "Weak password"),
            ("errors.accounts.weak_password", "Password must include: {{missing}}"),
            (
                "errors.accounts.short_password",
                "Password must be at least 8 characters long with uppercase, lowercase, number,"
                " and special character.",
            ),
            ("errors.accounts.too_young_title", "Age requirement not met"),
            (
                "errors.accounts.too_young",
                "You must be at least 13 years old to use this service according to COPPA.",
            ),
            ("errors.accounts.birth_date_missing_title", "Enter your birth date"),
            (
                "errors.accounts.birth_date_missing",
                "You must enter a valid birth date to continue.",
            ),
            ("errors.accounts.sign_in_first_title", "Authentication required"),
            ("errors.accounts.sign_in_first", "Please log in to verify your age."),
            ("errors.accounts.age_not_saved_title", "Verification failed"),
            (
                "errors.accounts.age_not_saved",
                "Could not save age verification. Please try again.",
            ),
            ("age.verify", "Verify Age"),
            ("age.verifying", "Verifying..."),
            ("age.parents_title", "Parental consent required"),
            (
                "age.parents_text",
                "You need parental consent to use all features according to GDPR.",
            ),
            ("errors.guardians.consent_needed_title", "Parental consent required"),
            ("guardian.is_guardian", "I am a parent or legal guardian"),
            ("legal.contact_support", "Contact Support"),
            ("consent.saved_title", "Cookie settings saved"),
            ("consent.saved_text", "Your preferences have been updated."),
            ("consent.not_saved_title", "Error"),
            ("consent.not_saved_text", "Could not save your settings."),
            ("password.is_strong", "Password is strong"),
            ("password.weak", "Weak"),
            ("password.fair", "Fair"),
            ("password.good", "Good"),
            ("password.strong", "Strong"),
            ("errors.joining.invalid_email_title", "Invalid email address"),
            ("errors.joining.invalid_email", "Please enter a valid email address"),
            ("errors.joining.already_waiting_title", "Email already registered"),
            ("errors.joining.already_waiting", "You've already signed up!"),
            ("errors.joining.failed_title", "An error occurred"),
            ("errors.joining.failed", "Please try again later"),
            ("not_found.text", "Oops! Page not found"),
            ("not_found.home", "Return to Home"),
            ("auth.back_home", "Back to Home"),
            ("frame.sign_in", "Sign In"),
            ("frame.admin", "Admin"),
            (
                "errors.ads.daily_limit",
                "You've reached your daily limit of ads. Come back tomorrow!",
            ),
            ("errors.ads.no_ad_title", "Failed to get ad session"),
            ("errors.ads.not_started", "Failed to start ad. Please try again."),
            ("errors.ads.security_check", "Security Check"),
            (
                "errors.ads.too_quick",
                "You're watching ads too quickly. Please wait a moment.",
            ),
            ("errors.ads.daily_limit_at_finish", "You've reached your daily ad limit!"),
            (
                "errors.ads.watched_too_short",
                "Please watch the complete ad to earn rewards.",
            ),
            ("errors.ads.already_rewarded", "You've already earned coins for this ad."),
            ("errors.ads.unknown_view", "Failed to complete ad watch"),
            ("watch.completed", "Ad Completed!"),
            (
                "watch.earned",
                "You earned {{coins}} WatchCoins! Remaining today: {{remaining}}",
            ),
            ("errors.shop.no_package", "Please select a package"),
            ("errors.shop.failed_title", "Purchase Failed"),
            ("errors.shop.failed", "Failed to complete purchase. Please try again."),
            ("watch.daily_progress", "Daily Progress"),
            ("watch.total_coins", "Total Coins"),
            ("watch.total_watched", "Total Watched"),
            ("watch.available_ads", "Available Ads"),
            ("watch.watch", "Watch"),
            ("nav.home", "Home"),
            ("nav.earn", "Earn"),
            ("nav.shop", "CoinShop"),
            ("nav.forum", "Forum"),
            ("nav.top_players", "Top Players"),
            ("nav.support", "Support"),
            ("nav.profile", "My Profile"),
            ("nav.overview", "Overview"),
            ("nav.campaigns", "Campaigns"),
            ("nav.ads", "Ads"),
            ("nav.analytics", "Analytics"),
            ("advertiser.security_settings", "Advanced Security Settings"),
            ("admin.advertisers.not_loaded", "Failed to load advertiser applications"),
            ("admin.advertisers.not_updated", "Failed to update advertiser status"),
            ("admin.advertisers.approved_title", "Advertiser approved successfully"),
            ("admin.advertisers.rejected_title", "Advertiser rejected successfully"),
            ("admin.advertisers.none_pending", "No pending applications"),
            ("admin.advertisers.none_processed", "No processed applications yet"),
            ("admin.fraud.none", "No fraud detections recorded yet"),
            ("admin.fraud.blocked", "Blocked"),
            ("health.not_loaded", "Failed to load health stats"),
            ("admin.waitlist.not_loaded", "Kunde inte hämta data"),
            ("errors.waitlist.not_loaded_text", "Kontrollera att du är inloggad som admin"),
            ("admin.waitlist.error", "Fel"),
            ("errors.waitlist.not_updated", "Kunde inte uppdatera status"),
            ("advertiser.under_review", "Application Under Review"),
            ("advertiser.rejected", "Application Rejected"),
            (
                "advertiser.rejected_text",
                "Unfortunately, your advertiser application was not approved.",
            ),
            ("campaigns.not_found", "No campaigns found"),
            ("campaigns.none", "No campaigns yet..."),
            ("campaigns.error", "Error"),
            ("errors.campaigns.not_created", "Failed to create campaign"),
            ("ads_desk.none", "No ads yet..."),
            ("ads_desk.not_created_title", "Failed to Create Ad"),
            ("analytics.notes.running_other", "{{shown}} campaigns currently running"),
            ("analytics.notes.reached", "Reached {{shown}} total impressions"),
            ("analytics.notes.low_ctr", "CTR below 2% - optimization recommended"),
            ("security.error", "Error"),
            ("errors.security.password_not_updated", "Failed to update password"),
            ("security.no_sessions", "No active sessions found"),
            ("security.session_not_revoked", "Failed to revoke session"),
            ("security.sessions_not_revoked", "Failed to revoke sessions"),
            (
                "security.delete_sure",
                "Are you sure you want to delete your account? This action cannot be undone.",
            ),
            ("forum.not_loaded", "Failed to load forum posts"),
            ("forum.ai_moderated", "AI Moderated"),
            (
                "moderation.removed.bullying",
                "[This comment was removed for violating community guidelines]",
            ),
            (
                "moderation.removed.scam",
                "[This content was removed for potential security violations]",
            ),
            (
                "moderation.violations.bullying",
                "Potential bullying or harassment detected",
            ),
            (
                "moderation.violations.scam",
                "Potential phishing or scam content detected",
            ),
            (
                "moderation.violations.capitals",
                "Excessive use of capital letters detected",
            ),
            ("leaderboard.unnamed", "Player{{number}}"),
            ("leaderboard.empty", "No players yet"),
            ("leaderboard.rankings_month", "Monthly rankings"),
            ("profile.add_first_game", "Add your first game"),
            ("profile.add_game", "Add New Game"),
            ("support.contact_title", "Contact Us"),
            ("support.card.phone", "Phone, Stockholm"),
            ("support.card.hours", "Weekdays 9:00-17:00 CET"),
            ("support.tips.title", "Quick Tips"),
            ("security.current_session", "Current Session"),
            ("security.revoke", "Revoke"),
            ("security.title", "Account Security"),
            ("security.sections.password", "Password"),
            ("security.sections.sessions", "Login Sessions"),
            ("security.sections.two-factor", "Two-Factor Auth"),
            ("security.sections.danger", "Danger Zone"),
            ("security.two_factor_title", "Two-Factor Auth"),
            ("security.danger_title", "Danger Zone"),
            ("security.app_title", "Authenticator App"),
            ("security.sms_title", "SMS Verification"),
            ("security.setup", "Setup"),
            ("security.delete_account", "Delete Account"),
            ("security.factor_enabled", "2FA Enabled"),
            ("security.factor_disabled", "2FA Disabled"),
            ("security.factors_failed", "Failed to update 2FA settings"),
            ("security.session_revoked", "Session Revoked"),
            ("security.sessions_revoked", "Sessions Revoked"),
            ("security.password_updated", "Password Updated"),
            ("security.password_updated_text", "Your password has been changed successfully"),
            ("errors.security.fields_missing", "Please fill in all password fields"),
            ("security.deletion_begun", "Account deletion initiated"),
            ("gdpr.initiated", "Data export initiated"),
            ("consent.updated_title", "Cookie settings updated"),
            ("ui.copied", "Copied"),
            ("ui.just_now", "Just now"),
            ("ui.cancel", "Cancel"),
            ("games.add", "Add Game"),
            ("games.custom", "Custom"),
            (
                "errors.games.nothing_chosen",
                "You need to either select a game from the list or fill in custom game details",
            ),
            ("support.categories.getting_started", "Getting Started"),
            ("support.categories.coins", "Coins"),
            ("support.categories.shopping", "Shopping"),
            ("support.categories.account", "Account"),
            ("support.categories.safety", "Safety"),
            ("support.categories.technical", "Technical"),
            ("support.form.name", "Name*"),
            ("support.form.email", "Email*"),
            ("support.form.subject", "Subject"),
            ("support.form.message", "Message*"),
            ("support.sent_title", "Message sent! ✅"),
            ("support.sent_text", "We'll get back to you within 24 hours"),
            ("support.fields_missing_title", "Please fill in all fields"),
            ("errors.support.fields_missing", "Name, email and message are required"),
            ("forum.categories.all", "All Topics"),
            ("forum.categories.fortnite", "Fortnite"),
            ("forum.categories.roblox", "Roblox"),
            ("forum.categories.minecraft", "Minecraft"),
            ("forum.categories.apex", "Apex Legends"),
            ("forum.categories.general", "General Gaming"),
            ("forum.new_post", "New Post"),
            ("forum.reply", "Reply"),
            ("forum.load_more", "Load More Posts"),
            ("forum.hot", "HOT"),
            ("legal.terms.title", "Terms of Service"),
            ("legal.privacy.title", "Privacy Policy"),
            ("advertiser.tabs.overview", "Overview"),
            ("advertiser.tabs.campaigns", "Campaigns"),
            ("advertiser.tabs.ads", "Ads"),
            ("advertiser.tabs.analytics", "Analytics"),
            ("advertiser.tabs.settings", "Settings"),
            ("advertiser.active", "Active Advertiser"),
            ("advertiser.overview.completion_above", "Above average performance"),
            ("advertiser.overview.completion_below", "Below average performance"),
            ("advertiser.overview.engagement_above", "Strong user interaction"),
            ("advertiser.overview.engagement_below", "Moderate user interaction"),
            ("advertiser.registered_title", "Registration Successful!"),
            (
                "advertiser.registered_text",
                "Your advertiser application has been submitted for review.",
            ),
            ("errors.advertiser.registration_failed", "Registration Failed"),
            ("campaigns.new", "New Campaign"),
            ("campaigns.edit", "Edit"),
            ("campaigns.pause", "Pause"),
            ("campaigns.resume", "Resume"),
            ("campaigns.stats", "Stats"),
            ("campaigns.status.unknown", "Unknown"),
            ("campaigns.created_title", "Campaign Created!"),
            ("campaigns.created_text", "Your campaign has been created successfully."),
            ("campaigns.not_created_title", "Campaign Creation Failed"),
            ("errors.campaigns.fields_missing", "Please fill in all required fields"),
            ("ads_desk.created_title", "Ad Created!"),
            ("ads_desk.created_text", "Your ad has been created and is now ready for review."),
            ("analytics.export", "Export"),
            ("analytics.untitled", "Untitled Ad"),
            ("admin.tabs.advertisers", "Advertisers"),
            ("admin.tabs.security", "Security"),
            ("admin.tabs.fraud", "Fraud Detection"),
            ("admin.tabs.health", "System Health"),
            ("admin.loading", "Loading admin panel..."),
            ("admin.denied_title", "Access Denied"),
            ("admin.denied_signed_out", "You must be logged in to access the admin panel."),
            ("admin.security.none", "No security alerts. System is operating normally."),
            ("admin.security.not_loaded", "Failed to fetch security alerts"),
            ("admin.security.resolve", "Resolve"),
            ("admin.security.resolved_title", "Alert resolved successfully"),
            ("alerts.not_resolved", "Failed to resolve alert"),
            ("alerts.new_title", "New Security Alert"),
            ("alerts.severity.critical", "Critical"),
            ("alerts.severity.high", "High"),
            ("alerts.severity.medium", "Medium"),
            ("alerts.severity.low", "Low"),
            ("admin.waitlist.updated", "Status uppdaterad"),
            ("admin.waitlist.is_notified", "Notifierad"),
            ("admin.waitlist.waits", "Väntar"),
            ("auth.gender_male", "Male"),
            ("auth.gender_female", "Female"),
            ("auth.gender_other", "Other"),
            ("home.your_day", "Your Stats Today"),
            ("admin.denied_text", "You don't have permission to access the admin panel."),
            ("errors.security.passwords_differ", "New passwords don't match"),
            ("moderation.violations.language", "Inappropriate language: {{words}}"),
        ],
    )
    def test_stand_as_written(self, key: str, words: str):
        assert catalogues.interface("en")[key] == words

    @pytest.mark.parametrize("period", Period)
    def test_who_comes_first_to_the_board_is_called_so(self, period: Period):
        said = catalogues.interface("en")[f"leaderboard.empty_{period}"]
        assert said.startswith("Be the first")

    @pytest.mark.parametrize("tip", ["codes", "ads", "connection", "problems"])
    def test_the_tips_are_four(self, tip: str):
        assert f"support.tips.{tip}" in texts_of_members_in(quick_tips())

    @pytest.mark.parametrize("way", ["email", "phone", "hours", "office"])
    def test_the_card_names_each_way_to_support(self, way: str):
        assert f"support.card.{way}" in texts_of_members_in(contact_card())

    def test_the_tagline_stands_as_written(self):
        english = catalogues.interface("en")
        first, second = english["landing.tagline_first"], english["landing.tagline_second"]
        assert f"{first} {second}" == "By Gamers, For Gamers"
