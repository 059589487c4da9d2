"""Texts that are given several times: what they do to figures, and labels or spans that contradict each other."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.commands._common.options import note
from re2nn_core.errors import shortened
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names, join_names

_MANY = 0.1  # of the labelled texts
_NAMED = 5  # labels
_SHOWN = 10  # texts with different labels


def report_duplicates(corpus: Corpus) -> None:
    """Say of a training where many labelled texts are duplicates, and where duplicates have different labels."""
    labels: dict[str, list[str]] = {}
    for example in corpus:
        if example.label is not None:
            labels.setdefault(" ".join(example.text.split()).casefold(), []).append(example.label)
    total = sum(map(len, labels.values()))
    duplicates = total - len(labels)
    if duplicates > _MANY * total:
        note(
            f"{duplicates:,} of {counted(total, 'labelled text')} are duplicates, so figures are higher and surer "
            "than on new texts. Leave duplicates out to measure new texts."
        )
    unlike = {text: sorted(set(own)) for text, own in labels.items() if len(set(own)) > 1}
    if unlike:
        text, own = next(iter(unlike.items()))
        note(
            f"{counted(len(unlike), 'text')} with different labels, such as '{shortened(text)}' "
            f"({join_names(own)}): training uses them all. Correct the labels."
        )


def distinct_texts(corpus: Corpus, *, every: bool = False) -> Corpus:
    """Each text of a split once for each label, or set of spans, that it has. What is left out is reported, and which
    texts have different ones: the first of these, or `every`."""
    examples = tuple(dict.fromkeys(corpus.examples))
    if same := len(corpus) - len(examples):
        what = "spans" if any(one.spans is not None for one in examples) else "label"
        rows = counted(same, "row repeats a text", "rows repeat a text")
        note(f"{rows} with the same {what}; each text counts once.")
    _report_unlike(examples, every=every)
    return Corpus(examples)


def _report_unlike(examples: Sequence[Example], *, every: bool) -> None:
    annotated = [one for one in examples if one.label is not None or one.spans is not None]
    known: dict[str, dict[object, str]] = {}
    for one in annotated:
        known.setdefault(one.text, {})[one.label or one.spans] = one.label or ""
    unlike = {text: list(filter(None, own.values())) for text, own in known.items() if len(own) > 1}
    if not unlike:
        return
    what = "labels" if any(unlike.values()) else "sets of spans"
    lines = [
        f"  {shortened(text)!r}{f' is {first_names(own, _NAMED)}' if own else ''}"
        for text, own in list(unlike.items())[: None if every else _SHOWN]
    ]
    if len(unlike) > len(lines):
        lines.append(f"  and {counted(len(unlike) - len(lines), 'more such text')}; write --all-faults to see each")
    which = f"{counted(len(unlike), 'text')} with different {what}"
    note("\n".join([f"{which}, of which a prediction matches one alone:", *lines]))
