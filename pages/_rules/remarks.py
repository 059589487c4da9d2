"""What should be known of the figures of rules before they are believed: a quiet line each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from pages._shared.drawing.markup import escape, html
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.suggested_rules import holds_suggested_rules
from re2nn_core.services.values.stored import TextRecord


def draw_lines(remarks: Iterable[str]) -> None:
    """A line for each."""
    html("".join(f'<div class="re2-muted re2-remark">{escape(one)}</div>' for one in remarks))


def suggested(draft: Draft, records: Sequence[TextRecord], figure: Callable[[list[int]], str | None]) -> Iterator[str]:
    """That some rules were suggested from texts that they are measured on, and their figure on others; `figure` of the
    texts at these places, None where there is none."""
    if not holds_suggested_rules(draft.rules_text) or all(record.label is None for record in records):
        return
    message = "Some rules were suggested from the training texts, which are measured here too"
    for split in ("test", "dev"):
        places = [place for place, record in enumerate(records) if record.split == split and record.label is not None]
        found = figure(places) if places else None
        if found is not None:
            yield f"{message}. On {split} texts, which were not used for suggesting: {found}."
            return
    yield f"{message}: these figures say little about other texts. Import texts of the split test to measure that."
