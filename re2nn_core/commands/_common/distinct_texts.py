"""Texts that are given several times: each counts once in figures, and those that contradict each other are named."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.commands._common.options import note
from re2nn_core.errors import shortened
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names

_NAMED = 5  # labels
_SHOWN = 10  # texts with several labels


def distinct_texts(corpus: Corpus, *, every: bool = False) -> Corpus:
    """Each text of a split once for each label, or set of spans, that it has. What is left out is reported, and which
    texts have several: the first ones, or `every`."""
    examples = tuple(dict.fromkeys(corpus.examples))
    if same := len(corpus) - len(examples):
        what = "spans" if any(one.spans is not None for one in examples) else "label"
        rows = counted(same, "row repeats a text", "rows repeat a text")
        note(f"{rows} with the same {what}; each text counts once.")
    _report_several(examples, every=every)
    return Corpus(examples)


def _report_several(examples: Sequence[Example], *, every: bool) -> None:
    annotated = [one for one in examples if one.label is not None or one.spans is not None]
    known: dict[str, dict[object, str]] = {}
    for one in annotated:
        known.setdefault(one.text, {})[one.label or one.spans] = one.label or ""
    several = {text: list(filter(None, own.values())) for text, own in known.items() if len(own) > 1}
    if not several:
        return
    what = "labels" if any(several.values()) else "sets of spans"
    lines = [
        f"  {shortened(text)!r}{f' is {first_names(own, _NAMED)}' if own else ''}"
        for text, own in list(several.items())[: None if every else _SHOWN]
    ]
    if len(several) > len(lines):
        lines.append(f"  and {counted(len(several) - len(lines), 'more such text')}; write --all-faults to see each")
    which = counted(len(several), f"text has several {what}", f"texts have several {what}")
    note("\n".join([f"{which}, of which a prediction matches one alone:", *lines]))
