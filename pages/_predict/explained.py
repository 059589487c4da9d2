"""Below the table: the chosen text explained. How much each word counts, each label's score as a sum over rules, paths
word by word, why another label does not come, and the smallest change that brings it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages._shared.cached.explaining import (
    STYLE,
    choose_path,
    flip_html,
    heat_html,
    notes_html,
    signed,
    why_not_html,
)
from pages._shared.drawing.labels import NO_PREDICTION, Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.rule_link import rule_link
from pages._shared.drawing.tables import html_table
from re2nn_core.services.explanation.classification.explainers import Explainer
from re2nn_core.services.explanation.classification.explanation import Explanation, RulePart
from re2nn_core.services.explanation.flip import Flip
from re2nn_core.services.explanation.slot_filling.explainers import SlotExplainer
from re2nn_core.services.explanation.slot_filling.explanation import SlotExplanation
from re2nn_core.services.explanation.text_notes import too_long
from re2nn_core.text.counting import counted
from re2nn_core.text.visible import visible

PARTS = {
    "scores": "Score contributions",
    "paths": "Paths",
    "whynot": "Why not another label",
    "change": "What would change it",
}
_SHOWN_LABELS = 6
_SHOWN_RULES = 12
_ANY = "any other label"
_ADDS = 0.005
# Side by side where both tables fit, one below the other where they do not: a table that is cut says nothing.
_SIDES = (
    "<style>.re2-sides { display: flex; flex-wrap: wrap; gap: .6rem 2rem; } "
    ".re2-sides > div { flex: 1 1 34rem; min-width: min(100%, 34rem); overflow-x: auto; }</style>"
)


def wants_explanation() -> bool:
    """Whether the chosen text is to be explained."""
    return st.toggle(
        "Explain the selected text",
        key="predict_explain",
        persist_state="session",
        help="Contribution of each word and rule, paths through the rules, and the smallest change that leads to "
        "another prediction.",
    )


def draw_part(
    found: Explanation | SlotExplanation,
    scores: Callable[[], None],
    paths: Callable[[], None],
    why_not: Callable[[], None],
    change: Callable[[], None],
) -> None:
    """What is looked at, drawn; paths and changes of a text that is too long are not."""
    part = st.segmented_control(
        "Explained",
        list(PARTS),
        format_func=PARTS.__getitem__,
        default="scores",
        required=True,
        key="predict_explained",
        persist_state="session",
        label_visibility="collapsed",
    )
    if found.long and part in ("paths", "change"):
        html(f'<div class="re2-muted">{escape(too_long(found.words))}</div>')
    else:
        {"paths": paths, "whynot": why_not, "change": change}.get(part or "", scores)()


def ask_why_not(explainer: Explainer | SlotExplainer, text: str, names: Sequence[str], sentence: Sequence[str]) -> None:
    """Why one of these labels or slots does not come."""
    wanted = st.selectbox("Why not", names, key=f"predict_whynot_{hash(text)}", width=320)
    html(why_not_html(explainer.why_not(text, wanted or names[0]), sentence))


def ask_change(explainer: Explainer | SlotExplainer, text: str, anything: str, names: Sequence[str]) -> Flip:
    """The smallest change that brings one of these labels or slots, or any other prediction."""
    wanted = st.selectbox(
        "Smallest change of the text for", [anything, *names], key=f"predict_flip_{hash(text)}", width=320
    )
    with st.spinner("Searching for the smallest change"):
        return explainer.flip(text, None if wanted in (anything, None) else wanted)


def explain_with(explainer: Explainer, text: str, palette: Palette) -> None:
    """All of it for one text, by an explainer of any rules and network."""
    found = explainer.explain(text)
    about = _choose_label(explainer, found)
    if about != found.about:
        found = explainer.explain(text, about)
    _draw_head(found, palette)
    sentence = [word.text for word in found.words]
    draw_part(
        found,
        scores=lambda: _draw_scores(found, palette),
        paths=lambda: choose_path(
            found.paths,
            f"predict_path_{hash(text)}_{found.about}",
            trained=found.trained,
            about=found.about,
            scores={one.rule: one.after for one in found.parts},
            rest=found.rest,
        ),
        why_not=lambda: _draw_why_not(explainer, found, sentence),
        change=lambda: _draw_change(explainer, found, sentence, palette),
    )


def _choose_label(explainer: Explainer, found: Explanation) -> str | None:
    labels = list(explainer.labels)
    if found.about is None or found.about not in labels:
        return found.about
    chosen: str | None = st.selectbox(
        "Contribution of words to",
        labels,
        index=labels.index(found.about),
        key=f"predict_about_{hash(found.text)}_{found.about}",
        width=320,
    )
    return chosen or found.about


def _draw_head(found: Explanation, palette: Palette) -> None:
    """The words with their heat, what the numbers mean, and what cannot be told."""
    colour = palette.colour(found.about or "")
    shown = () if found.long else found.words
    words = heat_html(
        [visible(word.text) for word in shown],
        [word.heat for word in shown],
        colour,
        [word.known for word in shown],
    )
    about = f"the score of {escape(found.about)}" if found.about else "the score"
    meaning = (
        f"Below each word: decrease of {about} when an unknown word is substituted. Dashed: increase. Dotted: "
        "unknown to the model."
    )
    head = f'<div class="re2-muted">{meaning}</div>' if shown else ""
    because = f'<div class="re2-because">{escape(found.because)}</div>' if found.because else ""
    html(f"{STYLE}{because}{notes_html((), found.ties)}{words}{head}{notes_html(found.notes)}")


def _draw_scores(found: Explanation, palette: Palette) -> None:
    if not found.sums:
        return
    shown = [one for place, one in enumerate(found.sums) if place < _SHOWN_LABELS or one.label == found.about]
    rows = [
        [
            palette.chip(one.label),
            f"<b>{signed(one.score)}</b>",
            signed(one.rules),
            signed(one.logic),
            signed(one.outside),
            "-" if found.prediction is None else f"{one.probability:.1%}",  # nothing speaks for any label
        ]
        for one in shown
    ]
    head = ["Label", "Score", "= rules", "+ without a rule", "+ not from rules", "Probability"]
    left = len(found.sums) - len(shown)
    more = f'<div class="re2-muted">and {counted(left, "more label")} with lower scores</div>' if left else ""
    sums = f"<b>Score of each label as a sum</b>{html_table(head, rows, range(1, 6))}{more}"
    html(
        f'{_SIDES}<div class="re2-sides"><div>{sums}</div><div><b>Contribution of each '
        f"rule</b>{_parts_html(found, palette)}</div></div>"
    )


def _parts_html(found: Explanation, palette: Palette) -> str:
    labels = [one.label for one in found.sums[:3]]
    if found.about is not None and found.about not in labels:
        labels = [found.about, *labels[:2]]

    def matches(part: RulePart) -> bool:
        return part.matches or any(abs(part.added[label]) >= _ADDS for label in labels)

    # Rules that match come first, however little they add to the scores shown: one would look for them here.
    parts = sorted(filter(matches, found.parts), key=lambda part: not part.matches)
    if not parts:
        return '<div class="re2-muted">No rule contributes to the scores.</div>'
    head = ["Rule", "Matches", *(["Before training"] if found.trained else []), "Contribution", *map(escape, labels)]
    rows = [
        [
            f"{rule_link(part.rule)} {palette.chip(part.label)}",
            "✓" if part.matches else "–",
            *([f"{part.before:.2f}"] if found.trained else []),
            f"{part.after:.2f}",
            *(signed(part.added[label]) for label in labels),
        ]
        for part in parts[:_SHOWN_RULES]
    ]
    more = len(parts) - _SHOWN_RULES
    left = f'<div class="re2-muted">and {counted(more, "more rule")} with less</div>' if more > 0 else ""
    return f'<div class="re2-scroll">{html_table(head, rows, range(2, len(head)))}</div>{left}'


def _draw_why_not(explainer: Explainer, found: Explanation, sentence: list[str]) -> None:
    ranked = dict.fromkeys((*(one.label for one in found.sums), *explainer.labels))  # the next best one first
    others = [label for label in ranked if label != found.prediction]
    if not others:
        html('<div class="re2-muted">There is no other label.</div>')
        return
    ask_why_not(explainer, found.text, others, sentence)


def _draw_change(explainer: Explainer, found: Explanation, sentence: list[str], palette: Palette) -> None:
    others = [label for label in explainer.labels if label != found.prediction]
    flip = ask_change(explainer, found.text, _ANY, others)
    before = palette.chip(found.prediction, missing=NO_PREDICTION)
    html(f"<div>Now: {before}</div>{flip_html(flip, sentence, palette)}")
