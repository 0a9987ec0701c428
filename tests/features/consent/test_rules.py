"""What a stored consent allows, and what spoilt storage does not."""

import pytest

from rewards_app.features.consent import rules
from rewards_app.features.consent.rules import Kind

EVERYTHING = '{"essential":true,"analytics":true,"marketing":true,"ipLogging":true}'
SPOILT = [
    *("", " ", "null", "[]", "true", "12", '"ipLogging"', "{", "[" * 900, '{"ipLogging":}'),
    *('{"ipLogging": "true"}', '{"ipLogging": 1}', '{"ipLogging": [true]}', '{"iplogging": true}'),
    '{"ipLogging": true, "analytics": true, "x": "' + "x" * 1000 + '"}',
    *(None, True, 12, b"{}", {"ipLogging": True}, ["ipLogging"]),
]


class TestAllowedBy:
    def test_everything_is_everything(self):
        assert rules.allowed_by(EVERYTHING) == set(Kind)

    @pytest.mark.parametrize("kind", rules.OPTIONAL)
    def test_one_yes_allows_that_one_beside_the_essential(self, kind: Kind):
        assert rules.allowed_by(f'{{"{kind}": true}}') == {Kind.ESSENTIAL, kind}

    @pytest.mark.parametrize("stored", SPOILT)
    def test_anything_else_allows_the_essential_only(self, stored: object):
        assert rules.allowed_by(stored) == {Kind.ESSENTIAL}

    def test_the_essential_cannot_be_turned_off(self):
        assert rules.allowed_by('{"essential": false}') == {Kind.ESSENTIAL}

    def test_the_last_word_counts(self):
        assert not rules.allows('{"analytics": true, "analytics": false}', Kind.ANALYTICS)


class TestMayLogAddress:
    def test_asks_for_that_consent_alone(self):
        assert rules.may_log_address('{"essential": true, "ipLogging": true}')
        assert not rules.may_log_address('{"essential": true, "analytics": true}')


class TestMayCountCampaigns:
    def test_asks_for_that_consent_alone(self):
        assert rules.may_count_campaigns('{"essential": true, "marketing": true}')
        assert not rules.may_count_campaigns('{"essential": true, "analytics": true}')


class TestMayCountPages:
    def test_asks_for_that_consent_alone(self):
        assert rules.may_count_pages('{"essential": true, "analytics": true}')
        assert not rules.may_count_pages('{"essential": true, "marketing": true}')
