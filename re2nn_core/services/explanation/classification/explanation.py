"""What an explanation consists of, for labels: values alone, so that pages and the command line show the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from re2nn_core.services.explanation.text_notes import is_long
from re2nn_core.text.counting import counted


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

    @property
    def alone(self) -> float:
        """What the network would make of this path if its rule had no other: the product, clamped to [0, 1] behind
        each word and at the end."""
        value = self.start
        for step in self.steps:
            value = min(1.0, max(0.0, value * step.after))
        return min(1.0, max(0.0, value * self.end))


def own_score_in_words(path: RulePath, score: float, signed: Callable[[float], str]) -> str:
    """How a rule's own score comes from one of its paths. The rest is that of the figures as they are shown, so that
    they add up; `signed` writes it."""
    alone, shown = round(path.alone, 2), round(score, 2)
    return (
        f"own score of {path.rule} {score:.2f} = {alone:.2f} from this path, clamped to 0–1 after each word, and "
        f"{signed(shown - alone)} from the rest"
    )


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


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why a text got its prediction. `about` is the label whose score `words` and the order of `parts` are about;
    `sums` is best first. `notes` say what cannot be computed exactly of this network, in words; `rest` what a rule's
    own score holds beside its best path."""

    text: str
    prediction: str | None
    rules_prediction: str | None
    about: str | None
    words: tuple[HeatedWord, ...]
    sums: tuple[LabelSum, ...]
    parts: tuple[RulePart, ...]
    paths: tuple[RulePath, ...]
    notes: tuple[str, ...]
    trained: bool
    ties: tuple[str, ...] = ()
    because: str = ""
    rest: str = ""

    def __repr__(self) -> str:
        matches = sum(part.matches for part in self.parts)
        return f"<Explanation of {self.text[:60]!r}: label {self.prediction!r}, {counted(matches, 'rule')} matched>"

    @property
    def long(self) -> bool:
        """Whether the text is too long for figures at each word."""
        return is_long(self.words)

    def sum_of(self, label: str) -> LabelSum | None:
        """The sum of a label; None where the network does not know it."""
        return next((one for one in self.sums if one.label == label), None)
