"""Projects say whether the case of their slots' letters counts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    op.add_column("project", sa.Column("ignore_slot_case", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute("UPDATE schema_version SET version = 2")
