"""What a person has is found by an index, however many others there are"""

from alembic import op

revision = "f1a6c83e20d7"
down_revision = "e19d4b6c8a37"
branch_labels = None
depends_on = None

KEY = "ad_viewers_pkey"
EVENTS = "ix_payment_events_payment_id"
HOLDS = "ix_coin_holds_account_id"
ANSWERS = "ix_support_messages_answered_by"


def upgrade() -> None:
    # Companies are found by `ix_ad_viewers_advertiser_id_last_day`.
    op.drop_constraint(KEY, "ad_viewers", type_="primary")
    op.create_primary_key(KEY, "ad_viewers", ["account_id", "advertiser_id"])
    op.create_index(HOLDS, "coin_holds", ["account_id"])
    op.create_index(EVENTS, "payment_events", ["payment_id"])
    op.create_index(ANSWERS, "support_messages", ["by_account_id"], postgresql_where="is_answer")


def downgrade() -> None:
    op.drop_index(ANSWERS, table_name="support_messages")
    op.drop_index(HOLDS, table_name="coin_holds")
    op.drop_index(EVENTS, table_name="payment_events")
    op.drop_constraint(KEY, "ad_viewers", type_="primary")
    op.create_primary_key(KEY, "ad_viewers", ["advertiser_id", "account_id"])
