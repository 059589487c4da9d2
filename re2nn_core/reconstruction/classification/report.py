"""What reading a network back found: rules before and after, new ones, and how right all of them are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from re2nn_core.reconstruction.weights.edges import LearnedEdge, MovedEdges
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names


@dataclass(frozen=True)
class RuleChange:
    """One rule before and after. Witnesses are shortest sentences that only one of the two accepts (None: there is
    none, or the machines are too large to say). `won` and `lost` are places of corpus texts that only the
    reconstructed or only the original rule accepts. `threshold` is None where the written rule stayed. `edges` is the
    number of edges whose words changed, `words` how many words came or went on them, `learned` these edges.
    `unread`: why the rule could not be reconstructed, so that it stays as written; else empty."""

    name: str
    label: str
    original_text: str
    reconstructed_text: str
    threshold: float | None
    kept_original: bool
    witness_only_original: tuple[str, ...] | None
    witness_only_reconstructed: tuple[str, ...] | None
    lost: tuple[int, ...]
    won: tuple[int, ...]
    edges: int = 0
    words: int = 0
    learned: tuple[LearnedEdge, ...] = ()
    unread: str = ""


@dataclass(frozen=True)
class AddedRule:
    """A rule that nobody has written; `texts` are the places of the corpus texts that it accepts."""

    name: str
    label: str
    text: str
    texts: tuple[int, ...]


@dataclass(frozen=True)
class SplitAccuracy:
    """Accuracies on one split, as shares of 1; `agreement` is the share of texts on which network and reconstructed
    rules give the same prediction. Of the `labelled` texts the reconstructed rules predict `better` and `worse` than
    the written ones so many."""

    split: str
    texts: int
    original: float | None
    network: float | None
    reconstructed: float | None
    agreement: float
    labelled: int = 0
    better: int = 0
    worse: int = 0

    @property
    def fidelity(self) -> float:
        """What is shown as agreement: of texts."""
        return self.agreement


@dataclass(frozen=True)
class Reconstruction:
    """The reconstructed rule set, and how it compares. `accuracy` holds dev first, then the other splits. Where
    aggregation layers were trained, `new_logic` are the labels whose logic was reconstructed from them too, and
    `unclear_logic` those whose weights are no formula, so that their logic stays as written. `dropped` are
    written rules that have no rule of their name any more. `new_words`: how many words changed and new rules name that
    the written ones do not; None in what former versions stored."""

    rules_text: str
    logic_text: str
    accuracy: tuple[SplitAccuracy, ...]
    rules: tuple[RuleChange, ...]
    new_logic: tuple[str, ...] = ()
    unclear_logic: tuple[str, ...] = ()
    new_rules: tuple[AddedRule, ...] = ()
    dropped: tuple[str, ...] = ()
    new_words: int | None = None

    @property
    def changed(self) -> int:
        return sum(not rule.kept_original for rule in self.rules)

    @property
    def edges(self) -> int:
        return sum(rule.edges for rule in self.rules)

    @property
    def words(self) -> int:
        return sum(rule.words for rule in self.rules)

    @property
    def in_words(self) -> str:
        """What became of the rules, in a sentence."""
        kept = len(self.rules) - self.changed
        reported = [f"{counted(kept, 'rule')} kept, {self.changed:,} changed, {len(self.new_rules):,} new"]
        if self.dropped:
            reported.append(f"{len(self.dropped):,} dropped (their automaton was reconstructed as one rule)")
        new = (
            ""
            if self.new_words is None
            else f" Rules name {counted(self.new_words, 'word')} more than the written ones."
        )
        return f"{', '.join(reported)}; {counted(self.edges, 'edge')} changed, by {counted(self.words, 'word')}.{new}"

    @property
    def logic_in_words(self) -> str:
        """What became of trained aggregation layers; empty where there is nothing to say."""
        lines = []
        if self.new_logic:
            lines.append(
                f"The label logic of {first_names(self.new_logic, 5)} was reconstructed from the trained layers."
            )
        if self.unclear_logic:
            lines.append(
                f"The trained layers of {first_names(self.unclear_logic, 5)} are no formula; "
                "that logic stays as written."
            )
        return " ".join(lines)


def moved_of(found: Reconstruction) -> dict[str, MovedEdges]:
    """The rules that were changed, with their edges, as `Bundle.moved` keeps them."""
    return {
        r.name: MovedEdges(r.threshold, r.edges, r.words, r.learned) for r in found.rules if r.threshold is not None
    }


def moved_from(values: Mapping[str, Any]) -> MovedEdges:
    """What `asdict` made of a `MovedEdges`, as it was."""
    return MovedEdges(values["threshold"], values["edges"], values["words"], edges_from(values["learned"]))


def edges_from(values: Iterable[Mapping[str, Any]]) -> tuple[LearnedEdge, ...]:
    """What `asdict` made of edges, as they were."""
    lists = ("strongest", "weights", "exceptions")
    return tuple(LearnedEdge(**{**edge, **{name: tuple(edge[name]) for name in lists}}) for edge in values)
