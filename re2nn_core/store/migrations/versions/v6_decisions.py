"""Reviewers decide between annotations, and projects say which labels train."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "6"
down_revision = "5"


def upgrade() -> None:
    op.add_column("text", sa.Column("decided", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("project", sa.Column("policy", sa.String(40), nullable=False, server_default="every"))
    op.execute("UPDATE schema_version SET version = 6")
