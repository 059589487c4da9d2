"""The sentences that two versions hold their rules to, side by side: which came, which went, which ask for something
else, and which turn out otherwise though they ask for the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from re2nn_core.rules.sentences import KINDS, Kind, Sentences
from re2nn_core.services.rule_writing.rule_sentences import CheckedSentence, System, check_sentences

MEANINGS: Mapping[Kind, str] = {"must": "must match", "must_not": "must not match"}


class SentenceMark(Enum):
    """What became of a sentence. The value is its sign and a word, as tables show it."""

    CAME = "+ added"
    WENT = "− removed"
    ASKS = "± opposite expectation"
    TURNED = "± different result"
    SAME = "= unchanged"


@dataclass(frozen=True)
class Held:
    """A sentence on one side: what the rule is asked for, and whether it does it; `ok` is None where the side has no
    such rule. `happened` says what else it does."""

    kind: Kind
    ok: bool | None
    happened: str = ""

    @property
    def in_words(self) -> str:
        """In words, with a sign."""
        if self.ok is None:
            return f"{MEANINGS[self.kind]}: not checked, this version has no such rule"
        return f"{MEANINGS[self.kind]}: " + ("✓ it does" if self.ok else f"✗ but {self.happened}")


@dataclass(frozen=True)
class SentenceChange:
    """A sentence of a rule on both sides; None where a side does not have it."""

    rule: str
    sentence: str
    before: Held | None
    after: Held | None

    @property
    def mark(self) -> SentenceMark:
        if self.before is None or self.after is None:
            return SentenceMark.CAME if self.before is None else SentenceMark.WENT
        if self.before.kind != self.after.kind:
            return SentenceMark.ASKS
        return SentenceMark.SAME if self.before == self.after else SentenceMark.TURNED


def sentence_changes(left: tuple[System, Sentences], right: tuple[System, Sentences]) -> tuple[SentenceChange, ...]:
    """All sentences of both sides, those that changed in front, in the order of their rules. StateBudgetError."""
    before, after = _held(*left), _held(*right)
    changes = [SentenceChange(*key, before.get(key), after.get(key)) for key in dict.fromkeys((*before, *after))]
    return tuple(sorted(changes, key=lambda change: change.mark is SentenceMark.SAME))


def _held(system: System, sentences: Sentences) -> dict[tuple[str, str], Held]:
    """(rule, sentence) -> what is asked and what the rule does."""
    checked = {(one.rule, one.kind, one.sentence): one for one in check_sentences(system, sentences).checked}
    return {
        (own.rule, sentence): _of(kind, checked.get((own.rule, kind, sentence)))
        for own in sentences
        for kind in KINDS
        for sentence in own.of(kind)
    }


def _of(kind: Kind, checked: CheckedSentence | None) -> Held:
    return Held(kind, None) if checked is None else Held(kind, checked.ok, checked.happened)


def counted_changes(changes: tuple[SentenceChange, ...]) -> str:
    """How many of each, and how many fail on the right; in words."""
    marks = Counter(change.mark for change in changes)
    reported = ", ".join(f"{marks[mark]:,} {mark.value[2:]}" for mark in SentenceMark if marks[mark])
    failing = sum(change.after is not None and change.after.ok is False for change in changes)
    return f"{reported or 'none'}; {failing:,} {'fails' if failing == 1 else 'fail'} now"
