"""Sentences that rules must match and must not match, kept with each rule version."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    op.add_column("rule_version", sa.Column("sentences_text", sa.Text, nullable=False, server_default=""))
    op.execute("UPDATE schema_version SET version = 5")
