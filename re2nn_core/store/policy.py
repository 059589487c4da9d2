"""Which labels of people train: a setting of the project, kept in its row, in the log and in archives.

every     the label that stands, whoever gave it last
agreed    the same, but for texts on which people differ or that are flagged: these wait until they are decided
decided   what a reviewer has decided
least:3   what at least three people say; where two answers have as many, the text waits

Labels that came with the data train in each case, as long as nobody has annotated the text, and so does what a reviewer
has decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from sqlalchemy import update

from re2nn_core.errors import InputError
from re2nn_core.store.checks import now
from re2nn_core.store.engine.database import Store
from re2nn_core.store.log.events import append_event
from re2nn_core.store.project_rows import hold_project, read_project
from re2nn_core.store.records import ProjectRecord
from re2nn_core.store.schema import ProjectRow

PolicyKind = Literal["every", "agreed", "decided", "least"]
POLICY_KINDS: tuple[PolicyKind, ...] = get_args(PolicyKind)
MOST_LEAST = 20
_EXPECTED = f"'every', 'agreed', 'decided', or 'least:' and a number from 2 to {MOST_LEAST}"


@dataclass(frozen=True)
class Policy:
    """`least` counts the people that must agree; of the kind "least" alone."""

    kind: PolicyKind = "every"
    least: int = 2

    def __post_init__(self) -> None:
        if self.kind not in POLICY_KINDS or not 2 <= self.least <= MOST_LEAST:
            raise InputError(f"The policy must be {_EXPECTED} (got {self.kind!r} with {self.least}).")

    @property
    def written(self) -> str:
        """As it is stored."""
        return f"least:{self.least}" if self.kind == "least" else self.kind

    @property
    def in_words(self) -> str:
        """As people read it."""
        words = {
            "every": "every label",
            "agreed": "labels that are agreed or adjudicated",
            "decided": "only adjudicated labels",
            "least": f"labels that at least {self.least} annotators agree on",
        }
        return words[self.kind]


def read_policy(written: str) -> Policy:
    """The policy of a stored string; InputError for one that `written` cannot have made."""
    kind, _, number = written.partition(":")
    for known in POLICY_KINDS:
        if known == kind and (known == "least") == bool(number):
            if known != "least":
                return Policy(known)
            if number.isascii() and number.isdecimal() and 2 <= int(number) <= MOST_LEAST:
                return Policy(known, int(number))
    raise InputError(f"The policy must be {_EXPECTED} (got {written!r}).")


def set_policy(store: Store, project_id: int, policy: Policy, *, person: str = "") -> ProjectRecord:
    """Say which labels of people train."""
    with store.writing() as connection:
        hold_project(connection, project_id)
        connection.execute(
            update(ProjectRow).where(ProjectRow.id == project_id).values(policy=policy.written, updated_at=now())
        )
        append_event(connection, project_id, "policy", person=person, value=policy.written)
        return read_project(connection, project_id)
