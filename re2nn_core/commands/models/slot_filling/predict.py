"""predict for slots: the spans that rules or a tagger find in texts, as JSON lines, CoNLL or a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.answer import Answer, percent, table
from re2nn_core.commands._common.options import ReadingOptions, note
from re2nn_core.commands._common.slot_filling.data import read_any_texts
from re2nn_core.commands._common.slot_filling.inputs import load_tagger_of, rules_and_tagger
from re2nn_core.commands._common.sources import RulesAndModel, Sources
from re2nn_core.commands._common.trained_on import training_texts_among
from re2nn_core.commands.models.fitting_texts import fitting_texts
from re2nn_core.text.counting import counted
from re2nn_core.text.json_text import json_text
from re2nn_core.text.tokenization import Token, Tokenization

if TYPE_CHECKING:
    from re2nn_core.network.slot_filling.bundle import TaggerBundle
    from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
    from re2nn_core.text.spans import Span

SLOT_FORMAT_OF_SUFFIX = {
    ".jsonl": "jsonl",
    ".conll": "conll",
    ".bio": "conll",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
}


@dataclass(frozen=True)
class PrintedSpan:
    """A span in characters; confidence of its least certain word, None of rules; the rules that predict the same."""

    start: int
    end: int
    slot: str
    text: str
    confidence: float | None
    rules: tuple[str, ...]


@dataclass(frozen=True)
class TaggedAnswer:
    """A text with its words, their tags and the confidence of each (empty of rules), the spans they make, and
    those that the rules alone would."""

    text: str
    tokens: tuple[Token, ...]
    tags: tuple[str, ...]
    sureness: tuple[float, ...]
    spans: tuple[PrintedSpan, ...]
    by_rules: tuple[Span, ...]

    @property
    def sure(self) -> float | None:
        """Confidence of the least certain word; None of rules, or where there is no word."""
        return round(min(self.sureness), 4) if self.sureness else None


def predict_slots(sources: Sources, input: Path, output: Path | None, reading: ReadingOptions) -> Answer:
    """The answer of `re2nn predict` for slots."""
    bundle = load_tagger_of(sources)
    cut = sources.tokenization_of(bundle)
    speakers = rules_and_tagger(sources, bundle)
    corpus, bad_rows = read_any_texts(input, reading, cut)
    texts, not_written = fitting_texts(corpus.texts, output, cut or Tokenization())
    answers = tag_texts(speakers, texts)
    counts = Counter(span.slot for answer in answers for span in answer.spans)
    data = {
        "sentences": len(answers),
        "spans": counts.total(),
        "slots": dict(counts.most_common()),
        "left_out": [{"line": bad.line, "reason": bad.reason} for bad in bad_rows],
        "not_written": not_written,
        "output": None if output is None else str(output),
    }
    used, message = training_texts_among(sources.model, texts, measured=False)
    data |= used
    if output is None:
        return Answer({**data, "predictions": [_row(answer) for answer in answers]}, _listed(answers) + message)
    _write(output, answers)
    if SLOT_FORMAT_OF_SUFFIX[output.suffix.lower()] == "conll":
        note(f"{output}: CoNLL contains only words and tags, not the original white space between words.")
    tally = table(["slot", "spans"], counts.most_common()) if counts else "No span was found."
    return Answer(data, f"{tally}\n\n{counted(len(answers), 'prediction')} written to {output}.{message}")


def tag_texts(speakers: RulesAndModel[SlotSystem, TaggerBundle], texts: Sequence[str]) -> list[TaggedAnswer]:
    """The spans of each text, by the tagger or the rules."""
    from re2nn_core.text.spans import spans_of
    from re2nn_core.text.tokenization import tokenize

    system, bundle = speakers.system, speakers.bundle
    tokens = [tokenize(text, system.tokenization) for text in texts]
    sentences = [tuple(token.text for token in one) for one in tokens]
    readings = system.readings(sentences)
    by_rules = [system.decide(words, read) for words, read in zip(sentences, readings, strict=True)]
    if bundle is None:
        tags = by_rules
        sureness: list[tuple[float, ...]] = [()] * len(texts)
    else:
        from re2nn_core.services.prediction.slot_filling.encoding import predict_tags

        found = predict_tags(bundle, texts)
        tags, sureness = [answer.tags for answer in found], [answer.sureness for answer in found]
    names = system.rule_names
    return [
        TaggedAnswer(
            text,
            own,
            given,
            sure,
            _spans(text, own, given, sure, [(names[reading.rule], reading.sets) for reading in read]),
            spans_of(ruled, own),
        )
        for text, own, given, sure, read, ruled in zip(texts, tokens, tags, sureness, readings, by_rules, strict=True)
    ]


def _spans(
    text: str,
    tokens: Sequence[Token],
    tags: Sequence[str],
    sureness: Sequence[float],
    readings: Sequence[tuple[str, Sequence[frozenset[str]]]],
) -> tuple[PrintedSpan, ...]:
    """The spans of a text; a rule says the same where it may give each word of a span the tag that it has there."""
    from re2nn_core.text.spans import token_spans

    found = []
    for span in token_spans(tags):
        places = range(span.start, span.end)
        start, end = tokens[span.start].start, tokens[span.end - 1].end
        sure = round(min(sureness[place] for place in places), 4) if sureness else None
        rules = tuple(name for name, sets in readings if all(tags[place] in sets[place] for place in places))
        found.append(PrintedSpan(start, end, span.slot, text[start:end], sure, rules))
    return tuple(found)


def _row(answer: TaggedAnswer) -> dict[str, Any]:
    """An answer as a JSON object, which `read_slot_corpus` reads back."""
    spans = [
        {
            "start": span.start,
            "end": span.end,
            "slot": span.slot,
            "text": span.text,
            "confidence": span.confidence,
            "rules": list(span.rules),
        }
        for span in answer.spans
    ]
    return {"text": answer.text, "spans": spans, "confidence": answer.sure}


def _listed(answers: Sequence[TaggedAnswer]) -> str:
    network = any(answer.sureness for answer in answers)
    header = [*(["confidence"] if network else []), "slots", "text"]
    rows = [
        [
            *([percent(answer.sure)] if network else []),
            "; ".join(f"{span.slot}: {' '.join(span.text.split())}" for span in answer.spans) or "-",
            " ".join(answer.text.split()),
        ]
        for answer in answers
    ]
    return table(header, rows)


def _write(output: Path, answers: Sequence[TaggedAnswer]) -> None:
    from re2nn_core.exchange.tables.write import MARK, write_bytes

    kind = SLOT_FORMAT_OF_SUFFIX[output.suffix.lower()]
    if kind == "jsonl":
        lines = [json_text(_row(answer)) + "\n" for answer in answers]
        write_bytes(output, "".join(lines).encode("utf-8"))
    elif kind == "conll":
        text = "\n".join(map(_sentence, answers))
        write_bytes(output, ((MARK if text.startswith(MARK) else "") + text).encode("utf-8"))
    else:
        from re2nn_core.services.prediction.slot_filling.prediction_files import TableAnswer, render_answers
        from re2nn_core.text.spans import Span

        rows = [
            TableAnswer(
                answer.text,
                tuple(Span(span.start, span.end, span.slot) for span in answer.spans),
                answer.by_rules,
                answer.sure,
            )
            for answer in answers
        ]
        write_bytes(output, render_answers(rows, kind))


def _sentence(answer: TaggedAnswer) -> str:
    """A word, the confidence of its tag where a network gave it, and the tag a line."""
    sureness = [f"{sure:.4f}\t" for sure in answer.sureness] or [""] * len(answer.tokens)
    words = [answer.text[token.start : token.end] for token in answer.tokens]
    return "".join(f"{word}\t{sure}{tag}\n" for word, sure, tag in zip(words, sureness, answer.tags, strict=True))
