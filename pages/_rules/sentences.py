"""Sentences that the chosen rule must match and must not match: run at each edit, added, taken out, suggested."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from pages._rules.draft import draft_of, keep
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from re2nn_core.errors import InputError
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.rule_sentences import (
    CheckedSentence,
    Orphan,
    SentenceReport,
    System,
    check_sentences,
)
from re2nn_core.services.rule_writing.sentence_suggestions import suggest_sentences
from re2nn_core.services.values.rules import (
    KINDS,
    Kind,
    Rule,
    RuleSentences,
    moved_to,
    read_sentences,
    sentences_of,
    with_sentence,
    without_rule,
    without_sentence,
    write_sentences,
)

HEADS: dict[Kind, str] = {"must": "Must match", "must_not": "Must not match"}
_NOTHING = SentenceReport(())
_SLOT_HINT = "to [Oslo]<city>"
Refused = Callable[[Rule], Sequence[str]]


def report_of(draft: Draft, system: System) -> SentenceReport:
    """What the rules, as they are read now, do with the draft's sentences."""
    if not draft.sentences_text:
        return _NOTHING
    return _report(system.rules_text, system.logic_text, system.tokenization, draft.sentences_text, system)


def sentences_title(report: SentenceReport, rule: str | None) -> str:
    """The name of the view with how many sentences of the rule, or of all, hold."""
    checked = report.checked if rule is None else report.of_rule(rule)
    failing = sum(not one.ok for one in checked)
    if failing:
        return f"Sentences ✗ {failing}/{len(checked)}"
    return f"Sentences ✓ {len(checked)}" if checked else "Sentences"


def draw_sentences(draft: Draft, system: System, report: SentenceReport, refused: Refused) -> None:
    """The sentences of the chosen rule, or all that fail. `refused`: texts that a rule should rather refuse."""
    if fault := st.session_state.pop(_fault_key(draft), ""):
        st.warning(messages.plain(fault), icon=":material/warning:")
    _draw_orphans(draft, report.orphans)
    rule = next((rule for rule in system.ruleset.rules if rule.name == draft.rule), None)
    if rule is None:
        _draw_all(draft, report)
        return
    own = sentences_of(read_sentences(draft.sentences_text), rule.name)
    suggested = _suggested(system.rules_text, system.tokenization, rule.name, own, system, rule, refused)
    checked = report.of_rule(rule.name)
    slots = isinstance(system, SlotSystem)
    for column, kind in zip(st.columns(2, gap="small"), KINDS, strict=True):
        with column:
            _draw_kind(draft, rule.name, kind, [one for one in checked if one.kind == kind], slots=slots)
            _draw_suggested(draft, rule.name, kind, suggested.of(kind))


def keep_button(draft: Draft, kind: Kind, sentence: str, place: int) -> None:
    """Beside a text: hold the chosen rule to it."""
    what = HEADS[kind].lower()
    st.button(
        "",
        icon=":material/add:" if kind == "must" else ":material/block:",
        key=f"_keep_{draft.project_id}_{kind}_{place}",
        type="tertiary",
        help=f"{messages.plain(str(draft.rule))} {what} this: add it as a test sentence",
        on_click=add_sentence,
        args=(draft, str(draft.rule), kind, sentence),
    )


def add_sentence(draft: Draft, rule: str, kind: Kind, sentence: str) -> None:
    """Put a sentence into the draft, or keep in the session why it cannot be one."""
    try:
        put_sentences(draft, lambda kept: with_sentence(kept, rule, kind, sentence))
    except InputError as error:
        st.session_state[_fault_key(draft)] = str(error)


def put_sentences(draft: Draft, change: Callable[[tuple[RuleSentences, ...]], tuple[RuleSentences, ...]]) -> None:
    """Change the sentences of the draft as it is by now."""
    now = draft_of(draft.project_id)
    keep(replace(now, sentences_text=write_sentences(change(read_sentences(now.sentences_text)))))


