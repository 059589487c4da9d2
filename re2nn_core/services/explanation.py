"""What an explanation consists of, for labels: values alone, so that pages and the command line show the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from re2nn_core.explain.changes import Change
from re2nn_core.explain.death import Death


@dataclass(frozen=True)
class HeatedWord:
    """A word with its characters in the text. `heat`: how much the explained score falls when a word that nobody knows
    stands in its place; `known`: rules or network tell the word from such a word at all."""

    text: str
    start: int
    end: int
    known: bool
    heat: float


@dataclass(frozen=True)
class PathStep:
    """A word read from one state to another. `symbol`: what the rule reads it by, None for an edge that nobody wrote.
    `before`, `after`: the edge's weight without training and with it; `tag`: what the word is given, for slots."""

    word: str
    source: int
    target: int
    symbol: str | None
    before: float
    after: float
    tag: str | None = None

    @property
    def written(self) -> bool:
        return self.symbol is not None

    @property
    def changed(self) -> bool:
        """Whether training has moved the weight by a tenth or more."""
        return abs(self.after - self.before) >= 0.1

    @property
    def origin(self) -> str:
        """`written`, `learned`, or `written, changed`."""
        if not self.written:
            return "learned"
        return "written, changed" if self.changed else "written"


@dataclass(frozen=True)
class RulePath:
    """A path of the sentence through a rule; `weight` is the product along it, before anything is clamped."""

    rule: str
    label: str
    weight: float
    start: float
    end: float
    steps: tuple[PathStep, ...]


@dataclass(frozen=True)
class RulePart:
    """What a rule adds to each label's score. `matches`: it accepts the sentence as written; `before`, `after`: its own
    score without training and with it."""

    rule: str
    label: str
    matches: bool
    before: float
    after: float
    added: Mapping[str, float]


@dataclass(frozen=True)
class LabelSum:
    """A label's score as a sum: what rules add, what label logic says without any rule, what stands outside the
    rules."""

    label: str
    rules: float
    logic: float
    outside: float
    score: float
    probability: float

    @property
    def total(self) -> float:
        return self.rules + self.logic + self.outside


@dataclass(frozen=True)
class Explanation:
    """Why a text got its answer. `about` is the label whose score `words` and the order of `parts` are about; `sums` is
    best first. `notes` say what cannot be told exactly of this network, in words."""

    text: str
    answer: str | None
    rules_answer: str | None
    about: str | None
    words: tuple[HeatedWord, ...]
    sums: tuple[LabelSum, ...]
    parts: tuple[RulePart, ...]
    paths: tuple[RulePath, ...]
    notes: tuple[str, ...]
    trained: bool

    def sum_of(self, label: str) -> LabelSum | None:
        """The sum of a label; None where the network does not know it."""
        return next((one for one in self.sums if one.label == label), None)


@dataclass(frozen=True)
class RuleDeath:
    """Why one rule does not accept a sentence; `death` None where it does. `change`: the smallest one that it accepts,
    None where it accepts nothing; `answer`: what the rules then answer."""

    rule: str
    label: str
    expression: str
    death: Death | None
    change: Change | None
    answer: str | None


@dataclass(frozen=True)
class WhyNot:
    """Why a label or a rule does not speak. `reasons` in sentences; `rules`: those that could, the nearest first."""

    wanted: str
    is_rule: bool
    reasons: tuple[str, ...]
    rules: tuple[RuleDeath, ...]


@dataclass(frozen=True)
class Flip:
    """The smallest change found after which the answer is another one. `change` None: none was found. `smallest`:
    nothing smaller does it, everything was looked at; `looked_at` counts what was tried."""

    before: str | None
    after: str | None
    change: Change | None
    smallest: bool
    complete: int
    looked_at: int
    by_network: bool
    note: str = ""

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        if self.before == self.after and self.change is None and self.note:
            return self.note
        tried = f"{self.looked_at:,} change{' was' if self.looked_at == 1 else 's were'} tried"
        if self.change is None:
            sure = f"No change of {_words(self.complete)} does it" if self.complete else "Nothing was found"
            return f"{sure}; {tried}.{self._noted}"
        if self.smallest:
            none = "No change can be smaller" if len(self.change) == 1 else "Nothing smaller does it"
            return f"{none}; {tried}." if self.looked_at else f"{none}."
        return f"A smaller change may do it too; {tried}.{self._noted}"

    @property
    def _noted(self) -> str:
        return f" {self.note}" if self.note else ""


def _words(count: int) -> str:
    return "one word" if count == 1 else f"up to {count} words"


def change_in_words(change: Change) -> str:
    """A change as people say it."""
    if not change.edits:
        return "nothing has to change"
    said = []
    for edit in change.edits:
        if edit.kind == "replace":
            said.append(f"“{edit.old}” becomes “{edit.new}”")
        elif edit.kind == "delete":
            said.append(f"“{edit.old}” goes")
        else:
            said.append(f"“{edit.new}” is put in at word {edit.place + 1}")
    return ", ".join(said)


_SHOWN_EXPECTED = 12
_SIGNS = {"$": "any word ($)", "%": "a number (%)", "&": "a sign (&)"}


def death_in_words(death: Death) -> str:
    """Where a run died, as people say it."""
    names = [_SIGNS.get(name, f"“{name}”") for name in death.expected[:_SHOWN_EXPECTED]]
    more = f" and {len(death.expected) - _SHOWN_EXPECTED:,} more" if len(death.expected) > _SHOWN_EXPECTED else ""
    could = f"expected there: {', '.join(names)}{more}" if names else "nothing more could be read there"
    if not death.expected and not death.may_end and not death.read:
        return "it accepts no sentence at all"
    end = ", or the end" if death.may_end else ""
    if death.word is None:
        return f"the sentence ends too early, after {death.read} words; {could}"
    return f"it dies at word {death.read + 1}, “{death.word}”; {could}{end}"
