"""The queue of labelling: who has which text, and until when."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    op.create_table(
        "queue",
        sa.Column("project_id", sa.Integer, sa.ForeignKey("project.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("overlap", sa.Integer, nullable=False),
        sa.Column("blind", sa.Boolean, nullable=False),
        sa.Column("shared", sa.Boolean, nullable=False),
        sa.Column("lease_seconds", sa.Integer, nullable=False),
    )
    op.create_table(
        "seat",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("project_id", sa.Integer, sa.ForeignKey("project.id", ondelete="CASCADE"), nullable=False),
        sa.Column("text_id", sa.Integer, sa.ForeignKey("text.id", ondelete="CASCADE"), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("assigned", sa.String(100), nullable=False),
        sa.Column("holder", sa.String(100)),
        sa.Column("held_until", sa.DateTime),
        sa.Column("done", sa.Boolean, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "seat_open",
        "seat",
        ["project_id", "assigned", "place", "id"],
        sqlite_where=sa.text("done = 0"),
        postgresql_where=sa.text("NOT done"),
    )
    op.create_index("seat_of_text", "seat", ["text_id", "holder"], unique=True)
    op.create_index("seat_of_holder", "seat", ["project_id", "holder"])
    op.execute("UPDATE schema_version SET version = 4")
