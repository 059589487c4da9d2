"""review: what a network learned, change by change, as a page to read and as a patch of its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.options import PATH, ReadingOptions, data_options, given_options, json_option
from re2nn_core.commands._common.sources import Sources
from re2nn_core.commands._common.splits import ChoosingTexts
from re2nn_core.commands._common.store_options import Database, database_options, opened
from re2nn_core.commands._common.trained_on import learned_from_dev
from re2nn_core.commands._common.watching import counting_parts, counting_up
from re2nn_core.commands._common.written_files import refuse_outputs
from re2nn_core.commands.models.reconstruct import reconstruct_labels_on
from re2nn_core.commands.models.review_edits import best_edits, edits_data
from re2nn_core.commands.models.slot_filling.reconstruct import reconstruct_slots_on
from re2nn_core.errors import InputError
from re2nn_core.files import naming
from re2nn_core.task import by_task
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names

if TYPE_CHECKING:
    from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
    from re2nn_core.services.rule_review.decisions import ChangeDecision
    from re2nn_core.services.rule_review.model_review import ModelReview
    from re2nn_core.services.rule_review.review_document import ReviewDocument, ReviewedRule

_RECOMMENDED, _ALL, _DECIDED = "recommended", "all", "decided"
_SHOWN_NAMES = 10


@click.command("review", cls=GroupedCommand)
@click.argument("model", type=PATH)
@click.option("--html", "html_path", type=PATH, help="File for the review: one HTML page that needs nothing else.")
@click.option("--patch", "patch_path", type=PATH, help="File for what is accepted, as a unified diff of the rules.")
@click.option(
    "--accept",
    multiple=True,
    metavar="NAME|recommended|decided|all",
    help="What the patch accepts: a rule (may be repeated), the changes that are recommended, since they gain clearly "
    "on held-out texts, those that the project's team accepted, or all. [default: decided where the team decided, else "
    "recommended]",
)
@click.option("--dev", "dev_path", type=PATH, help="Texts with labels or spans on which the reconstruction is chosen.")
@click.option("--train", "train_path", type=PATH, help="Training texts, which help to choose; dev never gets worse.")
@click.option("--test", "test_path", type=PATH, help="Test texts: nothing is chosen on them.")
@click.option("--data", "data_path", type=PATH, help="Train, dev and test texts in one file with a split column.")
@click.option("--split", type=click.Choice(["train", "dev"]), help="Choose on this split of --data alone.")
@database_options
@data_options
@json_option
def review_command(
    model: Path,
    html_path: Path | None,
    patch_path: Path | None,
    accept: Sequence[str],
    data_path: Path | None,
    split: str | None,
    reading: ReadingOptions,
    database: Database,
    **paths: Path | None,
) -> CommandResult:
    """Review what training changed: each changed or new rule of the model in the folder MODEL with what it does alone,
    best on held-out texts first.

    Where MODEL is the folder of a training run of a project, the texts and the team's decisions are those of the
    project. Other models need texts: --data, or --dev. The patch is for the files rules.txt and logic.toml, of MODEL or
    your own, in a FOLDER: `patch -p1 -d FOLDER < PATCH`.

    \b
    Example: re2nn review model --data texts.jsonl --html review.html
             re2nn review model --dev dev.tsv --patch rules.patch --accept all
    """
    refuse_outputs("html_path", "patch_path")
    sources = ChoosingTexts(data_path, split, {name: paths[f"{name}_path"] for name in ("dev", "train", "test")})
    found = _review(model, sources, reading, database)
    document = found.document
    names = _accepted_names(found, accept)
    edited = {} if _ALL in accept else _recommended_forms(document)
    edited |= {name: one.text for name, one in found.decisions.items() if one.text}
    edited = {name: text for name, text in edited.items() if name in names}
    patch, accepted = found.review.patch(names, edited)
    if html_path is not None:
        from re2nn_core.plots.review.page import review_page

        _write(html_path, review_page(document))
    if patch_path is not None:
        _write(patch_path, patch)
    return _prediction(model, document, accepted, html_path, patch_path)


@dataclass(frozen=True)
class _Found:
    """A review, and what was decided about its changes: nothing of a model outside a project."""

    review: ModelReview
    document: ReviewDocument
    decisions: Mapping[str, ChangeDecision] = field(default_factory=dict)


def _review(model: Path, sources: ChoosingTexts, reading: ReadingOptions, database: Database) -> _Found:
    from re2nn_core.services.rule_review.model_review import recommended_document

    task = Sources(model=model).task
    if not sources.given:
        return _project_review(model, database)
    make = by_task(task, classification=_review_labels, slot_filling=_review_slots)
    review = make(model, sources, reading)
    title = f"Review of {model.resolve().name}"
    return _Found(review, recommended_document(review, title=title, subject=str(model), decisions={}))


def _review_labels(model: Path, sources: ChoosingTexts, reading: ReadingOptions) -> ModelReview:
    from re2nn_core.services.rule_review.classification.reviewed_labels import label_review

    bundle, corpus, found = reconstruct_labels_on(model, sources, reading)
    learned = learned_from_dev(model, bundle.figures, corpus.of_split("dev").texts)
    return label_review(bundle, found, corpus, learned_from_dev=learned, on_progress=_measuring())


def _review_slots(model: Path, sources: ChoosingTexts, reading: ReadingOptions) -> ModelReview:
    from re2nn_core.services.rule_review.slot_filling.reviewed_slots import slot_review

    bundle, corpus, found = reconstruct_slots_on(model, sources, reading)
    learned = learned_from_dev(model, bundle.figures, corpus.of_split("dev").texts)
    return slot_review(bundle, found, corpus, learned_from_dev=learned, on_progress=_measuring())


def _measuring() -> Callable[[int, int], None]:
    return partial(counting_parts(), "measuring changes")


def _project_review(model: Path, database: Database) -> _Found:
    """The review of a run on its project's texts. InputError where the model is none."""
    from re2nn_core.services.rule_review.model_review import recommended_document
    from re2nn_core.services.rule_review.reviewed_run import review_of_run, run_in_folder

    where = _database_of(model, database)
    if where is not None:
        with opened(where) as store:
            of = run_in_folder(store, model)
            if of is not None:
                review, decisions = review_of_run(store, of, counting_up("reconstructing"))
                title = f"Review of {of.project.name}"
                subject = of.name.capitalize()
                document = recommended_document(review, title=title, subject=subject, decisions=decisions)
                return _Found(review, document, decisions)
    place = "" if where is None else f" in {where}"
    raise InputError(
        f"There are no texts to review {model} on, because it is not a training run of a project{place}.\n"
        "Write --data FILE where each text names its split, or --dev FILE. For a training run, name the folder of its "
        "project with --home."
    )


