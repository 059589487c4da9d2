"""Explainers, kept between reruns and shared by all sessions; and how explanations are drawn: the words with their
heat, paths, why not, changes. Whatever is drawn in colour has its number beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages._shared.cached.models import network_of
from pages._shared.cached.systems import known_slots, slot_system, system_of
from pages._shared.cached.taggers import tagger_of_run
from pages._shared.drawing.labels import NO_PREDICTION, Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.rule_link import rule_link
from pages._shared.drawing.tables import html_table
from re2nn_core.explain.changes import Change, changed
from re2nn_core.services.explanation.classification.explainers import Explainer
from re2nn_core.services.explanation.classification.explanation import PathStep, RulePath, own_score_in_words
from re2nn_core.services.explanation.flip import Flip, change_in_words
from re2nn_core.services.explanation.slot_filling.explainers import SlotExplainer
from re2nn_core.services.explanation.why_not import RuleDeath, WhyNot
from re2nn_core.services.fine_tuning.runs import bundle_stamp
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.kinds import spelled_out, spelling
from re2nn_core.text.tokenization import Tokenization

_STRONGEST = 62  # percent of colour behind the hottest word
_SHOWN_RULES = 8
STYLE = """
<style>
ol.re2-heat { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem .25rem; margin: .2rem 0 .5rem; padding: 0; }
ol.re2-heat > li { display: inline-flex; flex-direction: column; align-items: center; margin: 0; line-height: 1.35;
  padding: .1rem .38rem; border-radius: .3rem; border: 1px solid transparent; overflow-wrap: anywhere; }