def _draw_kind(draft: Draft, rule: str, kind: Kind, checked: Sequence[CheckedSentence], *, slots: bool) -> None:
    key = f"_sentence_{draft.project_id}_{rule}_{kind}"
    st.text_input(
        HEADS[kind],
        key=key,
        placeholder=f"Type a sentence, Enter{(f' · {_SLOT_HINT}' if slots else '')}",
        on_change=_take,
        args=(draft, rule, kind, key),
    )
    with st.container(gap=None, key=f"re2_rows_{kind}"):
        for place, one in enumerate(checked):
            with st.container(
                horizontal=True, vertical_alignment="center", gap="xsmall", key=f"re2_row_{kind}_{place}"
            ):
                html(_row(one))
                st.button(
                    "",
                    icon=":material/close:",
                    key=f"_drop_{draft.project_id}_{rule}_{kind}_{place}",
                    type="tertiary",
                    help="Remove this sentence",
                    on_click=_drop,
                    args=(draft, one),
                )


def _row(one: CheckedSentence) -> str:
    if one.ok:
        return f'<div class="re2-sentence"><b class="re2-up" title="holds">✓</b> {escape(one.sentence)}</div>'
    why = f'<div class="re2-down">{escape(one.happened)}</div>'
    return (
        f'<div class="re2-sentence re2-fails"><b class="re2-down" title="fails">✗</b> {escape(one.sentence)}{why}</div>'
    )


def _draw_suggested(draft: Draft, rule: str, kind: Kind, sentences: Sequence[str]) -> None:
    if not sentences:
        return
    with st.container(gap=None, key=f"re2_rows_suggested_{kind}"):
        html('<div class="re2-muted">Suggested from the automaton</div>')
        for place, sentence in enumerate(sentences):
            st.button(
                messages.plain(sentence),
                icon=":material/add:",
                key=f"_suggested_{draft.project_id}_{rule}_{kind}_{place}",
                type="tertiary",
                on_click=add_sentence,
                args=(draft, rule, kind, sentence),
            )


def _draw_all(draft: Draft, report: SentenceReport) -> None:
    """No rule is chosen: what fails, and how many hold."""
    holding = len(report.checked) - len(report.failures)
    message = (
        f"{holding:,} of {len(report.checked):,} sentences pass." if report.checked else "No rule has sentences yet."
    )
    html(f'<div class="re2-muted">{message} Choose a rule above, or put the caret into one, to add sentences.</div>')
    html(
        "".join(f'<div class="re2-text"><b class="re2-down">✗</b> {escape(str(one))}</div>' for one in report.failures)
    )


def _draw_orphans(draft: Draft, orphans: Sequence[Orphan]) -> None:
    for place, orphan in enumerate(orphans):
        html(f'<div class="re2-warn">{escape(str(orphan))}</div>')
        if orphan.off:
            continue
        with st.container(horizontal=True, gap="small"):
            if draft.rule is not None:
                st.button(
                    f"Add to {messages.plain(draft.rule)}",
                    key=f"_give_{draft.project_id}_{place}",
                    on_click=_give,
                    args=(draft, orphan.rule, draft.rule),
                )
            st.button(
                "Remove sentences",
                key=f"_forget_{draft.project_id}_{place}",
                on_click=_forget,
                args=(draft, orphan.rule),
            )


def _take(draft: Draft, rule: str, kind: Kind, key: str) -> None:
    typed = str(st.session_state.get(key) or "")
    if typed.strip():
        add_sentence(draft, rule, kind, typed)
        st.session_state[key] = ""


def _drop(draft: Draft, one: CheckedSentence) -> None:
    put_sentences(draft, lambda kept: without_sentence(kept, one.rule, one.kind, one.sentence))


def _give(draft: Draft, rule: str, target: str) -> None:
    put_sentences(draft, lambda kept: moved_to(kept, rule, target))


def _forget(draft: Draft, rule: str) -> None:
    put_sentences(draft, lambda kept: without_rule(kept, rule))


def _fault_key(draft: Draft) -> str:
    return f"_sentence_fault_{draft.project_id}"


@st.cache_resource(show_spinner=False, max_entries=64)
def _report(rules_text: str, logic_text: str, cut: object, sentences_text: str, _system: System) -> SentenceReport:
    return check_sentences(_system, read_sentences(sentences_text))


@st.cache_resource(show_spinner=False, max_entries=64)
def _suggested(
    rules_text: str,
    cut: object,
    name: str,
    own: RuleSentences,
    _system: System,
    _rule: Rule,
    _refused: Refused,
) -> RuleSentences:
    return suggest_sentences(_system, _rule, own, _refused(_rule))
