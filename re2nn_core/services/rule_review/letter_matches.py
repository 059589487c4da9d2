"""What the expressions inside words of a rule match in texts: how many of them, and one of the words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from re2nn_core.automata.positions import build_positions
from re2nn_core.proposals.word_shapes import title_of
from re2nn_core.rules.ruleset import expand
from re2nn_core.rules.tree import CaseWord, Lemma, Node, WordPattern, leaves_of

_TYPICAL = 12  # letters of a word that is shown, where there is one of so many


def letter_matches(tree: Node, sentences: Sequence[Sequence[str]], *, lowercase: bool) -> Mapping[str, str]:
    """Of each expression of a rule as it is written, in words: `web addresses: 10 of your texts, e.g. “a.example”`.
    `sentences` are the words of the texts."""
    found: dict[str, str] = {}
    known = frozenset(word for sentence in sentences for word in sentence)
    for leaf in leaves_of(tree):
        if not isinstance(leaf, WordPattern | Lemma | CaseWord) or leaf.text in found:
            continue
        automaton = build_positions(expand(leaf, {}, lowercase))
        words = {word for word in known if automaton.entered_by(word)}
        texts = sum(not words.isdisjoint(sentence) for sentence in sentences)
        example = min(words, key=lambda word: (abs(len(word) - _TYPICAL), word), default="")
        also = min((word for word in words - {example} if _two_words(word, known)), default="")
        shown = (f", {lead} “{word}”" for lead, word in (("e.g.", example), ("also", also)) if word)
        found[leaf.text] = f"{title_of(leaf.text) or leaf.text}: {texts:,} of your texts{''.join(shown)}"
    return found


def _two_words(word: str, known: Collection[str]) -> bool:
    """Whether a word is words of the texts without a blank between them, as “thanks.bye”."""
    parts = word.split(".")
    return len(parts) > 1 and all(part.isalpha() and part in known for part in parts)