def _database_of(model: Path, database: Database) -> Database:
    """The one that was given, that two folders above the model, or the usual one; None where there is none yet."""
    from re2nn_core.store.engine.addresses import DATABASE_NAME, default_database, read_address

    above = model.resolve().parent.parent / DATABASE_NAME
    chosen = database or (above if above.is_file() else default_database())
    path = read_address(chosen).path
    return chosen if path is None or path.is_file() else None


def _accepted_names(found: _Found, asked: Sequence[str]) -> frozenset[str]:
    """The rules that the patch accepts. InputError for one that did not change."""
    from re2nn_core.services.rule_review.decisions import ReviewState

    rules = found.document.rules
    states = {name: one.state for name, one in found.decisions.items()}
    decided = any(state is not ReviewState.OPEN for state in states.values())
    groups = {
        _ALL: [rule.name for rule in rules],
        _RECOMMENDED: [rule.name for rule in rules if rule.recommended],
        _DECIDED: [name for name, state in states.items() if state.taken],
    }
    names = asked or ((_DECIDED,) if decided else (_RECOMMENDED,))
    unknown = [name for name in names if name not in groups and name not in groups[_ALL]]
    if unknown:
        raise InputError(
            f"--accept: no rule of the name '{unknown[0]}' changed. "
            f"There are: {first_names(groups[_ALL], _SHOWN_NAMES) or 'none'}. "
            f"Write one of them, {_RECOMMENDED}, {_DECIDED} or {_ALL}."
        )
    return frozenset(rule for name in names for rule in groups.get(name, (name,)))


