"""What an explanation consists of, for slots: values alone, so that pages and the command line show the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.rules.tagging import WILDCARD
from re2nn_core.services.explanation.classification.explanation import RulePath
from re2nn_core.services.explanation.text_notes import is_long
from re2nn_core.text.counting import counted
from re2nn_core.text.kinds import spelled_out
from re2nn_core.text.spans import token_spans


@dataclass(frozen=True)
class TagSum:
    """A tag's score at a word as a sum: what rules add, what stands outside the rules, and their sum, a logit. `chain`:
    what the chain of tags adds for this tag between the tags of its neighbours; 0 without a chain."""

    tag: str
    rules: float
    outside: float
    score: float
    probability: float
    chain: float = 0.0


@dataclass(frozen=True)
class TaggedWord:
    """A word with its characters in the text, its tag, and the tag that the rules give it. `own`: the tag as the
    network has it, where O and the wildcard of words that any rule may pass over are two. `sums`: tags by falling
    score; `added`: for each rule that adds anything to the word's own tag, how much; `votes`: the tags that rules
    which match claim for it."""

    text: str
    start: int
    end: int
    known: bool
    tag: str
    own: str
    rules_tag: str
    sums: tuple[TagSum, ...]
    added: Mapping[str, float]
    votes: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class SpanHeat:
    """A span of words, and of each word of the text how much the scores of the span's tags fall, in the mean, when a
    word that nobody knows stands in its place."""

    slot: str
    first: int
    end: int
    heats: tuple[float, ...]


@dataclass(frozen=True, repr=False)
class SlotExplanation:
    """Why the words of a text get their tags; `notes` say what cannot be computed exactly of this network, `ties` what
    decides where several tags score the same."""

    text: str
    words: tuple[TaggedWord, ...]
    spans: tuple[SpanHeat, ...]
    paths: tuple[RulePath, ...]
    notes: tuple[str, ...]
    trained: bool
    ties: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<SlotExplanation of {self.text[:60]!r}: {counted(len(token_spans(self.tags)), 'span')}>"

    @property
    def long(self) -> bool:
        """Whether the text is too long for figures at each word."""
        return is_long(self.words)

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(word.tag for word in self.words)

    @property
    def rules_tags(self) -> tuple[str, ...]:
        return tuple(word.rules_tag for word in self.words)


BOUND = (
    "The score of O is limited where a rule matches without a tag for the word, so that any tag with a vote wins. The "
    "difference is listed as outside the rules."
)


def bound_note(words: Sequence[TaggedWord]) -> str:
    """What is to be known of the scores of O; empty where no word has the bounded one."""
    return BOUND if any(word.own == WILDCARD for word in words) else ""


def tagged_spans_in_words(words: Sequence[str], tags: Sequence[str]) -> str:
    """The spans of a tagged sentence, as people read them."""
    spans = (f"{span.slot}: {spelled_out(words[span.start : span.end])}" for span in token_spans(tags))
    return "; ".join(spans) or "no span"
