"""Projects, texts, labels, rule versions, runs: the tables of the first version.

Databases of that version carry the number 1 in schema_version and begin behind this file.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    op.create_table("schema_version", sa.Column("version", sa.Integer, primary_key=True, autoincrement=False))
    _projects_and_texts()
    _labels_and_versions()
    _runs()
    op.execute("INSERT INTO schema_version (version) VALUES (1)")


def _of(table: str, nullable: bool = False) -> sa.Column[int]:
    key = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(f"{table}_id", sa.Integer, key, nullable=nullable)


def _projects_and_texts() -> None:
    op.create_table(
        "project",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("name_key", sa.String(600), nullable=False, unique=True),
        sa.Column("task", sa.String(40), nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("tokenizer", sa.String(40), nullable=False),
        sa.Column("lowercase", sa.Boolean, nullable=False),
        sa.Column("sample", sa.String(200)),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "text",
        sa.Column("id", sa.Integer, primary_key=True),
        _of("project"),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("gold", sa.Text),
        sa.Column("split", sa.String(10)),
        sa.Column("label", sa.Text),
        sa.Column("annotator", sa.String(100)),
        sa.UniqueConstraint("project_id", "position"),
        sqlite_autoincrement=True,
    )
    if op.get_bind().dialect.name == "sqlite":
        op.create_index("text_by_label", "text", ["project_id", "label"])


def _labels_and_versions() -> None:
    op.create_table(
        "label_event",
        sa.Column("id", sa.Integer, primary_key=True),
        _of("project"),
        _of("text"),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("annotator", sa.String(100), nullable=False),
        sa.Column("action", sa.String(10), nullable=False),
        sa.Column("batch", sa.String(32), nullable=False),
        sa.Column("undoes", sa.Integer, sa.ForeignKey("label_event.id", ondelete="CASCADE"), unique=True),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("label_event_of_text", "label_event", ["text_id", "id"])
    op.create_index("label_event_of_person", "label_event", ["project_id", "annotator", "id"])
    op.create_index("label_event_of_batch", "label_event", ["batch"])
    op.create_table(
        "rule_version",
        sa.Column("id", sa.Integer, primary_key=True),
        _of("project"),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("rules_text", sa.Text, nullable=False),
        sa.Column("logic_text", sa.Text, nullable=False),
        sa.Column("author", sa.String(100), nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("project_id", "number"),
        sqlite_autoincrement=True,
    )


def _runs() -> None:
    op.create_table(
        "run",
        sa.Column("id", sa.Integer, primary_key=True),
        _of("project"),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("rule_version_id", sa.Integer, sa.ForeignKey("rule_version.id", ondelete="SET NULL")),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("config", sa.JSON, nullable=False),
        sa.Column("result", sa.JSON(none_as_null=True)),
        sa.Column("accuracy", sa.Float),
        sa.Column("error", sa.Text),
        sa.Column("pid", sa.Integer),
        sa.Column("host", sa.String(255)),
        sa.Column("heartbeat", sa.DateTime),
        sa.Column("cancel_requested", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("started_at", sa.DateTime),
        sa.Column("finished_at", sa.DateTime),
        sa.Column("folder", sa.String(80), nullable=False, unique=True),
        sqlite_autoincrement=True,
    )
    op.create_index("run_of_project", "run", ["project_id", "id"])
    op.create_index("run_by_state", "run", ["state"])
    op.create_table(
        "run_point",
        sa.Column("run_id", sa.Integer, sa.ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("step", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("metrics", sa.JSON, nullable=False),
    )
