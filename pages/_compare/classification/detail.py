"""One rule for labels before and after: its words, its automata, witness sentences, texts fixed and
broken."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._compare.chosen_rule import LabelRule
from pages._compare.drawing.long_texts import folded
from pages._compare.drawing.union import Titles, draw_union, stamp_of
from pages._compare.drawing.weight_switch import wants_weights
from pages._compare.drawing.words import rule_html
from pages._compare.reconstructed.shared import LabelComparison
from pages._compare.reconstruction.detail import draw_state, draw_words
from pages._compare.reconstruction.known_words import words_known
from pages._rules.analysis import bench
from pages._shared.cached.models import network_of
from pages._shared.cached.word_counts import word_counts
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html, section
from pages._shared.drawing.tables import MarkedText, html_table, text_list
from re2nn_core.guide.glossary import definition
from re2nn_core.services.rule_difference.classification.weighted_differences import weights_of_arcs
from re2nn_core.services.rule_difference.drawn_differences import DrawnDifference, drawn_trees
from re2nn_core.services.rule_reconstruction.classification.reconstruction import RuleChange, compared_with
from re2nn_core.services.rule_reconstruction.classification.rule_changes import rule_pieces_of, word_change
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_writing.classification.rule_coverage import matched_words
from re2nn_core.services.values.rules import Rule
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted

_SHOWN = 40
_EDGES = 12
_SIDES = "the written rule", "the reconstructed rule"
_NONE_FOUND = "no sentence: both match the same, or are too large to compare"


def seen_from(project: ProjectRecord, compared: LabelComparison, change: RuleChange, system: RuleSystem) -> RuleChange:
    """The change as it is seen from other written rules than those that were trained from."""
    written, back = _rule(system, change.name), _rule(compared.reconstructed, change.name)
    return compared_with(change, written, back, bench(project).matched([written, back]))


def draw_rule(chosen: LabelRule) -> None:
    """The printed rules with the words that came and went, sentences that only one of them accepts, and what accepts
    the change."""
    change, side = chosen.seen, chosen.side
    draw_state(chosen, chosen.palette.chip(change.label), _moved_texts(change))
    words = word_change(side.system.ruleset, chosen.compared.reconstructed.ruleset, change.name)
    if change.kept_original:
        html(rule_html(words.before, "gone"))
        return
    # Where the machines were too large to say, neither side has a sentence.
    proved = change.witness_only_original is not None or change.witness_only_reconstructed is not None
    only = (
        _witness("Matched only by the written rule", change.witness_only_original, proved),
        _witness("Matched only by the reconstructed rule", change.witness_only_reconstructed, proved),
    )
    draw_words(side.title, words, _at(change), only, words_known(chosen.compared, network_of))
    if change.learned:
        with st.expander(f"Transitions: strongest words and their common class ({len(change.learned)})"):
            html(_edges(change))


def draw_new_rule(chosen: LabelRule) -> None:
    """A rule that nobody wrote, with its automaton."""
    change, compared = chosen.change, chosen.compared
    draw_state(chosen, chosen.palette.chip(change.label), "is new: nobody wrote it")
    html(rule_html(rule_pieces_of(compared.reconstructed.ruleset, change.name), "new"))
    section("Automaton", meaning=definition("Automaton"))
    stamp = stamp_of(compared.trained_on, compared.found.rules_text, change.name, "new")
    draw_union(
        _drawn(stamp, change.name, None, _rule(compared.reconstructed, change.name)),
        Titles(f"Written ({chosen.side.title}): no such rule", "Reconstructed"),
        key="compare",
        stamp=stamp,
        tokenization=chosen.project.tokenization,
        counts=word_counts(chosen.project).counts,
    )


def _edges(change: RuleChange) -> str:
    """The arrows whose words changed, as a table: their words in short, how many came and went, the strongest."""
    rows = [
        [
            f"{edge.source} → {edge.target}",
            escape(edge.name or "removed")
            + (f" except {escape(', '.join(edge.exceptions))}" if edge.exceptions else ""),
            f"{edge.came:,} added, {edge.went:,} removed",
            escape(", ".join(f"{w} {x:.2f}" for w, x in zip(edge.strongest[:5], edge.weights, strict=False))),
            escape(edge.description),
        ]
        for edge in change.learned[:_EDGES]
    ]
    return html_table(["states", "words", "number of words", "strongest", "common class"], rows)


def _moved_texts(change: RuleChange) -> str:
    """How much more or less a changed rule accepts here."""
    won, lost = len(change.won), len(change.lost)
    reported = [f"{counted(won, 'text')} more"] if won else []
    reported += [f"{counted(lost, 'text')} less"] if lost else []
    return f"changed: matches {' and '.join(reported)}" if reported else "changed: matches the same texts as before"


def _at(change: RuleChange) -> str:
    return "" if change.threshold is None else f" (words with a weight of at least {change.threshold:.2f})"


def _witness(title: str, sentence: tuple[str, ...] | None, proved: bool) -> str:
    if sentence is None:
        none = "nothing (proved for every sentence)" if proved else _NONE_FOUND
        return f'<div class="re2-head">{title}</div><div class="re2-muted">{none}</div>'
    text = " ".join(sentence) or "(the empty text)"
    return f'<div class="re2-head">{title}, for example</div><div class="re2-witness">{folded(text)}</div>'


def draw_machines(chosen: LabelRule) -> None:
    """Both automata in the same places, lines as thick as training changed their weight."""
    section("Automata of both rules", meaning=definition("Automaton"))
    change, side, compared = chosen.seen, chosen.side, chosen.compared
    old, new = _rule(side.system, change.name), _rule(compared.reconstructed, change.name)
    stamp = stamp_of(side.title, compared.trained_on, compared.found.rules_text, change.name, change.original_text)
    drawn = _drawn(stamp, change.name, old, new)
    weights = None
    if drawn.difference is not None and wants_weights(trained=side.trained):
        with messages.guard("Reading the weights of the network"):
            weights = weights_of_arcs(drawn, network_of(compared.run), change.name, old.expanded)
    draw_union(
        drawn,
        Titles(f"Written ({side.title})", "Reconstructed"),
        key="compare",
        stamp=stamp,
        tokenization=chosen.project.tokenization,
        weights=weights,
        example=" ".join(change.witness_only_reconstructed or change.witness_only_original or ()),
        counts=word_counts(chosen.project).counts,
    )


@st.cache_resource(show_spinner=False, max_entries=64)
def _drawn(stamp: str, name: str, _old: Rule | None, _new: Rule) -> DrawnDifference:
    return drawn_trees(name, None if _old is None else _old.expanded, _new.expanded, tagging=False, sides=_SIDES)


def _rule(system: RuleSystem, name: str) -> Rule:
    return next(rule for rule in system.ruleset.rules if rule.name == name)


def draw_moved(chosen: LabelRule) -> None:
    """The project's texts that only one of the two rules accepts."""
    change = chosen.seen
    section(f"Texts that {change.name} matches in addition or no longer")
    for sign, places, system, word in (
        ("▲", change.won, chosen.compared.reconstructed, "added"),
        ("▼", change.lost, chosen.side.system, "removed"),
    ):
        _moved(f"{sign} {counted(len(places), 'text')} {word}", places, chosen, _rule(system, change.name))


def _moved(title: str, places: Sequence[int], chosen: LabelRule, rule: Rule) -> None:
    label, palette, texts = chosen.seen.label, chosen.palette, chosen.compared.records
    records = [texts[place] for place in places if place < len(texts)]
    right = sum(record.label == label for record in records)
    meaning = f", {right:,} of them {label}" if records else ""
    with st.expander(title + messages.plain(meaning), expanded=0 < len(records) <= 15):
        if not records:
            html('<div class="re2-muted">None.</div>')
            return
        shown = records[:_SHOWN]
        marks = matched_words(rule.expanded, [record.text for record in shown], chosen.project.tokenization)
        text_list(
            [
                MarkedText(record.text, mark, palette.chip(record.label), palette.colour(label))
                for record, mark in zip(shown, marks, strict=True)
            ]
        )
        if len(records) > _SHOWN:
            html(f'<div class="re2-muted">and {len(records) - _SHOWN:,} more</div>')
