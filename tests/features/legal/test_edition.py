"""Whoever changes the words makes a new edition: people are then told what is different."""

import hashlib
import json
import re
from collections import Counter
from datetime import timedelta

import pytest

from rewards_app.backups.rules import KEPT_FOR
from rewards_app.core.forgetting import ACTIVITY_IS_KEPT
from rewards_app.core.settings import Settings
from rewards_app.features.accounts.age_rules import YOUNGEST_WITHOUT_PARENTS
from rewards_app.features.accounts.closing import TIME_TO_CHANGE_ONES_MIND
from rewards_app.features.accounts.retention import NEVER_PROVEN
from rewards_app.features.accounts.rules import IDLE_LIMIT, SESSION_LIFETIME, YOUNGEST
from rewards_app.features.ads.audience import SMALLEST_GROUP
from rewards_app.features.ads.rules import ADS_A_SITTING, ADULT_AT, DAILY_LIMIT, SITTING_ENDS_AFTER
from rewards_app.features.advertiser.ad_rules import FEWEST_COINS, MOST_COINS, USUAL_COINS
from rewards_app.features.alerts.rules import ADDRESS_KEPT_FOR
from rewards_app.features.coins.expiry_rules import FIRST_WARNING, LAST_WARNING
from rewards_app.features.guardians.rules import UNANSWERED_ARE_KEPT
from rewards_app.features.legal.rules import EDITIONS, SECTIONS, Document, newest
from rewards_app.features.notifications.rules import READ_ONES_ARE_KEPT, UNREAD_ONES_ARE_KEPT
from rewards_app.features.privacy.erasing import PATIENCE
from rewards_app.features.privacy.export_rules import LINK_LIFETIME
from rewards_app.features.support import rules as support
from rewards_app.features.waitlist.rules import UNCONFIRMED_ARE_KEPT
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES

WORDS = {
    (Document.TERMS, 1): "b2d479d62a48b87e1cb270f4e0c4b4700249e797021c9f48ce28afcf1e842ec1",
    (Document.PRIVACY, 1): "bffaf9c2dfd2c4f25c65e4cbb1ad40eb448c6c5b7d5a31c8f677eebb5efd99b5",
    (Document.PRIVACY, 2): "6b8b4e1b27f8c96379c5b95414b5873a06e1412a4c5d08b9624f2ee724f2d1f4",
    (Document.PRIVACY, 3): "21ebf0770da05d13023e6f0260679f6f3d6af2dd1c282f26f98ba208db186fa5",
    (Document.PRIVACY, 4): "224f2e0951947cc9c85f5eb843e7a4ea55e3c13520ecff213ebe13ec7751bebd",
}
"""Of the English texts of each edition. docs/legal.md says what to do when they change."""

NUMBER = re.compile(r"\d+")


def texts(language: str = "en") -> dict[str, str]:
    return json.loads(catalogues.file_of(catalogues.LEGAL, language).read_text("utf-8"))


def words_of(document: Document) -> str:
    said = {
        key: text for key, text in texts().items() if key.startswith(f"legal.{document.value}.")
    }
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


@pytest.mark.parametrize("document", Document)
class TestWords:
    def test_have_a_new_edition_with_each_change(self, document: Document):
        assert WORDS.get((document, newest(document).number)) == words_of(document)

    def test_of_an_edition_say_what_changed_in_every_language(self, document: Document):
        changed = [one.changed for one in EDITIONS if one.document is document]
        for language in CODES:
            assert [key for key in changed if key not in catalogues.interface(language)] == []

    @pytest.mark.parametrize("language", CODES)
    def test_are_there_for_every_section_and_nothing_else(self, document: Document, language: str):
        prefix = f"legal.{document.value}."
        found = {key for key in texts(language) if key.startswith(prefix)}
        sections = SECTIONS[document]
        assert found == {
            *(f"{prefix}{name}" for name in ("page_title", "title", "intro", *sections)),
            *(f"{prefix}{name}_text" for name in sections),
        }

    @pytest.mark.parametrize("language", [code for code in CODES if code != "en"])
    def test_have_the_same_paragraphs_and_lists(self, document: Document, language: str):
        def shape(text: str) -> list[int]:
            return [block.count("\n- ") for block in text.split("\n\n")]

        translated = texts(language)
        differ = [
            key
            for key, text in texts().items()
            if key.startswith(f"legal.{document.value}.") and shape(translated[key]) != shape(text)
        ]
        assert differ == []

    @pytest.mark.parametrize("language", [code for code in CODES if code != "en"])
    def test_name_the_same_numbers_in_each_section(self, document: Document, language: str):
        translated = texts(language)
        differ = [
            key
            for key, text in texts().items()
            if key.startswith(f"legal.{document.value}.")
            and Counter(NUMBER.findall(translated[key])) != Counter(NUMBER.findall(text))
        ]
        assert differ == []


