"""A review as a document: every change of a reconstruction with what it does, the texts that it moves, and what was
decided about it. It is drawn by plots/review/page.py."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from re2nn_core.automata.differences.difference import MachineDifference
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_difference.drawn_differences import drawn_trees
from re2nn_core.services.rule_difference.language_difference import language_verdict
from re2nn_core.services.rule_difference.witnesses import Witness
from re2nn_core.services.rule_review.change_effects import ChangeEffect, Weakness, best_first, held_count, weakness_of
from re2nn_core.services.rule_review.change_repairs import NOTHING_BESIDE, Beside, CountedRepairs, Repairs
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.conditions import Condition, changed_conditions
from re2nn_core.services.rule_review.decisions import (
    ChangeDecision,
    ReviewState,
    adds_only_common,
    learned_change,
)
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.services.rule_review.patterns import LeftOut, NewRulePatterns, OverriddenLogic
from re2nn_core.services.rule_review.slot_places import words_around
from re2nn_core.services.rule_review.split_roles import (
    gains_of,
    held_name,
    roles_in_words,
    split_notes_of,
)
from re2nn_core.services.rule_systems.inline_difference import InlinePiece
from re2nn_core.text.tokenization import Tokenization, words_of_all

MarkKind = Literal["matched", "wildcard", "learned", "lost", "new", "incorrect", "gone"]
_SHOWN = 20  # texts of a list


@dataclass(frozen=True)
class TextMark:
    """The characters `[start, end)` of a text: words that the rule matches, that it has learned to match or matches no
    longer, or a span that came or went; `note` is its slot."""

    start: int
    end: int
    kind: MarkKind
    note: str = ""


@dataclass(frozen=True)
class ReviewedText:
    """A text with what the rules predict for it without and with a change, and what is annotated; None where nothing
    is. `marks` are in order and apart from each other."""

    text: str
    split: str
    before: str
    after: str
    gold: str | None
    marks: tuple[TextMark, ...]


@dataclass(frozen=True)
class TextList:
    """`count` texts, of which the first are shown."""

    count: int = 0
    shown: tuple[ReviewedText, ...] = ()


@dataclass(frozen=True)
class ReviewedRule:
    """A change. `groups` are the labels or slots; `pieces` both forms in one, empty for several rules at once;
    `difference` both automata, None where `refusal` says why; `held_fixed` and `held_broken` count held-out texts;
    `conditions`: those of the original that changed; `weak`: why a gain on held-out texts may be chance; `only_before`
    and `only_after` are shortest sentences that one form alone matches; `state` is what was decided, `by` who did and
    when, `edited` the rule as somebody wrote it. Of a new rule for labels `patterns` are what it is a union of, and
    `overridden` what it overrides; `words_elsewhere`: the words of a new rule that others had before; `around`: of a
    rule for slots where those stand that fill none. `beside`: what it does with other changes. `left_out`: what was
    learned besides, of a rule in its recommended form."""

    name: str
    groups: tuple[str, ...]
    new: bool
    pieces: tuple[InlinePiece, ...]
    difference: MachineDifference | None
    refusal: str
    fixed: TextList
    broken: TextList
    other: TextList
    held_fixed: int
    held_broken: int
    gain: float | None
    only_before: str | None
    only_after: str | None
    state: str = ""
    by: str = ""
    edited: str = ""
    conditions: tuple[Condition, ...] = ()
    weak: Weakness = ""
    patterns: NewRulePatterns | None = None
    overridden: OverriddenLogic | None = None
    beside: Beside = NOTHING_BESIDE
    words_elsewhere: frozenset[str] = frozenset()
    around: Mapping[str, str] | None = None
    left_out: LeftOut | None = None

    @property
    def recommended(self) -> bool:
        """Whether it gains by itself on held-out texts, hardly by chance, or repairs what such changes break."""
        return ((self.gain or 0.0) > 0 and not self.weak) or self.beside.safely == "up"


@dataclass(frozen=True)
class ReviewFigure:
    """The figures of a split, as shares of 1; None where nothing is annotated. Of the `labelled` texts the
    reconstructed rules predict `better` and `worse` than the original ones so many."""

    split: str
    texts: int
    written: float | None
    network: float | None
    reconstructed: float | None
    labelled: int = 0
    better: int = 0
    worse: int = 0


@dataclass(frozen=True)
class ReviewDocument:
    """`subject` names the model, `notes` are sentences about the figures; `measure` is what the figures are called;
    `split` and `held_texts` are the held-out texts, "" where there are none. `tagging`: the rules are for slots.
    `seen`: the words of which the texts say enough, None where that is unknown."""

    title: str
    subject: str
    tagging: bool
    measure: str
    figures: tuple[ReviewFigure, ...]
    split: str
    held_texts: int
    rules: tuple[ReviewedRule, ...]
    notes: tuple[str, ...] = ()
    seen: frozenset[str] | None = None

    @property
    def held_name(self) -> str:
        """What the texts that decide are called; empty where there are none."""
        return held_name(self.split, self.held_texts)


@dataclass(frozen=True)
class ReviewMaterial:
    """What a task hands over for a document.

    order      the names of the reconstructed rules, in order
    rules      both forms of a rule
    trees      the automata of a rule are made of these
    groups     its labels or slots
    effects    what each change does alone; that of all together under `WHOLE` where they cannot be told apart
    tokenization  how texts are cut into words
    text       a text of the review by its place, as one that a rule moves
    held       the labelled texts that are held out, by their places
    on_test    test texts that do not decide, by their places
    chose      what was chosen on dev
    seen       the words of which the texts say enough, None where that is unknown
    learned_from_dev  whether the network was trained on dev texts too
    patterns    those of a new rule, None of others and where they cannot be measured
    overridden  what a new rule overrides of the label logic
    repairs     the changes that repair what others break
    """

    tagging: bool
    measure: str
    figures: tuple[ReviewFigure, ...]
    order: Sequence[str]
    rules: Callable[[str], ChangedRule]
    trees: Callable[[str], tuple[Node | None, Node | None]]
    groups: Callable[[str], tuple[str, ...]]
    effects: Mapping[str, ChangeEffect]
    tokenization: Tokenization
    text: Callable[[str, ChangeEffect, Sequence[int]], Sequence[ReviewedText]]
    split: str | None = None
    held: Collection[int] = field(default_factory=frozenset)
    on_test: Collection[int] = field(default_factory=frozenset)
    chose: str = "changes"
    learned_from_dev: bool = False
    seen: frozenset[str] | None = None
    patterns: Callable[[str], NewRulePatterns | None] = lambda _: None
    overridden: Callable[[str], OverriddenLogic | None] = lambda _: None
    repairs: Repairs = field(default_factory=dict)

    @property
    def notes(self) -> tuple[str, ...]:
        """What has to be known before the changes are believed."""
        gains = gains_of((one.split, one.written, one.reconstructed) for one in self.figures)
        moves = {one.split: SplitMoves(one.labelled, one.better, one.worse) for one in self.figures}
        message = split_notes_of(gains, moves, learned_from_dev=self.learned_from_dev)
        roles = roles_in_words((one.split for one in self.figures), self.chose, learned_from_dev=self.learned_from_dev)
        return tuple(filter(None, (roles, *message.remarks, *message.warnings)))


WHOLE = "All changes"
_SIDES = "the original rule", "the reconstructed rule"
_WHOLE_REFUSAL = "This network has one automaton for each label, so its rules are accepted all at once."


def review_document(
    material: ReviewMaterial,
    *,
    title: str,
    subject: str,
    decisions: Mapping[str, ChangeDecision],
    left_out: Mapping[str, LeftOut] = MappingProxyType({}),
) -> ReviewDocument:
    """The changes in the order of the review, with what was decided about them."""
    names = best_first(material.effects, (WHOLE, *material.order), material.held)
    weak = {name: weakness_in(material, name) for name in names}
    repairs = counted_repairs(material, decisions, weak)
    taken = {name for name, one in decisions.items() if one.state.taken}
    return ReviewDocument(
        title,
        subject,
        material.tagging,
        material.measure,
        material.figures,
        material.split or "",
        len(material.held) if material.split else 0,
        tuple(
            replace(
                _reviewed(material, name, decisions.get(name), left_out.get(name)),
                weak=weak[name],
                beside=repairs.beside(name, taken),
            )
            for name in names
        ),
        material.notes,
        material.seen,
    )


def weakness_in(material: ReviewMaterial, name: str) -> Weakness:
    """Why a gain by a change on held-out texts may be chance; empty where it is not likely."""
    before, after = (None, None) if name == WHOLE else material.trees(name)
    only_common = after is not None and adds_only_common(learned_change(name, before, after), material.seen)
    effect = material.effects[name]
    on_test = held_count(effect, material.on_test)
    return weakness_of(*held_count(effect, material.held), only_common=only_common, on_test=on_test)


def counted_repairs(
    material: ReviewMaterial, decisions: Mapping[str, ChangeDecision], weak: Mapping[str, Weakness]
) -> CountedRepairs:
    """Repairs as far as what was decided lets them count."""

    def state(name: str) -> ReviewState:
        return decisions[name].state if name in decisions else ReviewState.OPEN

    def gain(name: str) -> float:
        return material.effects[name].gain or 0.0

    return CountedRepairs(
        material.repairs,
        counts=lambda name: state(name) is not ReviewState.REJECTED,
        stands=lambda name: (
            state(name).taken or (state(name) is ReviewState.OPEN and gain(name) > 0 and not weak.get(name))
        ),
        loses=lambda name: gain(name) < 0,
    )


def _reviewed(
    material: ReviewMaterial, name: str, decision: ChangeDecision | None, left_out: LeftOut | None
) -> ReviewedRule:
    effect = material.effects[name]
    if name == WHOLE:
        pieces: tuple[InlinePiece, ...] = ()
        difference, refusal, new = None, _WHOLE_REFUSAL, False
        groups: tuple[str, ...] = ()
        witnesses: tuple[str | None, str | None] = None, None
        conditions: tuple[Condition, ...] = ()
        elsewhere, around = frozenset[str](), None
    else:
        rule, trees = material.rules(name), material.trees(name)
        pieces, new, groups = rule.pieces, rule.before is None, material.groups(name)
        drawn = drawn_trees(name, *trees, tagging=material.tagging, sides=_SIDES)
        difference, refusal = drawn.difference, drawn.refusal or drawn.by_positions
        verdict = language_verdict(name, *trees)
        witnesses = _sentence(verdict.only_left), _sentence(verdict.only_right)
        elsewhere = rule.words_elsewhere
        around = words_around(rule.newest.expanded, trees[0]) if material.tagging else None
    fixed, broken, other = (
        _texts(material, name, effect, side) for side in (effect.moved.fixed, effect.moved.broken, effect.moved.changed)
    )
    if name != WHOLE:
        own = [text.text for shown in (fixed, other, broken) for text in shown.shown]
        words = dict(zip(own, words_of_all(own, material.tokenization), strict=True))
        conditions = changed_conditions(material.rules(name), words, lowercase=material.tokenization.lowercase)
    held_fixed, held_broken = held_count(effect, material.held)
    return ReviewedRule(
        name,
        groups,
        new,
        pieces,
        difference,
        refusal,
        fixed,
        broken,
        other,
        held_fixed,
        held_broken,
        effect.gain,
        *witnesses,
        "" if decision is None else _state(decision, left_out),
        "" if decision is None else _by(decision),
        "" if decision is None or left_out is not None else decision.text,
        conditions,
        patterns=material.patterns(name),
        overridden=material.overridden(name),
        words_elsewhere=elsewhere,
        around=around,
        left_out=left_out,
    )


def _state(decision: ChangeDecision, left_out: LeftOut | None) -> str:
    """What was decided; nobody has edited a rule that is in its recommended form."""
    accepted = left_out is not None and decision.state is ReviewState.EDITED
    return (ReviewState.ACCEPTED if accepted else decision.state).value


def _texts(material: ReviewMaterial, name: str, effect: ChangeEffect, places: Sequence[int]) -> TextList:
    """Held-out texts in front."""
    own = sorted(map(int, places), key=lambda place: (place not in material.held, place))[:_SHOWN]
    return TextList(len(places), tuple(material.text(name, effect, own)))


def _sentence(witness: Witness | None) -> str | None:
    return None if witness is None else witness.text


def _by(decision: ChangeDecision) -> str:
    if not decision.by or decision.state is ReviewState.OPEN:
        return ""
    when = f", {decision.at:%Y-%m-%d}" if decision.at is not None else ""
    return f"by {decision.by}{when}{' about an earlier run' if decision.earlier else ''}"
