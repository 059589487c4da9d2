"""One log for all that is done: labels move into it, and what was there before is told by events of its own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from re2nn_core.store.migrations.reporting import report_what_was_there

revision = "3"
down_revision = "2"

# An action was a random name shared by its events; now the others name the first of them.
_MOVE = """
INSERT INTO event (id, project_id, text_id, kind, value, person, batch, undoes, created_at)
SELECT old.id, old.project_id, old.text_id, old.action, old.label, old.annotator,
       CASE WHEN first.id = old.id THEN NULL ELSE first.id END, old.undoes, old.created_at
FROM label_event AS old
JOIN (SELECT batch, min(id) AS id FROM label_event GROUP BY batch) AS first ON first.batch = old.batch
ORDER BY old.id
"""


def upgrade() -> None:
    op.create_table(
        "event",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("project_id", sa.Integer, sa.ForeignKey("project.id", ondelete="CASCADE")),
        sa.Column("text_id", sa.Integer, sa.ForeignKey("text.id", ondelete="CASCADE")),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("value", sa.Text),
        sa.Column("data", sa.JSON(none_as_null=True)),
        sa.Column("person", sa.String(100), nullable=False),
        sa.Column("batch", sa.Integer),
        sa.Column("undoes", sa.Integer, sa.ForeignKey("event.id", ondelete="CASCADE"), unique=True),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sqlite_autoincrement=True,
    )
    op.execute(_MOVE)
    op.create_index("event_of_project", "event", ["project_id", "id"])
    op.create_index("event_of_text", "event", ["text_id", "id"])
    op.create_index("event_of_person", "event", ["project_id", "person", "id"])
    _go_on_counting()
    op.drop_table("label_event")
    report_what_was_there(op.get_bind())
    op.execute("UPDATE schema_version SET version = 3")


def _go_on_counting() -> None:
    """Rows that come with their ids leave PostgreSQL's counter where it was."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute("SELECT setval(pg_get_serial_sequence('event', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM event))")
