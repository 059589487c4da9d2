"""reconstruct for slots: read a trained tagger back as rules with captures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.commands._common.answer import Answer, percent, table
from re2nn_core.commands._common.inputs import unlike_defaults
from re2nn_core.commands._common.options import Reading
from re2nn_core.commands._common.slot_filling.data import read_slot_texts
from re2nn_core.commands._common.slot_filling.inputs import load_tagger_of
from re2nn_core.commands._common.splits import ChoosingTexts, ToldOfSplits, told_of_splits
from re2nn_core.commands._common.trained_on import trained_on
from re2nn_core.commands._common.watching import counting_up
from re2nn_core.commands.models.reconstruct_json import figures_data, slots_data
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import SlotReconstruction
    from re2nn_core.training.span_scores import SpanScores

SHOWN_STEPS = 3


def reconstruct_slot_files(
    model: Path, sources: ChoosingTexts, output: Path, logic_path: Path, reading: Reading
) -> Answer:
    """The answer of `re2nn reconstruct` for slots."""
    from re2nn_core.services.rule_reconstruction.not_reconstructed import not_reconstructed
    from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import reconstruct_slots
    from re2nn_core.services.rule_review.split_chance import SplitMoves
    from re2nn_core.services.rule_review.split_roles import (
        gains_of,
        network_learned_from_dev,
        split_data,
        split_notes_of,
    )

    bundle = load_tagger_of(model, None)
    known = bundle.parts.known_slots
    corpus = sources.read(lambda path: read_slot_texts(path, reading, bundle.tokenization, model=model).corpus)
    corpus = corpus.spelt_alike(known) if known else corpus
    tell = counting_up("reading back")
    result = reconstruct_slots(bundle, corpus, on_progress=tell)
    tell(1, 1)  # it may have ended early
    output.write_text(result.rules_text, encoding="utf-8")
    logic_path.write_text(result.logic_text, encoding="utf-8")
    # The figures that count are those of texts that chose nothing: test where there is one.
    figures = {scores.split: scores for scores in result.scores}
    headline = figures.get("test") or figures["dev"]
    learned = network_learned_from_dev(bundle.figures)
    gains = gains_of((split, _value(one.original), _value(one.reconstructed)) for split, one in figures.items())
    moves = {split: SplitMoves(one.marked, one.better, one.worse) for split, one in figures.items()}
    said = split_notes_of(gains, moves, learned_from_dev=learned)
    warnings = (*said.warnings, *not_reconstructed(bundle))
    data = {
        **slots_data(result),
        **figures_data(headline),
        "split": headline.split,
        "splits": {
            split: {**figures_data(scores), **split_data(split, learned_from_dev=learned)}
            for split, scores in figures.items()
        },
        "warnings": list(warnings),
        "remarks": list(said.remarks),
        "output": str(output),
        "logic_output": str(logic_path),
        "weights_output": None,
    }
    options = unlike_defaults(bundle.tokenization, ignores_slot_case=bool(known))
    told = told_of_splits(tuple(figures), "changes", warnings, said.remarks, learned_from_dev=learned)
    material, learned_texts = trained_on(model)
    return Answer(data | material, _report(result, told, output, logic_path, options) + learned_texts)


def _report(result: SlotReconstruction, told: ToldOfSplits, output: Path, logic: Path, options: str) -> str:
    """`options` are those that the next command needs."""
    header = ["split", "texts", "written rules", "network", "rules changed", "with new ones", "agreement"]
    rows = [
        [
            told.names[scores.split],
            scores.texts,
            *(_f1(part) for part in (scores.original, scores.network, scores.changed, scores.reconstructed)),
            percent(scores.agreement),
        ]
        for scores in result.scores
    ]
    parts = ["F1 of spans:\n" + table(header, rows) + told.below]
    changed = [rule for rule in result.rules if not rule.kept_original]
    if changed:
        parts.append("\n".join(line for rule in changed for line in [f"{rule.name}:", *_told(rule.steps)]))
    if result.new_priorities:
        parts.append(f"New priorities: {', '.join(result.new_priorities)}")
    parts.append(
        f"{counted(len(changed), 'rule')} of {len(result.rules):,} changed, "
        f"{counted(len(result.new_rules), 'rule')} new. "
        f"Written: {output} and {logic}. Next:\n"
        f"    re2nn evaluate --rules {output} --logic {logic} --data FILE{options}"
    )
    return "\n\n".join(parts)


def _told(steps: tuple[str, ...]) -> list[str]:
    """What was done to a rule, the first steps of it."""
    more = len(steps) - SHOWN_STEPS
    return [*(f"    {step}" for step in steps[:SHOWN_STEPS]), *([f"    and {more} more"] if more > 0 else [])]


def _f1(scores: SpanScores | None) -> str:
    return percent(_value(scores))


def _value(scores: SpanScores | None) -> float | None:
    return None if scores is None else scores.f1
