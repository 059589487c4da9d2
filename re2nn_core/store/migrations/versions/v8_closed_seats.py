"""Seats that are closed because a reviewer decided their text, and queues that give out decided texts all the same."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "8"
down_revision = "7"


def upgrade() -> None:
    op.add_column("queue", sa.Column("with_decided", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seat", sa.Column("closed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute("UPDATE seat SET closed = true WHERE text_id IN (SELECT id FROM text WHERE decided)")
    op.drop_index("seat_open", "seat")
    op.create_index(
        "seat_open",
        "seat",
        ["project_id", "assigned", "place", "id"],
        sqlite_where=sa.text("done = 0 AND closed = 0"),
        postgresql_where=sa.text("NOT done AND NOT closed"),
    )
    op.execute("UPDATE schema_version SET version = 8")
