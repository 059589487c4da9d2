"""evaluate for slots: precision, recall and F1 of spans, in which way spans are wrong, and how often rules and network
agree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.command_result import CommandResult, percent, table
from re2nn_core.commands._common.options import ReadingOptions
from re2nn_core.commands._common.slot_filling.data import read_slot_texts, report_slots_apart
from re2nn_core.commands._common.slot_filling.inputs import load_tagger_of, rules_and_tagger
from re2nn_core.commands._common.sources import Sources
from re2nn_core.commands._common.splits import of_split
from re2nn_core.commands._common.trained_on import training_texts_among
from re2nn_core.commands.models.agreement import agreement_text
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.api.slot_filling import SlotModel
    from re2nn_core.services.prediction.slot_filling.evaluation import SlotEvaluation
    from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanError
    from re2nn_core.text.spans import Span
    from re2nn_core.training.span_scores import SpanScores

EXAMPLES = 5  # of each kind of error
_IN_WORDS = {
    "boundary": "right slot, wrong borders",
    "type": "right borders, wrong slot",
    "both": "wrong slot and wrong borders",
    "missed": "nothing given",
    "invented": "nothing there",
}


def evaluate_slot_file(sources: Sources, data_path: Path, split: str | None, reading: ReadingOptions) -> CommandResult:
    """The result of `re2nn evaluate` for slots."""
    from re2nn_core.api.comparing import evaluate

    bundle = load_tagger_of(sources)
    read = read_slot_texts(data_path, reading, sources.tokenization_of(bundle), model=sources.model)
    corpus = of_split(read.corpus, split, data_path)
    left_out = read.texts_left_out(split)
    learned = () if bundle is None else bundle.parts.known_slots
    if sources.ignore_slot_case or learned:
        corpus = corpus.spelt_alike(learned)
    found = rules_and_tagger(sources, bundle, corpus.slots if sources.ignore_slot_case else ())
    apart = report_slots_apart(corpus, _slots_of(found), found.system.slots, str(data_path))
    evaluation = evaluate(found, corpus)
    trained = bundle is not None and (bundle.trained or not bundle.config.is_exact)
    figures = {**_figures(evaluation, corpus.texts), "left_out": left_out, **apart}
    report = _report(evaluation, corpus.texts, trained=trained)
    if left_out:
        every = counted(len(corpus) + left_out, "sentence")
        report += f"\nMeasured on {len(corpus):,} of {every}; {left_out:,} left out with errors."
    used, note = training_texts_among(sources.model, corpus.texts, measured=True)
    return CommandResult({**figures, **used}, report + note, ok=trained or evaluation.agree == evaluation.sentences)


def _slots_of(found: SlotModel) -> tuple[str, ...]:
    """The slots that the rules or the network can give."""
    bundle = found.bundle
    further = () if bundle is None else tuple(tag[2:] for tag in bundle.network.tags if tag.startswith("B-"))
    return tuple(dict.fromkeys((*found.system.slots, *further)))


def _figures(evaluation: SlotEvaluation, texts: Sequence[str]) -> dict[str, Any]:
    return {
        "sentences": evaluation.sentences,
        "labelled": evaluation.labelled,
        "tokens": evaluation.tokens,
        "agree": evaluation.agree,
        "agree_tokens": evaluation.agree_tokens,
        "rules": _scores(evaluation.rules),
        "network": _scores(evaluation.network),
        "slots": {
            slot: {"support": of.support, "rules": _scores(of.rules), "network": _scores(of.network)}
            for slot, of in evaluation.slots.items()
        },
        "errors": {
            "rules": _errors(evaluation.rules_errors, texts),
            "network": _errors(evaluation.network_errors, texts),
        },
    }


def _scores(scores: SpanScores | None) -> dict[str, float] | None:
    if scores is None:
        return None
    return {"precision": scores.precision, "recall": scores.recall, "f1": scores.f1}


def _errors(errors: Sequence[SpanError], texts: Sequence[str]) -> dict[str, Any]:
    """Of each kind how many there are, and the first of them with their texts; spans as they stand in files."""
    by_kind: dict[str, list[SpanError]] = {kind: [] for kind in _IN_WORDS}
    for error in errors:
        by_kind[error.kind].append(error)
    return {
        kind: {
            "count": len(found),
            "examples": [
                {"text": texts[error.place], "gold": _span(error.gold), "prediction": _span(error.prediction)}
                for error in found[:EXAMPLES]
            ],
        }
        for kind, found in by_kind.items()
    }


def _span(span: Span | None) -> list[Any] | None:
    return None if span is None else [span.start, span.end, span.slot]


def _report(evaluation: SlotEvaluation, texts: Sequence[str], *, trained: bool) -> str:
    both = (_scores(evaluation.rules), _scores(evaluation.network))
    rows = [
        [slot, of.support, *_shares("f1", _scores(of.rules), _scores(of.network))]
        for slot, of in evaluation.slots.items()
    ]
    spans = None if evaluation.rules is None else evaluation.rules.support
    named = (("all slots", "f1"), ("precision", "precision"), ("recall", "recall"))
    rows += [[title, spans, *_shares(name, *both)] for title, name in named]
    parts = [table(["F1 of each slot", "spans", "rules", "network"], rows)]
    if evaluation.rules_errors or evaluation.network_errors:
        parts.append(_error_table(evaluation, texts))
    words = counted(evaluation.tokens, "word")
    some = f", and the same tag to {evaluation.agree_tokens:,} of {words}"
    parts.append(agreement_text("tags", evaluation, texts, trained=trained, on_all=f" ({words})", on_some=some))
    return "\n\n".join(parts)


def _shares(name: str, *scores: dict[str, float] | None) -> list[str]:
    return [percent(None if of is None else of[name]) for of in scores]


def _error_table(evaluation: SlotEvaluation, texts: Sequence[str]) -> str:
    """How often each kind occurs; the example is one of the network's, which is what predictions in the end."""
    rows = []
    for kind, words in _IN_WORDS.items():
        of_rules, of_network = (
            [error for error in errors if error.kind == kind]
            for errors in (evaluation.rules_errors, evaluation.network_errors)
        )
        first = next(iter((*of_network, *of_rules)), None)
        rows.append([words, len(of_rules), len(of_network), "-" if first is None else _example(first, texts)])
    return table(["error", "rules", "network", "for example"], rows)


def _example(error: SpanError, texts: Sequence[str]) -> str:
    text = texts[error.place]
    reported = [
        f"{who} {' '.join(text[span.start : span.end].split())} <{span.slot}>"
        for who, span in (("gave", error.prediction), ("there is", error.gold))
        if span is not None
    ]
    return "; ".join(reported)