ol.re2-heat > li > small { font-size: .74em; font-variant-numeric: tabular-nums; opacity: .85; }
ol.re2-heat > li.re2-against { border: 1px dashed #d64545; }
ol.re2-heat > li.re2-unknown > span { text-decoration: underline dotted; }
.re2-edit ins { text-decoration: none; font-weight: 600; border-bottom: 2px solid #2e9e6b; }
.re2-edit del { opacity: .75; } .re2-edit { line-height: 1.7; }
.re2-scroll { overflow-x: auto; }
.re2-path { max-width: 58rem; }
.re2-learned { font-weight: 600; }
.re2-because { margin: .1rem 0 .4rem; } .re2-tie { margin: 0 0 .35rem; }
.re2-whynot { margin: .5rem 0 .7rem; }
.re2-whynot code { opacity: .8; font-size: .86em; overflow-wrap: anywhere; }
</style>
"""


def explainer_for(project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> Explainer:
    """What explains the predictions of rules and network (None: the rules alone). InputError where the two do not
    fit."""
    stamp = None if run is None else (str(run.folder), bundle_stamp(run.folder))
    return _explainer(version.rules_text, version.logic_text, project.tokenization, stamp, project, version, run)


@st.cache_resource(show_spinner=False, max_entries=4)
def _explainer(
    rules: str,
    logic: str,
    tokenization: Tokenization,
    stamp: object,
    _project: ProjectRecord,
    _version: RuleVersion,
    _run: RunRecord | None,
) -> Explainer:
    return Explainer(system_of(_version, tokenization), None if _run is None else network_of(_run))


def slot_explainer_for(project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> SlotExplainer:
    """The same for slots."""
    stamp = None if run is None else (str(run.folder), bundle_stamp(run.folder))
    slots = known_slots(project)
    return _slot_explainer(
        version.rules_text, version.logic_text, project.tokenization, slots, stamp, project, version, run
    )


@st.cache_resource(show_spinner=False, max_entries=4)
def _slot_explainer(
    rules: str,
    logic: str,
    tokenization: Tokenization,
    slots: tuple[str, ...],
    stamp: object,
    _project: ProjectRecord,
    _version: RuleVersion,
    _run: RunRecord | None,
) -> SlotExplainer:
    return SlotExplainer(slot_system(_version, _project), None if _run is None else tagger_of_run(_run))


def heat_html(words: Sequence[str], heats: Sequence[float], colour: str, known: Sequence[bool] = ()) -> str:
    """The words as an ordered list: the more a word counts, the more colour behind it, and its number below. What
    speaks against has a dashed frame and a minus; a word that nobody knows is dotted below."""
    hottest = max(map(abs, heats), default=0.0) or 1.0
    items = []
    for place, (word, heat) in enumerate(zip(words, heats, strict=True)):
        shown = abs(heat) >= 0.005
        share = round(_STRONGEST * abs(heat) / hottest) if shown and heat > 0 else 0
        kinds = ["re2-against"] * (shown and heat < 0) + ["re2-unknown"] * (bool(known) and not known[place])
        style = f' style="background:color-mix(in srgb, {colour} {share}%, transparent)"' if share else ""
        number = signed(heat) if shown else "0"
        items.append(f'<li class="{" ".join(kinds)}"{style}><span>{escape(word)}</span><small>{number}</small></li>')
    return f'<ol class="re2-heat">{"".join(items)}</ol>'


def signed(value: float) -> str:
    """A part of a sum with its sign, and a true minus."""
    return "0" if abs(value) < 0.005 else f"{value:+.2f}".replace("-", "−")


def path_html(path: RulePath) -> str:
    """A path word by word as a table."""
    tagged = any(step.tag is not None for step in path.steps)
    rows = [
        [
            str(place),
            escape(step.word),
            f"{step.source} → {step.target}",
            "–" if step.symbol is None else escape(step.symbol),
            *([escape(step.tag or "–")] if tagged else []),
            f"{step.before:.2f}",
            f"{step.after:.2f}",
            _origin_html(step),
        ]
        for place, step in enumerate(path.steps, 1)
    ]
    head = ["Step", "Word", "States", "Matched by", *(["Tag"] if tagged else []), "Before", "Now", "Transition"]
    numbers = (0, len(head) - 3, len(head) - 2)
    return f'<div class="re2-scroll re2-path">{html_table(head, rows, numbers)}</div>'


def _origin_html(step: PathStep) -> str:
    """Whether an edge was written or learned, and which way training has moved it."""
    if not step.written:
        return '<span class="re2-learned">✚ learned</span>'
    if not step.changed:
        return "written"
    return f"written, <b>weight {'▲ raised' if step.after > step.before else '▼ lowered'}</b>"


def choose_path(
    paths: Sequence[RulePath],
    key: str,
    *,
    trained: bool,
    about: str | None = None,
    scores: Mapping[str, float] | None = None,
    rest: str = "",
) -> None:
    """One of the paths, at first one through a rule of the label `about`; the others can be chosen too. `scores`: the
    rules' own scores, so that what a path leaves of them can be told; `rest` says what that is."""
    if not paths:
        learned = ", not even with learned transitions" if trained else ""
        html(f'<div class="re2-muted">No rule matches this text{learned}.</div>')
        return
    names = [_path_name(paths, place) for place in range(len(paths))]
    first = next((place for place, path in enumerate(paths) if path.label == about), 0)
    chosen = st.selectbox("Path through", range(len(paths)), first, format_func=names.__getitem__, key=key)
    path = paths[chosen or 0]
    html(path_html(path))
    ends = f"Start weight {path.start:.2f}, end weight {path.end:.2f}; product of all weights {path.weight:.2f}."
    html(f'<div class="re2-muted">{ends}</div>')
    if trained and scores is not None:
        own = own_score_in_words(path, scores[path.rule], signed)
        html(f'<div>{escape(_capital(own))}.</div><div class="re2-muted">The rest: {escape(rest)}.</div>')


def _path_name(paths: Sequence[RulePath], place: int) -> str:
    path = paths[place]
    earlier = sum(one.rule == path.rule for one in paths[:place])
    others = f", path {earlier + 1}" if sum(one.rule == path.rule for one in paths) > 1 else ""
    return f"{path.rule} ({path.label}){others}, weight {path.weight:.2f}"


def change_html(sentence: Sequence[str], change: Change) -> str:
    """A change drawn on its sentence: what is put in, what goes. Of changes of what was changed before only the
    sentence that they make is shown."""
    if not _in_order(sentence, change):
        return f'<div class="re2-edit">{escape(spelled_out(change.words))}</div>'
    parts: list[str] = []
    at = 0
    for edit in change.edits:
        parts += [escape(spelling(word)) for word in sentence[at : edit.place]]
        if edit.old is not None:
            parts.append(f"<del>{escape(spelling(edit.old))}</del>")
        if edit.new is not None:
            parts.append(f"<ins>{escape(spelling(edit.new))}</ins>")
        at = edit.place + (edit.kind != "insert")
    parts += [escape(spelling(word)) for word in sentence[at:]]
    return f'<div class="re2-edit">{" ".join(parts)}</div>'


def _in_order(sentence: Sequence[str], change: Change) -> bool:
    """Whether all edits are places of the sentence itself, from left to right."""
    places = [edit.place for edit in change.edits]
    return places == sorted(places) and changed(sentence, change.edits).words == change.words


def why_not_html(why_not: WhyNot, sentence: Sequence[str]) -> str:
    """Why a label or rule does not speak and who does instead; each rule with what it lacks or where it died, and the
    smallest change for it."""
    parts = [f"<div>{escape(reason)}</div>" for reason in why_not.reasons]
    parts += [_rule_html(rule, sentence) for rule in why_not.rules[:_SHOWN_RULES]]
    if (left := len(why_not.rules) - _SHOWN_RULES) > 0:
        further = "rule needs" if left == 1 else "rules need"
        parts.append(f'<div class="re2-muted">{left:,} more {further} larger changes</div>')
    return "".join(parts)


def _rule_html(rule: RuleDeath, sentence: Sequence[str]) -> str:
    """One rule that does not accept the sentence."""
    parts = [f'<div class="re2-whynot"><b>{rule_link(rule.rule)}</b> <code>{escape(_short(rule.expression))}</code>']
    if rule.death is None:
        parts.append("<div>✓ It matches this text.</div>")
    else:
        # Where words are missing altogether the run may end anywhere, so the place says nothing.
        if sentence and rule.searched and not rule.needs:
            parts.append(f"<div>{_died(sentence, rule.death.read)}</div>")
        parts.append(f'<div class="re2-muted">✗ {escape(_capital(rule.why))}.</div>')
    if not rule.searched:
        return "".join([*parts, "</div>"])
    if rule.change is None:
        parts.append("<div>No change of the text makes it match.</div>")
    elif rule.change.edits:
        size = counted(len(rule.change), "change")
        parts.append(f"<div>Smallest change that it matches, {size}:</div>{change_html(sentence, rule.change)}")
        network = rule.network_prediction
        too = "" if network is None else f"; the network: {escape(network or NO_PREDICTION)}"
        message = f"Prediction of the rules then: {escape(rule.prediction or NO_PREDICTION)}{too}."
        parts.append(f'<div class="re2-muted">{message}</div>')
    return "".join([*parts, "</div>"])


def _died(sentence: Sequence[str], read: int) -> str:
    """The sentence up to where the run died, the word there crossed out, the rest faint."""
    words = []
    for place, word in enumerate(sentence):
        if place < read:
            words.append(f"<span>{escape(word)}</span>")
        elif place == read:
            words.append(f"<b><s>{escape(word)}</s> ✗</b>")
        else:
            words.append(f'<span style="opacity:.5">{escape(word)}</span>')
    return " ".join(words) + (" <b>✗ (end)</b>" if read >= len(sentence) else "")


def flip_html(flip: Flip, sentence: Sequence[str], palette: Palette | None = None) -> str:
    """The smallest change after which the prediction is another one."""
    if flip.change is None:
        return f"<div>{escape(flip.sentence)}</div>"
    after = escape(flip.after or NO_PREDICTION) if palette is None else palette.chip(flip.after, missing=NO_PREDICTION)
    who = "prediction of the network" if flip.by_network else "prediction of the rules"
    message = escape(_capital(change_in_words(flip.change)))
    return (
        f"{change_html(sentence, flip.change)}<div>{message}: {who} {after}</div>"
        f'<div class="re2-muted">{escape(flip.sentence)}</div>'
    )


def notes_html(notes: Sequence[str], ties: Sequence[str] = ()) -> str:
    """What decides between equals, and what cannot be computed exactly, in words."""
    reported = [f'<div class="re2-tie"><b>=</b> Tie: {escape(tie)}</div>' for tie in ties]
    return "".join([*reported, *(f'<div class="re2-muted">ⓘ {escape(note)}</div>' for note in notes)])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_LONGEST = 160


def _short(expression: str) -> str:
    return expression if len(expression) <= _LONGEST else expression[:_LONGEST] + " …"
