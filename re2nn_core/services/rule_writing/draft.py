"""The edit of a project's rules in hand, as a value, and what can be done to it: written on, discarded, saved, begun
anew from another version; and which of its rules and texts are looked at."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal
from uuid import uuid4

from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.source import split_lines
from re2nn_core.rules.text_file import decode_rules
from re2nn_core.rules.word_lists.definition import with_lists, without_lists
from re2nn_core.services.rule_systems.rule_switches import name_at, rule_start, switch_off, switch_on
from re2nn_core.services.rule_writing.editor_texts import EditorTexts, put
from re2nn_core.services.rule_writing.rule_merge import merge_versions
from re2nn_core.store import RuleVersion

View = Literal["matches", "missed", "wrong", "conflicts", "sentences", "proposals", "effect"]
_SHOWN = 25  # texts at first


@dataclass(frozen=True)
class Draft:
    """Rules, logic and sentences being edited. `base` is the version they started from, `newest` the newest one then,
    `saved` its rules, logic and sentences; `readable` are the last rules and logic that could be read.

    Looked at are the texts of a `rule`, of a `label` or slot, or of all, in one `view`, so many as are `shown`; `came`
    is the view before it. `selected`: texts to propose rules for, by their places, None while none are to be selected;
    `words`: of them, those of which a proposed rule is to have one.
    `caret_rule` is the rule in which the caret was, "" for none, None where it is not known yet.
    `token` tells this edit from others of the same version. `discarded`: the edit of `base` that was discarded last,
    as rules, logic and sentences."""

    project_id: int
    base: int
    newest: int
    saved: tuple[str, str, str]
    editors: EditorTexts
    sentences_text: str
    readable: tuple[str, str] | None = None
    rule: str | None = None
    label: str | None = None
    view: View = "matches"
    came: View = "matches"
    shown: int = _SHOWN
    selected: frozenset[int] | None = None
    words: tuple[str, ...] = ()
    caret_line: int = 0
    caret_rule: str | None = None
    reveal_line: int = 1
    reveal_nonce: int = 0
    discarded: tuple[str, str, str] | None = None
    token: str = field(default_factory=lambda: uuid4().hex)

    @property
    def rules_text(self) -> str:
        return self.editors.rules

    @property
    def logic_text(self) -> str:
        return self.editors.logic

    @property
    def untouched(self) -> bool:
        """Whether nobody has looked at a place of the rules yet."""
        return not (self.caret_line or self.reveal_nonce or self.dirty)

    @property
    def texts(self) -> tuple[str, str, str]:
        """All that would be saved."""
        return *self.editors.both, self.sentences_text

    @property
    def dirty(self) -> bool:
        """Whether there is something to save."""
        return self.texts != self.saved

    @property
    def predictions_otherwise(self) -> bool:
        """Whether rules or logic have changed."""
        return self.editors.both != self.saved[:2]


def begin_draft(version: RuleVersion, newest: int, *, plain: bool) -> Draft:
    """A draft without edits."""
    rules, logic, sentences = texts = texts_of_version(version)
    return Draft(version.project_id, version.number, newest, texts, EditorTexts(rules, logic, plain=plain), sentences)


def begin_anew(draft: Draft, version: RuleVersion, newest: int) -> Draft:
    """The draft with the texts of a version in place of its own."""
    return _back(replace(draft, base=version.number, newest=newest, saved=texts_of_version(version), discarded=None))


def follow(draft: Draft, version: RuleVersion, newest: int) -> Draft:
    """A draft without edits begins anew from the chosen version; unsaved edits are never replaced."""
    return draft if draft.dirty or draft.base == version.number else begin_anew(draft, version, newest)


def discard(draft: Draft) -> Draft:
    """Back to the version that it started from; the edit is kept, so that it can be restored."""
    return replace(_back(draft), discarded=draft.texts)


def restore_edits(draft: Draft) -> Draft:
    """The edit that was discarded last, again."""
    if draft.discarded is None:
        return draft
    rules, logic, sentences = draft.discarded
    return replace(put_texts(draft, rules, logic), sentences_text=sentences, discarded=None)


def _back(draft: Draft) -> Draft:
    return replace(put_texts(draft, *draft.saved[:2]), sentences_text=draft.saved[2])


def rebase(draft: Draft, version: RuleVersion, texts: tuple[str, str, str]) -> Draft:
    """The draft as an edit of another version, with rules, logic and sentences in which both were merged."""
    rules, logic, sentences = texts
    based = mark_saved(draft, version)
    return replace(put_texts(based, rules, logic), sentences_text=sentences)


def resume(draft: Draft, version: RuleVersion, rules_text: str | None, logic_text: str | None) -> Draft | None:
    """The unsaved edit of a version before the newest, of which a browser has kept one text or both; None where they
    hold no edit, one that was saved since, or the draft has others. A page that is left right after saving has not yet
    told the browser to forget what it kept."""
    rules, logic, sentences = texts_of_version(version)
    if draft.dirty:
        if draft.base != version.number:
            return None
        rules, logic, sentences = draft.texts
    lists = without_lists(draft.rules_text)[1] | without_lists(rules)[1]
    kept = (rules if rules_text is None else with_lists(rules_text, lists), logic if logic_text is None else logic_text)
    if kept in ((rules, logic), draft.saved[:2]):
        return None
    if not draft.dirty and _saved_since((rules, logic), draft.saved[:2], kept):
        return None
    return rebase(draft, version, (*kept, sentences))


def _saved_since(base: tuple[str, str], newest: tuple[str, str], kept: tuple[str, str]) -> bool:
    """Whether a newer version has all that an edit changed in rules and logic."""
    merged = merge_versions((*base, ""), (*newest, ""), (*kept, ""))
    return not merged.conflicts and merged.texts[:2] == newest


def mark_saved(draft: Draft, version: RuleVersion) -> Draft:
    """The texts are this version now; the editors keep what they show."""
    number = version.number
    return replace(draft, base=number, newest=number, saved=texts_of_version(version), discarded=None)


def put_texts(draft: Draft, rules_text: str, logic_text: str) -> Draft:
    """Other rules and logic, which the editors are to show."""
    return replace(draft, editors=put(draft.editors, rules_text, logic_text))


def put_file(draft: Draft, content: bytes, name: str) -> Draft:
    """The rules of a file, or its logic where it is called .toml, in place of the draft's. InputError for bytes that
    are no text in UTF-8."""
    text = decode_rules(content, name)
    if name.casefold().endswith(".toml"):
        return put_texts(draft, draft.rules_text, text)
    return put_texts(draft, text, draft.logic_text)


def switch_rule(draft: Draft, line: int, *, on: bool) -> Draft:
    """The rule that begins in a line switched on or off."""
    return put_texts(draft, (switch_on if on else switch_off)(draft.rules_text, line), draft.logic_text)


def focus(draft: Draft, *, rule: str | None = None, label: str | None = None, view: View | None = None) -> Draft:
    """Look at the texts of a rule, or of a label, or of all."""
    return replace(draft, rule=rule, label=label, shown=_SHOWN, view=view or draft.view)


def choose_view(draft: Draft, view: View) -> Draft:
    """Look at the same rules in another view."""
    return replace(draft, view=view, shown=_SHOWN, came=draft.view if view != draft.view else draft.came)


def select_text(draft: Draft, place: int, *, on: bool) -> Draft:
    """A text more, or less, to propose rules for."""
    selected = draft.selected or frozenset()
    return replace(draft, selected=selected | {place} if on else selected - {place})


def begin_selection(draft: Draft) -> Draft:
    """Texts can be selected; none is yet."""
    return replace(draft, selected=frozenset(), words=())


def reveal(draft: Draft, line: int) -> Draft:
    """Bring a line of the rules into sight."""
    return replace(draft, reveal_line=line, reveal_nonce=draft.reveal_nonce + 1)


def reveal_rule(draft: Draft, name: str, line: int | None = None) -> Draft:
    """Bring a rule into sight, with the caret in it, so that its automaton is drawn where no other is looked at; by its
    name, or in the `line` where it is known to begin."""
    lines = enumerate(split_lines(draft.rules_text), 1)
    at = line or next((number for number, text in lines if text.startswith(f"{name} :=")), 1)
    return replace(reveal(draft, at), caret_line=at, caret_rule=name)


def unchanged_lines(draft: Draft, rules_text: str) -> frozenset[int]:
    """The lines of a text that was read before which stand in the draft where they stood; faults may have come since.
    Lines count from 1."""
    then, now = split_lines(rules_text), split_lines(draft.rules_text)
    return frozenset(number for number, lines in enumerate(zip(then, now, strict=False), 1) if lines[0] == lines[1])


def caret_at(draft: Draft, line: int) -> Draft:
    """The caret in another line, whose rule is not what is looked at because of that."""
    return replace(draft, caret_line=line, caret_rule=None)


def follow_caret(draft: Draft, text: str, line: int, ruleset: RuleSet, *, stale: bool) -> Draft:
    """Look at the rule that the caret has come to in a text, or that is now written in its line. A line without a rule
    changes nothing. `stale`: the rules are those of an earlier text, in which they may stand in other lines."""
    if not line:
        return replace(draft, caret_line=line)
    start = rule_start(text, line)
    if stale:
        written = name_at(text, start)
        under = next((rule.name for rule in ruleset.rules if rule.name == written), "")
    else:
        under = next((rule.name for rule in ruleset.rules if rule.line == start), "")
    moved = line != draft.caret_line
    if under and under != draft.rule and (moved or draft.caret_rule not in (None, under)):
        draft = focus(draft, rule=under)
    return replace(draft, caret_line=line, caret_rule=under if under or moved else draft.caret_rule)


def texts_of_version(version: RuleVersion) -> tuple[str, str, str]:
    """Its rules, logic and sentences."""
    return version.rules_text, version.logic_text, version.sentences_text
