"""How far each person has come in a queue; what somebody holds is found apart from what they have annotated."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "9"
down_revision = "8"


def upgrade() -> None:
    op.create_table(
        "reach",
        sa.Column("project_id", sa.Integer, sa.ForeignKey("project.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.String(100), primary_key=True),
        sa.Column("assigned", sa.String(100), primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
    )
    op.drop_index("seat_of_holder", "seat")
    op.create_index("seat_of_holder", "seat", ["project_id", "holder", "held_until"])
    op.execute("UPDATE schema_version SET version = 9")
