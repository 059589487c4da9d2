"""explain: why one text gets its answer, why another does not come, and what would change it. For slots see
slot_explaining.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands.answer import Answer, table
from re2nn_core.commands.explanation_text import (
    NO_ANSWER,
    explanation_data,
    flip_text,
    number,
    path_texts,
    signed,
    why_not_text,
)
from re2nn_core.commands.inputs import load_speakers
from re2nn_core.commands.options import (
    SLOTS,
    json_option,
    logic_option,
    model_option,
    speaking_rules_option,
    task_option,
    tokenization_options,
)
from re2nn_core.commands.slot_explaining import explain_slots
from re2nn_core.commands.slot_inputs import find_task
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.explanation import Explanation, Flip, WhyNot

_SHOWN_LABELS = 6
_SHOWN_RULES = 12


@click.command("explain")
@click.option("--text", required=True, help="The text to explain.")
@speaking_rules_option
@logic_option
@model_option
@click.option("--label", "wanted", help="Ask for this label, slot or rule: why not, and what would bring it.")
@click.option("--budget", type=int, help="So many changes of the text are tried in search of another answer.")
@task_option
@tokenization_options
@json_option
def explain_command(
    text: str,
    rules_path: Path | None,
    logic_path: Path | None,
    model: Path | None,
    wanted: str | None,
    budget: int | None,
    task: str | None,
    tokenization: Tokenization | None,
) -> Answer:
    """Say why a text gets its answer: paths, what each rule adds to each score, and what would change the answer.

    \b
    Example: re2nn explain --text "fly to oslo" --rules rules.txt --logic logic.toml --label fare
    """
    if find_task(task, rules_path, model, tokenization) == SLOTS:
        return explain_slots(text, rules_path, logic_path, model, wanted, budget, tokenization)
    from re2nn_core.services.explainers import Explainer

    speakers = load_speakers(rules_path, logic_path, model, tokenization)
    explainer = Explainer(speakers.system, speakers.bundle)
    is_label = wanted is None or wanted in explainer.labels
    why_not = None if wanted is None else explainer.why_not(text, wanted)
    found = explainer.explain(text, wanted if is_label else None)
    flip = explainer.flip(text, wanted if is_label and wanted != found.answer else None, budget=budget)
    return Answer(explanation_data(found, why_not, flip), "\n\n".join(_told(found, why_not, flip)))


def _told(found: Explanation, why_not: WhyNot | None, flip: Flip) -> Iterator[str]:
    answer, rules = found.answer or NO_ANSWER, found.rules_answer or NO_ANSWER
    differs = f" (the rules say {rules})" if found.trained and answer != rules else ""
    yield f"{' '.join(found.text.split())}\nanswer: {answer}{differs}"
    if found.notes:
        yield "\n".join(f"Note: {note}" for note in found.notes)
    if found.words and found.about is not None:
        rows = [[word.text, signed(word.heat), "" if word.known else "not known"] for word in found.words]
        yield f"How much each word counts for {found.about}:\n" + table(["word", "counts", ""], rows)
    if found.sums:
        yield _sums(found)
        yield _parts(found)
    if found.paths:
        yield from path_texts(found.paths)
    if why_not is not None:
        yield why_not_text(why_not)
    yield flip_text(flip)


def _sums(found: Explanation) -> str:
    shown = [one for place, one in enumerate(found.sums) if place < _SHOWN_LABELS or one.label == found.about]
    rows = [
        [
            one.label,
            number(one.score),
            signed(one.rules),
            signed(one.logic),
            signed(one.outside),
            f"{one.probability:.1%}",
        ]
        for one in shown
    ]
    left = (
        f"\nand {len(found.sums) - len(shown):,} more labels (--json has them all)"
        if len(found.sums) > len(shown)
        else ""
    )
    head = ["label", "score", "rules", "without any rule", "outside the rules", "probability"]
    return "Scores, as sums:\n" + table(head, rows) + left


def _parts(found: Explanation) -> str:
    labels = [one.label for one in found.sums[:3]]
    if found.about is not None and found.about not in labels:
        labels = [found.about, *labels[:2]]
    speaking = [part for part in found.parts if part.matches or any(abs(part.added[label]) >= 5e-4 for label in labels)]
    if not speaking:
        return "No rule adds anything to these scores."
    head = ["rule", "of", "matches", "its score", *(["before training"] if found.trained else []), *labels]
    rows = [
        [
            part.rule,
            part.label,
            "yes" if part.matches else "no",
            number(part.after),
            *([number(part.before)] if found.trained else []),
            *(signed(part.added[label]) for label in labels),
        ]
        for part in speaking[:_SHOWN_RULES]
    ]
    left = f"\nand {len(speaking) - _SHOWN_RULES:,} more rules" if len(speaking) > _SHOWN_RULES else ""
    return "What each rule adds:\n" + table(head, rows) + left
