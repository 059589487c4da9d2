"""One rule before and after: its words, its machines, sentences that tell the two apart, texts won and
lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pages._compare.accepting.conflicts import draw_conflicts
from pages._compare.accepting.switches import wants_weights
from pages._compare.accepting.taking import Taken, draw_taking, draw_this_alone
from pages._compare.drawing.long_texts import folded
from pages._compare.drawing.union import Titles, draw_union, stamp_of
from pages._compare.drawing.words import rule_html, word_list
from pages._compare.newest import Newest, choose_side
from pages._compare.reconstructed.classification import Compared
from pages._compare.reconstruction.rule_list import TAKEN_OVER
from pages._rules.analysis import analysis, bench
from pages._shared.cached.models import network_of
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html, section
from pages._shared.drawing.tables import MarkedText, html_table, text_list
from re2nn_core.services.rule_difference.classification.weighted_differences import weights_of_arcs
from re2nn_core.services.rule_difference.drawn_differences import DrawnDifference, drawn_trees
from re2nn_core.services.rule_reconstruction.classification.reconstruction import RuleChange, compared_with
from re2nn_core.services.rule_reconstruction.classification.rule_changes import word_change
from re2nn_core.services.rule_writing.classification.rule_coverage import matched_words
from re2nn_core.services.values.rules import Rule, RuleSet
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

_SHOWN = 40
_EDGES = 12
_NONE_FOUND = "no sentence: both accept the same, or are too large to be compared"


@dataclass(frozen=True)
class Sides:
    """A rule on both sides: `written` are the rules of the left one, called `title`, and `change` is as seen from them;
    `trained` tells whether they are those that the network was trained from."""

    written: RuleSet
    title: str
    change: RuleChange
    trained: bool


def choose_sides(project: ProjectRecord, compared: Compared, change: RuleChange, newest: Newest) -> Sides:
    """The written rule that a change is seen from: as the network was trained from it, or as it is now."""
    titles = newest.titles
    if not change.kept_original:
        now = analysis(project, newest.version.rules_text, newest.version.logic_text).system.ruleset
        if choose_side(newest, change.name, compared.original, now, f"{compared.run.id}"):
            written, read_back = _rule(now, change.name), _rule(compared.reconstructed, change.name)
            fired = bench(project).fired([written, read_back])
            return Sides(now, titles[1], compared_with(change, written, read_back, fired), trained=False)
    return Sides(compared.original, titles[0], change, trained=True)


def draw_words(project: ProjectRecord, compared: Compared, sides: Sides, palette: Palette, found: Taken | None) -> None:
    """The printed rules with the words that came and went, sentences that only one of them accepts, and what takes the
    change over."""
    change = sides.change
    with st.container(horizontal=True, vertical_alignment="center"):
        chip = palette.chip(change.label)
        html(f'<div class="re2-state"><b>{escape(change.name)}</b> {chip} {_how(change, found)}</div>')
        draw_taking(compared, change, found)
    if found is not None:
        draw_conflicts({name: told for name, told in found.left_out.items() if name == change.name})
    words = word_change(sides.written, compared.reconstructed, change.name)
    if change.kept_original:
        html(rule_html(words.before, "gone"))
        return
    html(f'<div class="re2-head">Written ({escape(sides.title)})</div>{rule_html(words.before, "gone")}')
    html(f'<div class="re2-head">Read back from the network{_at(change)}</div>{rule_html(words.after, "new")}')
    # Where the machines were too large to say, neither side has a sentence.
    proved = change.witness_only_original is not None or change.witness_only_reconstructed is not None
    left, right = st.columns(2, gap="small")
    with left:
        html(word_list("Words that went", words.gone, "gone"))
        html(_witness("Only the written rule accepts", change.witness_only_original, proved))
    with right:
        html(word_list("Words that came", words.new, "new"))
        html(_witness("Only the rule read back accepts", change.witness_only_reconstructed, proved))
    if change.learned:
        with st.expander(f"Arrow by arrow: strongest words, and what they have in common ({len(change.learned)})"):
            html(_edges(change))
    if found is not None:
        draw_this_alone(project, compared, change, found)


def _edges(change: RuleChange) -> str:
    """The arrows whose words changed, as a table: their words in short, how many came and went, the strongest."""
    rows = [
        [
            f"{edge.source} → {edge.target}",
            escape(edge.name or "gone") + (f" except {escape(', '.join(edge.exceptions))}" if edge.exceptions else ""),
            f"{edge.came:,} came, {edge.went:,} went",
            escape(", ".join(f"{w} {x:.2f}" for w, x in zip(edge.strongest[:5], edge.weights, strict=False))),
            escape(edge.description),
        ]
        for edge in change.learned[:_EDGES]
    ]
    return html_table(["from → to state", "words", "how many words", "strongest", "what they have in common"], rows)


def _how(change: RuleChange, found: Taken | None) -> str:
    if found is not None and change.name in found.accepted.there:
        return TAKEN_OVER
    if change.unread:
        said = f"stayed as it was written, since it could not be read back: {change.unread}."
        return f'<span class="re2-muted">{escape(said)}</span>'
    if change.kept_original:
        return '<span class="re2-muted">stayed as it was written: no change made the rules better on dev.</span>'
    return f'<span class="re2-muted">{escape(_moved_texts(change))}</span>'


def _moved_texts(change: RuleChange) -> str:
    """How much more or less a changed rule accepts here."""
    won, lost = len(change.won), len(change.lost)
    told = [f"{counted(won, 'text')} more"] if won else []
    told += [f"{counted(lost, 'text')} less"] if lost else []
    return f"changed: accepts {' and '.join(told)}" if told else "changed: accepts the same texts as before"


def _at(change: RuleChange) -> str:
    return "" if change.threshold is None else f" (what weighs {change.threshold:.2f} or more there)"


def _witness(title: str, sentence: tuple[str, ...] | None, proved: bool) -> str:
    if sentence is None:
        none = "nothing: this is proved for every sentence" if proved else _NONE_FOUND
        return f'<div class="re2-head">{title}</div><div class="re2-muted">{none}</div>'
    text = " ".join(sentence) or "(the empty text)"
    return f'<div class="re2-head">{title}, for example</div><div class="re2-witness">{folded(text)}</div>'


def draw_machines(compared: Compared, sides: Sides, tokenization: Tokenization) -> None:
    """Both automata in the same places, lines as thick as training changed their weight."""
    section("Both automata, in the same places")
    change = sides.change
    old, new = _rule(sides.written, change.name), _rule(compared.reconstructed, change.name)
    stamp = stamp_of(sides.title, compared.trained_on, compared.found.rules_text, change.name, change.original_text)
    drawn = _drawn(stamp, change.name, old, new)
    weights = None
    if drawn.difference is not None and wants_weights(trained=sides.trained):
        with messages.guard("Reading the weights of the network"):
            weights = weights_of_arcs(drawn.difference, network_of(compared.run), change.name, old.expanded)
    example = " ".join(change.witness_only_reconstructed or change.witness_only_original or ())
    draw_union(
        drawn,
        Titles(f"As written ({sides.title})", "Read back"),
        key="compare",
        stamp=stamp,
        tokenization=tokenization,
        weights=weights,
        example=example,
    )


@st.cache_resource(show_spinner=False, max_entries=64)
def _drawn(stamp: str, name: str, _old: Rule, _new: Rule) -> DrawnDifference:
    return drawn_trees(name, _old.expanded, _new.expanded, tagging=False)


def _rule(ruleset: RuleSet, name: str) -> Rule:
    return next(rule for rule in ruleset.rules if rule.name == name)


def draw_moved(compared: Compared, sides: Sides, palette: Palette, tokenization: Tokenization) -> None:
    """The project's texts that only one of the two rules accepts."""
    change = sides.change
    section(f"Texts that {change.name} accepts more and less")
    for sign, places, rules, word in (
        ("▲", change.won, compared.reconstructed, "more"),
        ("▼", change.lost, sides.written, "less"),
    ):
        title = f"{sign} {counted(len(places), 'text')} {word}"
        _moved(title, places, compared, change, palette, tokenization, rules)


def _moved(
    title: str,
    places: Sequence[int],
    compared: Compared,
    change: RuleChange,
    palette: Palette,
    tokenization: Tokenization,
    rules: RuleSet,
) -> None:
    records = [compared.records[place] for place in places if place < len(compared.records)]
    right = sum(record.label == change.label for record in records)
    meaning = f", {right:,} of them {change.label}" if records else ""
    with st.expander(title + messages.plain(meaning), expanded=0 < len(records) <= 15):
        if not records:
            html('<div class="re2-muted">None.</div>')
            return
        tree = _rule(rules, change.name).expanded
        shown = records[:_SHOWN]
        marks = matched_words(tree, [record.text for record in shown], tokenization)
        text_list(
            [
                MarkedText(record.text, mark, palette.chip(record.label), palette.colour(change.label))
                for record, mark in zip(shown, marks, strict=True)
            ]
        )
        if len(records) > _SHOWN:
            html(f'<div class="re2-muted">and {len(records) - _SHOWN:,} more</div>')
