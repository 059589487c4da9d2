"""What a training learns from: examples by label and source, what may spoil it, and the recipe."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.catalog import TEAM
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, figures, html
from pages._shared.drawing.tables import html_table
from re2nn_core.guide.glossary import definition
from re2nn_core.services.fine_tuning.classification.examples import FEW_OF_A_LABEL, LabelExamples, LabelledExamples
from re2nn_core.services.fine_tuning.slot_filling.examples import SlotSpans
from re2nn_core.services.team.training_labels import LabelledMaterial

_NONE = "0"
CROSS_VALIDATED = "training texts, cross-validated"
MEANINGS = {CROSS_VALIDATED: definition("Cross-validation")}
_ORIGINS = {
    "annotated": "Training examples that people have annotated in this application.",
    "imported": "Training examples whose labels or spans came with the texts.",
}


def draw_label_counts(examples: LabelledExamples) -> None:
    """How many examples there are."""
    html(
        figures(
            [
                *_learning(examples),
                (f"{examples.test:,}", "test", ""),
                *([(f"{examples.unlabelled:,}", "unlabelled", "")] if examples.unlabelled else []),
            ],
            MEANINGS,
        )
    )


def draw_waiting(material: LabelledMaterial) -> None:
    """How many texts wait because of the project's policy, with a way to decide them; nothing where none does."""
    if not material.waiting:
        return
    count = len(material.waiting)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="train_waiting"):
        html(
            f"""<div class="re2-warn">{count:,} {"text is" if count == 1 else "texts are"} not used yet: """
            f"training labels are {escape(material.policy.in_words)}. They need a review.</div>"
        )
        st.page_link(TEAM.file, label="Review labels", icon=":material/gavel:", query_params={"view": "review"})


def _learning(examples: LabelledExamples) -> list[tuple[str, str, str]]:
    """Texts to learn from and to stop by; without dev texts the training plan says what is held out of the former."""
    if examples.turns:
        of_both = f' <span class="re2-muted">({examples.train:,} train, {examples.dev:,} dev)</span>'
        dev = of_both if examples.split.decided_by == "dev" else ""
        return [(f"{examples.train + examples.dev:,}", CROSS_VALIDATED, dev)]
    if examples.split.decided_by == "held out":
        return [(f"{examples.train + examples.dev:,}", "training texts", "")]
    return [(f"{examples.train:,}", "training texts", ""), (f"{examples.dev:,}", "dev, to choose the epoch", "")]


def draw_labels(examples: LabelledExamples, palette: Palette) -> None:
    """The examples label by label."""
    draw_examples("Label", "train", [_row(entry, palette, examples) for entry in examples.labels])


def draw_examples(name: str, learned: str, rows: Sequence[Sequence[str]], dev: str = "dev") -> None:
    """The examples by label or slot; `dev` heads the texts that decide when to stop. Where nobody has annotated any
    here, all came with the texts, and no column tells the two apart."""
    head = [name, learned, *_ORIGINS, dev, "test", "rules"]
    if all(row[2] == _NONE for row in rows):
        head, rows = [*head[:2], *head[4:]], [[*row[:2], *row[4:]] for row in rows]
    table = html_table(head, rows, numbers=range(2, len(head)), meanings=_ORIGINS)
    html(f'<div class="re2-scroll">{table}</div>')


def _row(entry: LabelExamples, palette: Palette, examples: LabelledExamples) -> list[str]:
    bar = amount_html(entry.train, examples.labels, palette.colour(entry.label), few=FEW_OF_A_LABEL)
    counts = (entry.by_people, entry.with_data, entry.dev, entry.test, entry.rules)
    return [palette.chip(entry.label), bar, *(f"{count:,}" for count in counts)]


def amount_html(
    train: int, every: Sequence[LabelExamples | SlotSpans], colour: str, *, few: int, title: str = ""
) -> str:
    """So many training examples of a label or slot, with a bar as long as their share of the most that one has."""
    most = max(entry.train for entry in every) or 1
    return (
        f'<span class="re2-amount" style="--chip:{colour}"{title}>'
        f'<i style="width:{100 * train / most:.0f}%"></i></span> '
        f"{train:,}{' <b title=few>⚠</b>' if train < few else ''}"
    )


STYLE = """
<style>
.re2-amount { display: inline-block; width: 3.4rem; height: .55em; border-radius: .3em; vertical-align: middle;
  background: color-mix(in srgb, currentColor 9%, transparent); }
.re2-amount i { display: block; height: 100%; border-radius: .3em; background: var(--chip); }
.re2-scroll { max-height: 23.5rem; overflow-y: auto; margin: .4rem 0; }
.re2-scroll th { position: sticky; top: 0; background: light-dark(#fbfbfa, #15191b); }
.re2-scroll td { white-space: nowrap; }
.re2-state { font-size: 1.02em; margin-bottom: .2rem; }
.re2-good { border-left: 3px solid #2e9e6b; padding: .3rem .7rem; font-size: .92em; border-radius: 0 .3rem .3rem 0;
  background: color-mix(in srgb, #2e9e6b 9%, transparent); }
.re2-verdict { border-left: 3px solid #2a8fb3; padding: .3rem .7rem; border-radius: 0 .3rem .3rem 0;
  background: color-mix(in srgb, #2a8fb3 9%, transparent); }
.re2-series { overflow-x: auto; }
.re2-series th, .re2-series td { white-space: nowrap; }
.re2-series th:nth-child(n+2) { text-align: right; }
.re2-sizes { max-width: 36rem; }
.re2-chain { font-size: .92em; line-height: 1.6; overflow-wrap: anywhere; }
.st-key-train_switches [data-testid="stVerticalBlock"] { gap: .25rem; }
.re2-scroll th:nth-child(n+3), .re2-right th:nth-child(n+2):not(:last-child) { text-align: right; }
</style>
"""
