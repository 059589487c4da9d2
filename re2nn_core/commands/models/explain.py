"""explain: why one text gets its prediction, why another does not come, and what would change it. For slots see
slot_filling/explain.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.inputs import rules_and_network
from re2nn_core.commands._common.options import (
    json_option,
    logic_option,
    model_option,
    predicting_rules_option,
    task_option,
    tokenization_options,
)
from re2nn_core.commands._common.sources import Sources, with_sources
from re2nn_core.commands.models.explain_text import (
    NO_PREDICTION,
    counts_text,
    explanation_data,
    flip_text,
    number,
    path_texts,
    shortened_text,
    signed,
    ties_and_notes,
    why_not_text,
)
from re2nn_core.commands.models.slot_filling.explain import explain_slots
from re2nn_core.task import by_task
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.explanation.classification.explanation import Explanation
    from re2nn_core.services.explanation.flip import Flip
    from re2nn_core.services.explanation.why_not import WhyNot

_SHOWN_LABELS = 6
_SHOWN_RULES = 12


@click.command("explain", cls=GroupedCommand)
@click.option("--text", required=True, help="The text to explain.")
@predicting_rules_option
@logic_option
@model_option
@click.option(
    "--label", "wanted", help="Explain why this label, slot or rule does not match, and what would make it match."
)
@click.option(
    "--budget", type=int, help="Maximum number of changes of the text that are tried in search of another prediction."
)
@task_option
@tokenization_options
@json_option
@with_sources
def explain_command(sources: Sources, text: str, wanted: str | None, budget: int | None) -> CommandResult:
    """Explain a prediction: paths, the contribution of each rule to each score, and what would change the prediction.

    With --label: which rules match instead, and what each rule of the label lacks. Exit code 2 for a label, model or
    budget that cannot be used. Of a text of more than 400 words, nothing is shown that needs a search.

    \b
    Example: re2nn explain --text "fly to oslo" --rules rules.txt --logic logic.toml --label fare
    """
    return by_task(sources.task, classification=_explain_label, slot_filling=explain_slots)(
        sources, text, wanted, budget
    )


def _explain_label(sources: Sources, text: str, wanted: str | None, budget: int | None) -> CommandResult:
    from re2nn_core.services.explanation.classification.explainers import Explainer

    rules_and_model = rules_and_network(sources)
    explainer = Explainer(rules_and_model.system, rules_and_model.bundle)
    is_label = wanted is None or wanted in explainer.labels
    why_not = None if wanted is None else explainer.why_not(text, wanted)
    found = explainer.explain(text, wanted if is_label else None)
    flip = explainer.flip(text, wanted if is_label and wanted != found.prediction else None, budget=budget)
    data = explanation_data(found, why_not, flip)
    data["paths"] = [{**path, "alone": one.alone} for path, one in zip(data["paths"], found.paths, strict=True)]
    return CommandResult(data, "\n\n".join(_lines(found, why_not, flip)))


def _lines(found: Explanation, why_not: WhyNot | None, flip: Flip) -> Iterator[str]:
    prediction, rules = found.prediction or NO_PREDICTION, found.rules_prediction or NO_PREDICTION
    differs = f" (rules: {rules})" if found.trained and prediction != rules else ""
    because = f"\n{found.because}" if found.because else ""
    yield f"{shortened_text(found.text)}\nprediction: {prediction}{differs}{because}"
    yield from ties_and_notes(found.ties, found.notes)
    if found.words and found.about is not None and not found.long:
        unknown = "the network does not know it" if found.trained else "no rule names it"
        yield counts_text(found.about, [(one.text, one.heat, "" if one.known else unknown) for one in found.words])
    if found.sums:
        yield _sums(found)
        yield _parts(found)
    scores = {part.rule: part.after for part in found.parts}
    yield from path_texts(found.paths, trained=found.trained, scores=scores, rest=found.rest)
    if why_not is not None:
        yield why_not_text(why_not)
    yield flip_text(flip)
    if why_not is None and len(found.sums) > 1:
        other = next(one.label for one in found.sums if one.label != found.prediction)
        yield f"Why not another label, and what would bring it: add --label {other}"


def _sums(found: Explanation) -> str:
    shown = [one for place, one in enumerate(found.sums) if place < _SHOWN_LABELS or one.label == found.about]
    outside = found.trained or any(abs(one.outside) >= 5e-3 for one in shown)
    rows = [
        [
            one.label,
            number(one.score),
            signed(one.rules),
            signed(one.logic),
            *([signed(one.outside)] if outside else []),
            "-" if found.prediction is None else f"{one.probability:.1%}",  # no label matches
        ]
        for one in shown
    ]
    left = len(found.sums) - len(shown)
    more = f"\nand {counted(left, 'more label')} (--json has them all)" if left else ""
    head = ["label", "score", "= rules", "+ without any rule", *(["+ outside the rules"] if outside else [])]
    means = "without any rule: the score by label logic where no rule matches, as of the default label"
    if outside:
        means += "\noutside the rules: the contribution of words that the network has learned"
    return f"Scores, as sums:\n{table([*head, 'probability'], rows)}{more}\n({means})"


def _parts(found: Explanation) -> str:
    labels = [one.label for one in found.sums[:3]]
    if found.about is not None and found.about not in labels:
        labels = [found.about, *labels[:2]]
    matching = [part for part in found.parts if part.matches or any(abs(part.added[label]) >= 5e-3 for label in labels)]
    matching.sort(key=lambda part: not part.matches)  # a rule that matches is looked for here, however little it adds
    if not matching:
        return "No rule adds anything to these scores."
    head = [
        "rule",
        "of label",
        "matches",
        "its own score",
        *(["before training"] if found.trained else []),
        *(f"to {label}" for label in labels),
    ]
    rows = [
        [
            part.rule,
            part.label,
            "yes" if part.matches else "no",
            number(part.after),
            *([number(part.before)] if found.trained else []),
            *(signed(part.added[label]) for label in labels),
        ]
        for part in matching[:_SHOWN_RULES]
    ]
    left = len(matching) - _SHOWN_RULES
    more = f"\nand {counted(left, 'more rule')} (--json has them all)" if left > 0 else ""
    return f"What each rule adds to each score:\n{table(head, rows)}{more}"
