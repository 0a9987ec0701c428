"""Moderation agrees with people about what players write, in every language."""

import pytest

from rewards_app.i18n.languages import CODES
from tests.features.moderation.labelled_sets import agreement_on, sentences

FEWEST = 100
PRECISION, RECALL = 0.97, 0.95


@pytest.mark.parametrize("language", CODES)
class TestEachLanguage:
    def test_has_enough_sentences_and_none_twice(self, language: str):
        texts = [one.text for part in (False, True) for one in sentences(language, held_out=part)]
        assert len(texts) >= FEWEST
        assert len(set(texts)) == len(texts)

    def test_is_judged_as_people_judge_it(self, language: str):
        agreement = agreement_on(sentences(language, held_out=False))
        assert agreement.precision() >= PRECISION, agreement.disagreements
        assert agreement.recall() >= RECALL, agreement.disagreements

    def test_is_judged_alike_where_the_lists_were_not_made_for_it(self, language: str):
        agreement = agreement_on(sentences(language, held_out=True))
        assert agreement.precision() >= PRECISION, agreement.disagreements
        assert agreement.recall() >= RECALL, agreement.disagreements
