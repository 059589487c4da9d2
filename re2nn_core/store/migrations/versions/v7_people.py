"""Accounts, who is signed in, and how often signing in has failed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "7"
down_revision = "6"


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("name_key", sa.String(600), nullable=False, unique=True),
        sa.Column("email", sa.String(254), unique=True),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("password_hash", sa.Text),
        sa.Column("active", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "sign_in",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
        sa.Column("ticket", sa.String(64), unique=True),
        sa.Column("token", sa.String(64), unique=True),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("sign_in_of_account", "sign_in", ["account_id"])
    op.create_table(
        "attempt",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("last_at", sa.DateTime, nullable=False),
        sa.Column("waits_until", sa.DateTime, nullable=False),
    )
    op.execute("UPDATE schema_version SET version = 7")