A_MONTH, A_YEAR = timedelta(days=30), timedelta(days=365)
PROMISED = [
    ("terms.eligibility", "at least 13 years old. If you are under 18,", (YOUNGEST, ADULT_AT)),
    (
        "terms.services",
        "from 5 to 50 WatchCoins, usually 15.",
        (FEWEST_COINS, MOST_COINS, USUAL_COINS),
    ),
    ("terms.services", "with up to 50 ads a day.", (DAILY_LIMIT,)),
    ("terms.services", "Under 18, it is at most 15 ads in one sitting.", (ADULT_AT, ADS_A_SITTING)),
    (
        "terms.services",
        "A sitting ends after 60 minutes without an ad.",
        (SITTING_ENDS_AFTER // timedelta(minutes=1),),
    ),
    (
        "terms.coins",
        "after 12 months or more without activity. We mail you 30 days and 7 days before.",
        (
            Settings.model_fields["coin_expiry_months"].default,
            FIRST_WARNING.days,
            LAST_WARNING.days,
        ),
    ),
    (
        "terms.termination",
        "after 30 days your account is erased",
        (TIME_TO_CHANGE_ONES_MIND.days,),
    ),
    ("privacy.children", "not for children under 13.", (YOUNGEST,)),
    ("privacy.sharing", "groups of 20 people or more.", (SMALLEST_GROUP,)),
    (
        "privacy.cookies",
        "for 30 minutes without activity, or for 30 days",
        (IDLE_LIMIT // timedelta(minutes=1), SESSION_LIFETIME.days),
    ),
    (
        "privacy.retention",
        "Accounts whose email address was never confirmed: 30 days",
        (NEVER_PROVEN.days,),
    ),
    ("privacy.retention", "Activity logs: 12 months", (ACTIVITY_IS_KEPT // A_MONTH,)),
    ("privacy.retention", "Support requests: 2 years", (support.KEPT_FOR // A_YEAR,)),
    ("privacy.retention", "addresses noted during attacks: 90 days", (ADDRESS_KEPT_FOR.days,)),
    (
        "privacy.retention",
        "Notifications that you have read, and addresses noted during attacks: 90 days",
        (READ_ONES_ARE_KEPT.days,),
    ),
    (
        "privacy.retention",
        "Notifications that you have not read: 1 year",
        (UNREAD_ONES_ARE_KEPT // A_YEAR,),
    ),
    (
        "privacy.retention",
        "Guardians' addresses without a yes: 30 days",
        (UNANSWERED_ARE_KEPT.days,),
    ),
    ("privacy.retention", "without your confirmation 30 days", (UNCONFIRMED_ARE_KEPT.days,)),
    ("privacy.retention", "Copies of your data that you asked for: 7 days", (LINK_LIFETIME.days,)),
    (
        "privacy.retention",
        "After 30 days it is erased or anonymised; up to 3 days later if a payment or a mail",
        (TIME_TO_CHANGE_ONES_MIND.days, PATIENCE.days),
    ),
    (
        "privacy.retention",
        "Backups forget it within another 30 days.",
        ((KEPT_FOR + timedelta(days=1)).days,),
    ),
]
TOO_EARLY = re.compile(
    r"\b(delet|eras|anonymis)[^.;]*\bwithin \d+ days|\bwithin \d+ days[^.;]*\b(delet|eras|anonymis)"
)
"""Erasing waits for as long as somebody can change their mind: within that time, nothing goes."""


class TestWhatIsPromised:
    """In English; the other languages name the same numbers."""

    @pytest.mark.parametrize(("section", "words", "held"), PROMISED)
    def test_is_said_and_is_what_the_rules_hold(
        self, section: str, words: str, held: tuple[int, ...]
    ):
        assert words in texts()[f"legal.{section}_text"].replace("\N{NO-BREAK SPACE}", " ")
        assert [int(number) for number in NUMBER.findall(words)] == [*held]

    @pytest.mark.parametrize("language", CODES)
    def test_the_mail_of_a_sign_up_says_when_the_account_goes_by_itself(self, language: str):
        said = NUMBER.findall(catalogues.mails(language)["mails.verify.reason"])
        assert said[-1] == str(NEVER_PROVEN.days)

    def test_is_nowhere_that_an_account_is_erased_within_the_time_that_it_can_be_kept(self):
        said = {**catalogues.interface("en"), **catalogues.mails("en")}
        assert [
            key
            for key, text in said.items()
            if TOO_EARLY.search(text.replace("\N{NO-BREAK SPACE}", " "))
        ] == []


@pytest.mark.parametrize("language", CODES)
class TestFigures:
    """What the texts promise is what the rules do."""

    def test_of_eligibility_are_those_of_the_rules(self, language: str):
        text = texts(language)["legal.terms.eligibility_text"]
        assert str(YOUNGEST) in text
        assert str(YOUNGEST_WITHOUT_PARENTS - 1) in text

    def test_of_the_services_are_those_of_the_rules(self, language: str):
        assert str(DAILY_LIMIT) in texts(language)["legal.terms.services_text"]

    def test_of_retention_are_those_of_the_rules(self, language: str):
        text = texts(language)["legal.privacy.retention_text"]
        assert str(UNANSWERED_ARE_KEPT.days) in text
