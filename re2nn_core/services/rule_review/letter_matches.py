"""What the expressions inside words of a rule match in texts: how many of them, and one of the words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from re2nn_core.automata.positions import build_positions
from re2nn_core.proposals.word_shapes import title_of
from re2nn_core.rules.ruleset import expand
from re2nn_core.rules.tree import CaseWord, Lemma, Node, WordPattern, leaves_of
from re2nn_core.text.tokenization import Tokenization

_TYPICAL = 12  # letters of a word that is shown, where there is one of so many


def letter_matches(tree: Node, sentences: Sequence[Sequence[str]], tokenization: Tokenization) -> Mapping[str, str]:
    """Of each expression of a rule as it is written, in words: `long numbers: 10 of your texts, e.g. “70012”`.
    `sentences` are the words of the texts."""
    found: dict[str, str] = {}
    known = frozenset(word for sentence in sentences for word in sentence)
    for leaf in leaves_of(tree):
        if not isinstance(leaf, WordPattern | Lemma | CaseWord) or leaf.text in found:
            continue
        automaton = build_positions(expand(leaf, {}, tokenization.lowercase))
        words = {word for word in known if automaton.entered_by(word)}
        texts = sum(not words.isdisjoint(sentence) for sentence in sentences)
        example = _typical(words)
        also = min((word for word in words - {example} if _two_words(word, known)), default="")
        shown = (f", {lead} “{word}”" for lead, word in (("e.g.", example), ("also", also)) if word)
        title = title_of(leaf.text) or leaf.text
        found[leaf.text] = f"{title}: {texts:,} of your texts{''.join(shown)}"
    return found


def _two_words(word: str, known: Collection[str]) -> bool:
    """Whether a word is words of the texts without a blank between them, as “thanks.bye”."""
    parts = word.split(".")
    return len(parts) > 1 and all(part.isalpha() and part in known for part in parts)


def example_of(tree: Node, sentences: Sequence[Sequence[str]]) -> str:
    """A word of the texts that the first expression inside a word matches; empty without such an expression."""
    letters = next((leaf for leaf in leaves_of(tree) if isinstance(leaf, WordPattern)), None)
    if letters is None:
        return ""
    automaton = build_positions(letters)
    return _typical({word for sentence in sentences for word in sentence if automaton.entered_by(word)})


def _typical(words: Collection[str]) -> str:
    return min(words, key=lambda word: (abs(len(word) - _TYPICAL), word), default="")
