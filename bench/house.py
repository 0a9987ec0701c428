"""One company with one campaign and one ad, in the database's own words."""

from typing import LiteralString
from uuid import UUID

NOBODY = UUID(int=1)
"""What the company, the campaign and the ad are called."""
ONE_AD: LiteralString = """
insert into advertisers (id, company_name, email, website, status, reason, balance, reaches_minors,
    starts_by_itself, tags_links, mails_reviews, mails_budgets, mails_reports, created_at,
    updated_at)
    values ('00000000-0000-0000-0000-000000000001', 'Bench', '', '', 'approved', '', 0, true, true,
        false, true, true, true, now(), now());
insert into ad_campaigns (id, advertiser_id, name, description, status, starts_at, ends_at, taken,
    taken_today, ended_by, created_at, updated_at)
    values ('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000001',
        'Bench', '', 'active', now(), now() + interval '1 day', 0, 0, '', now(), now());
insert into ads (id, campaign_id, title, description, ad_type, video_url, image_url, click_url,
    duration, reward_coins, status, review_reason, created_at, updated_at)
    values ('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000001',
        'Bench', '', 'image', '', '', '', 5, 15, 'active', '', now(), now());
"""