def _recommended_forms(document: ReviewDocument) -> dict[str, str]:
    """The new rules that are shown in their recommended form, which Accept takes on the page Compare."""
    return {rule.name: rule.left_out.better.text for rule in document.rules if rule.left_out is not None}


def _write(path: Path, text: str) -> None:
    with naming(path):
        path.write_text(text, encoding="utf-8", newline="")


def _prediction(
    model: Path, document: ReviewDocument, accepted: Acceptance, html: Path | None, patch: Path | None
) -> CommandResult:
    data = {
        "model": str(model),
        "held_out": document.split or None,
        "held_out_texts": document.held_texts,
        "rules": [_rule_data(rule) for rule in document.rules],
        "accepted": list(accepted.accepted),
        "left_out": [{"name": name, "reason": why} for name, why in accepted.refused],
        "notes": list(document.notes),
        "html": None if html is None else str(html),
        "patch": None if patch is None else str(patch),
    }
    return CommandResult(data, "\n\n".join(_report(document, accepted, html, patch)))


def _rule_data(rule: ReviewedRule) -> dict[str, Any]:
    return {
        "name": rule.name,
        "labels": list(rule.groups),
        "new": rule.new,
        "fixed": rule.fixed.count,
        "broken": rule.broken.count,
        "other": rule.other.count,
        "held_out_fixed": rule.held_fixed,
        "held_out_broken": rule.held_broken,
        "gain": rule.gain,
        "recommended": rule.recommended,
        "state": rule.state or None,
        **edits_data(rule),
    }


def _report(document: ReviewDocument, accepted: Acceptance, html: Path | None, patch: Path | None) -> Iterator[str]:
    yield f"{document.title}: {document.subject}"
    if document.rules:
        held = f"fixed, broken on {document.split}" if document.split else "held-out texts"
        header = ["rule", "slots" if document.tagging else "label", "fixed", "broken", held, "state"]
        yield table(header, [_row(rule, document) for rule in document.rules])
    else:
        yield "No rule changed."
    best = list(best_edits(document))
    if best:
        yield "The best change:" if len(best) == 1 else f"The best {len(best):,} changes:"
    yield from best
    yield from document.notes
    if html is not None:
        yield f"The review is in {html}."
    if patch is not None:
        count = len(accepted.accepted)
        names = f": {first_names(accepted.accepted, _SHOWN_NAMES)}" if count else ""
        yield f"The patch with {counted(count, 'accepted change')} is in {patch}{names}."
        if count:
            yield f"Apply it in the FOLDER of your rules.txt: patch -p1 -d FOLDER < {patch}"
        yield from (f"Left out of the patch: {name}, because {why}." for name, why in accepted.refused)
        others = len(document.rules) - count - len(accepted.refused)
        if others and not given_options("accept"):
            verb = "is" if others == 1 else "are"
            named = f"--accept NAME takes those that you name, --accept {_ALL} all."
            yield f"{counted(others, 'change')} {verb} not in it: {named}"


def _row(rule: ReviewedRule, document: ReviewDocument) -> list[object]:
    held = f"+{rule.held_fixed:,} -{rule.held_broken:,}" if document.split else None
    state = rule.state or ("recommended" if rule.recommended else None)
    return [rule.name, ", ".join(rule.groups), rule.fixed.count, rule.broken.count, held, state]
