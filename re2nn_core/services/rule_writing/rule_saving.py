"""Saving rules as a new version: only where they do with their sentences what they must, or with a reason why not."""

from __future__ import annotations

from re2nn_core.errors import SentencesError
from re2nn_core.rules.sentences import read_sentences
from re2nn_core.services.rule_systems.project_rules import read_project_rules
from re2nn_core.services.rule_writing.rule_sentences import SentenceReport, check_sentences
from re2nn_core.services.team.people import require_role
from re2nn_core.store import ProjectRecord, RuleVersion, Store, latest_version, save_version, version_by_number

SAVING = "save rules"
RESTORED = "Restored rules v"  # how the message of a version begins that brings an old one back, before its number
_LISTED = 5


def save_rules(  # noqa: PLR0913 - what a version holds, each by keyword
    store: Store,
    project: ProjectRecord,
    *,
    rules_text: str,
    logic_text: str,
    author: str,
    expected_number: int | None,
    message: str = "",
    sentences_text: str | None = None,
    although: str = "",
) -> RuleVersion:
    """Save the next version of a project's rules, for reviewers and owners.

    `sentences_text` None keeps the sentences of the newest version. SentencesError where one of them fails, unless
    `although` gives a reason, which the version's message then keeps. RuleError, LogicError; ConflictError as
    `store.save_version`.
    """
    require_role(store, author, "reviewer", SAVING)
    sentences = latest_version(store, project.id).sentences_text if sentences_text is None else sentences_text
    report = report_of(store, project, rules_text, logic_text, sentences)
    if report.failures and not although.strip():
        raise SentencesError(failures_in_words(report))
    if report.failures:
        count = len(report.failures)
        failing = f"{count} {'sentence fails' if count == 1 else 'sentences fail'}"
        message = ". ".join(part for part in (message.strip(), f"Saved although {failing}: {although.strip()}") if part)
    return save_version(
        store,
        project.id,
        rules_text=rules_text,
        logic_text=logic_text,
        sentences_text=sentences,
        author=author,
        message=message,
        expected_number=expected_number,
    )


def return_to(
    store: Store, project: ProjectRecord, number: int, *, author: str, expected_number: int, message: str = ""
) -> RuleVersion:
    """Make the rules of an old version the newest ones: a new version, which an undo takes back. Its sentences come
    back with it, as they were, whether they hold or not. NotAllowedError; NotFoundError where there is no such version;
    ConflictError as `store.save_version`."""
    require_role(store, author, "reviewer", SAVING)
    old = version_by_number(store, project.id, number)
    return save_version(
        store,
        project.id,
        rules_text=old.rules_text,
        logic_text=old.logic_text,
        sentences_text=old.sentences_text,
        author=author,
        message=message or f"{RESTORED}{number}",
        expected_number=expected_number,
    )


def report_of(
    store: Store, project: ProjectRecord, rules_text: str, logic_text: str, sentences_text: str
) -> SentenceReport:
    """The sentences, run through the rules of a project. RuleError, LogicError."""
    sentences = read_sentences(sentences_text)
    if not sentences:
        return SentenceReport(())
    return check_sentences(read_project_rules(store, project, rules_text, logic_text), sentences)


def failures_in_words(report: SentenceReport) -> list[str]:
    """What fails, each in a sentence; the first ones."""
    more = len(report.failures) - _LISTED
    return [*map(str, report.failures[:_LISTED]), *([f"... and {more:,} more."] if more > 0 else [])]
