"""What the reconstruction of a tagger found: rules before and after, new ones, and the scores of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from re2nn_core.training.span_scores import SpanScores


@dataclass(frozen=True)
class SlotRuleChange:
    """One rule before and after. `steps` say in words what was done, in the order in which it was; `gain`: how many
    missed or invented spans fewer there are in the texts it was chosen on. Words and tags are those that only one of
    the two rules names. `unread`: why what would have made the rule better is not reconstructed; else empty."""

    name: str
    label: str
    original_text: str
    reconstructed_text: str
    kept_original: bool
    steps: tuple[str, ...] = ()
    gain: int = 0
    words_added: tuple[str, ...] = ()
    words_removed: tuple[str, ...] = ()
    tags_added: tuple[str, ...] = ()
    tags_removed: tuple[str, ...] = ()
    unread: str = ""


@dataclass(frozen=True)
class ExtendedRules:
    """Rules that read more words where they name word classes, and the rules as they were written. `steps` and `gains`:
    for each rule that changed what it matches more, in words, and the errors fewer by it alone in the annotated
    texts."""

    written_text: str
    rules_text: str
    steps: Mapping[str, str] = field(default_factory=dict)
    gains: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class LearnedRule:
    """A rule that nobody has written, and what it gains in the texts it was chosen on, all others made before it."""

    name: str
    slot: str
    text: str
    gain: int


@dataclass(frozen=True)
class SplitScores:
    """Scores of one split, None where nobody has marked a text of it; `marked` of its `texts` are. `changed`: the
    written rules as they were changed, without new ones. `agreement`: texts, `agreement_words`: words that network and
    reconstructed rules predict alike, as shares of 1. In so many marked texts fewer spans are wrong or missing by the
    reconstructed rules than by the written ones (`better`), or more of them (`worse`)."""

    split: str
    texts: int
    original: SpanScores | None
    network: SpanScores | None
    changed: SpanScores | None
    reconstructed: SpanScores | None
    agreement: float
    agreement_words: float
    marked: int
    better: int = 0
    worse: int = 0

    @property
    def fidelity(self) -> float:
        """What is shown as agreement: of words."""
        return self.agreement_words


@dataclass(frozen=True)
class SlotReconstruction:
    """The reconstructed rules and priorities, and how they compare. `scores` holds dev first, then train and test."""

    rules_text: str
    logic_text: str
    scores: tuple[SplitScores, ...]
    rules: tuple[SlotRuleChange, ...]
    new_rules: tuple[LearnedRule, ...]
    new_priorities: tuple[str, ...]

    @property
    def changed(self) -> int:
        """How many written rules came back in another form."""
        return sum(not rule.kept_original for rule in self.rules)
