"""The tables. Portable SQL types only, so that SQLite and PostgreSQL hold the same schema.

    project ─┬─ text ──── seat             a text's places in the queue of labelling
             ├─ event                      what was done, by whom and when: only ever added to
             ├─ queue
             ├─ rule_version
             └─ run ───── run_point        and schema_version apart, with one row

    account ──── sign_in                   who may sign in, and who is; attempt counts the tries that failed

A deleted project takes everything below it along. What `migrations` holds brings older databases up to this.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    DateTime,
    Float,
    ForeignKey,
    Index,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    true,
)
from sqlalchemy import text as sql_text
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# The number of the newest file in migrations/versions.
SCHEMA_VERSION = 9

NAME_LENGTH = 200
# For the spans of one text. SQLite holds a column to no length, so files from before spans were kept hold them as well.
SPANS_LENGTH = 20_000
PERSON_LENGTH = 100
# The longest address that mail can be sent to (RFC 5321).
EMAIL_LENGTH = 254


class UtcDateTime(TypeDecorator[datetime]):
    """A moment, kept in UTC without its zone (SQLite has none) and returned with it."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """Root of the tables."""


# An id is never given twice, so that a page holding the id of a deleted thing cannot meet another one.
_NEVER_REUSE = {"sqlite_autoincrement": True}


def _project_key() -> Mapped[int]:
    return mapped_column(ForeignKey("project.id", ondelete="CASCADE"))


class SchemaVersionRow(Base):
    __tablename__ = "schema_version"

    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class ProjectRow(Base):
    __tablename__ = "project"
    __table_args__ = (_NEVER_REUSE,)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    # The name without its case: "Atis" beside "ATIS" would only be confused.
    # Folding can lengthen a character threefold (U+0390), hence the width.
    name_key: Mapped[str] = mapped_column(String(3 * NAME_LENGTH), unique=True)
    task: Mapped[str] = mapped_column(String(40))
    description: Mapped[str] = mapped_column(Text)
    tokenizer: Mapped[str] = mapped_column(String(40))
    lowercase: Mapped[bool]
    sample: Mapped[str | None] = mapped_column(String(NAME_LENGTH))
    ignore_slot_case: Mapped[bool] = mapped_column(default=False, server_default=false())
    # Which labels of people train; see policy.py.
    policy: Mapped[str] = mapped_column(String(40), default="every", server_default="every")
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)


class TextRow(Base):
    __tablename__ = "text"
    __table_args__ = (
        UniqueConstraint("project_id", "position"),
        # The spans of a text are longer than PostgreSQL lets an index hold, and there a column without an index is
        # changed in place.
        Index("text_by_label", "project_id", "label").ddl_if(dialect="sqlite"),
        _NEVER_REUSE,
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = _project_key()
    position: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    # A label, or for slots all spans of the text as one string: see text.spans.write_spans.
    gold: Mapped[str | None] = mapped_column(Text)
    split: Mapped[str | None] = mapped_column(String(10))
    # These three follow from `gold` and the log; kept here for speed, written with the log's own transaction.
    label: Mapped[str | None] = mapped_column(Text)
    annotator: Mapped[str | None] = mapped_column(String(PERSON_LENGTH))
    # A reviewer decided the label; annotations change it no more.
    decided: Mapped[bool] = mapped_column(default=False, server_default=false())


class EventRow(Base):
    """Only ever added to. Of the events of one action, all but the first name it in `batch`.

    `value` is a label, for slots the spans; what else an event says is in `data`.
    """

    __tablename__ = "event"
    __table_args__ = (
        Index("event_of_project", "project_id", "id"),
        Index("event_of_text", "text_id", "id"),
        Index("event_of_person", "project_id", "person", "id"),
        _NEVER_REUSE,
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    # None where the project itself was deleted.
    project_id: Mapped[int | None] = mapped_column(ForeignKey("project.id", ondelete="CASCADE"))
    text_id: Mapped[int | None] = mapped_column(ForeignKey("text.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(20))
    value: Mapped[str | None] = mapped_column(Text)
    data: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    person: Mapped[str] = mapped_column(String(PERSON_LENGTH))
    batch: Mapped[int | None]
    # Unique: an event is taken back once.
    undoes: Mapped[int | None] = mapped_column(ForeignKey("event.id", ondelete="CASCADE"), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class QueueRow(Base):
    """How the texts of a project are assigned; there is one for each project, or none."""

    __tablename__ = "queue"

    project_id: Mapped[int] = mapped_column(ForeignKey("project.id", ondelete="CASCADE"), primary_key=True)
    # How many people judge each text, and whether they see what others said.
    overlap: Mapped[int]
    blind: Mapped[bool]
    # Texts were shared out among people; there may be places that are one person's alone.
    shared: Mapped[bool]
    lease_seconds: Mapped[int]
    # What a reviewer has decided is given out all the same.
    with_decided: Mapped[bool] = mapped_column(default=False, server_default=false())


class SeatRow(Base):
    """One annotation that a text waits for, or has. A text that two people should judge has two seats.

    `holder` has the text until `held_until`, or has annotated it where `done`. `assigned`: only this person may have
    it; empty where anybody may. `closed`: nobody gets it any more, as its text is decided; who holds it may still save.
    """

    __tablename__ = "seat"
    __table_args__ = (
        Index(
            "seat_open",
            "project_id",
            "assigned",
            "place",
            "id",
            sqlite_where=sql_text("done = 0 AND closed = 0"),
            postgresql_where=sql_text("NOT done AND NOT closed"),
        ),
        # Nobody has two seats of one text.
        Index("seat_of_text", "text_id", "holder", unique=True),
        # What somebody holds has a time; what they have annotated, which may be much, has none.
        Index("seat_of_holder", "project_id", "holder", "held_until"),
        _NEVER_REUSE,
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = _project_key()
    text_id: Mapped[int] = mapped_column(ForeignKey("text.id", ondelete="CASCADE"))
    place: Mapped[int]
    assigned: Mapped[str] = mapped_column(String(PERSON_LENGTH))
    holder: Mapped[str | None] = mapped_column(String(PERSON_LENGTH))
    held_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    done: Mapped[bool]
    closed: Mapped[bool] = mapped_column(default=False, server_default=false())


class ReachRow(Base):
    """Before which place of a queue there is nothing any more that a person could be given, of the seats `assigned` to
    them, or (empty) to anybody. See queue_cursor.py."""

    __tablename__ = "reach"

    project_id: Mapped[int] = mapped_column(ForeignKey("project.id", ondelete="CASCADE"), primary_key=True)
    person: Mapped[str] = mapped_column(String(PERSON_LENGTH), primary_key=True)
    assigned: Mapped[str] = mapped_column(String(PERSON_LENGTH), primary_key=True)
    place: Mapped[int]


class RuleVersionRow(Base):
    __tablename__ = "rule_version"
    __table_args__ = (UniqueConstraint("project_id", "number"), _NEVER_REUSE)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = _project_key()
    number: Mapped[int]
    rules_text: Mapped[str] = mapped_column(Text)
    logic_text: Mapped[str] = mapped_column(Text)
    author: Mapped[str] = mapped_column(String(PERSON_LENGTH))
    message: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # What rules must match and must not match, as rules.sentences reads it.
    sentences_text: Mapped[str] = mapped_column(Text, default="", server_default="")


class RunRow(Base):
    __tablename__ = "run"
    __table_args__ = (Index("run_of_project", "project_id", "id"), Index("run_by_state", "state"), _NEVER_REUSE)

    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = _project_key()
    kind: Mapped[str] = mapped_column(String(40))
    rule_version_id: Mapped[int | None] = mapped_column(ForeignKey("rule_version.id", ondelete="SET NULL"))
    state: Mapped[str] = mapped_column(String(10))
    step: Mapped[int]
    total: Mapped[int]
    message: Mapped[str] = mapped_column(Text)
    config: Mapped[dict[str, Any]] = mapped_column(JSON)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    # result["accuracy"], in a column of its own because SQL has no common way into JSON.
    accuracy: Mapped[float | None] = mapped_column(Float)
    error: Mapped[str | None] = mapped_column(Text)
    pid: Mapped[int | None]
    host: Mapped[str | None] = mapped_column(String(255))
    heartbeat: Mapped[datetime | None] = mapped_column(UtcDateTime)
    cancel_requested: Mapped[bool]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # A name within the models folder, so that the whole store can be moved.
    folder: Mapped[str] = mapped_column(String(80), unique=True)


class RunPointRow(Base):
    __tablename__ = "run_point"

    run_id: Mapped[int] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    step: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    metrics: Mapped[dict[str, Any]] = mapped_column(JSON)


class AccountRow(Base):
    """Who may sign in, with what role. Never deleted, since the log names it; one that is not `active` is shut."""

    __tablename__ = "account"
    __table_args__ = (_NEVER_REUSE,)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(PERSON_LENGTH))
    # The name without its case and without forms of letters that only look alike.
    name_key: Mapped[str] = mapped_column(String(6 * PERSON_LENGTH), unique=True)
    # By which somebody is known who signs in elsewhere, in small letters.
    email: Mapped[str | None] = mapped_column(String(EMAIL_LENGTH), unique=True)
    role: Mapped[str] = mapped_column(String(20))
    # None for somebody who signs in elsewhere alone.
    password_hash: Mapped[str | None] = mapped_column(Text)
    active: Mapped[bool] = mapped_column(server_default=true())
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class SignInRow(Base):
    """Somebody who is signed in, in one browser. `ticket` is taken once, and then `token` is what the browser keeps:
    of both only a digest is here."""

    __tablename__ = "sign_in"
    __table_args__ = (Index("sign_in_of_account", "account_id"), _NEVER_REUSE)

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    ticket: Mapped[str | None] = mapped_column(String(64), unique=True)
    token: Mapped[str | None] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)


class AttemptRow(Base):
    """How often signing in has failed for a name or from an address, of which only a digest is here."""

    __tablename__ = "attempt"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    failures: Mapped[int]
    last_at: Mapped[datetime] = mapped_column(UtcDateTime)
    waits_until: Mapped[datetime] = mapped_column(UtcDateTime)
