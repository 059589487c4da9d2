"""What an arc can carry: a word, one of five special symbols, or the complement of some of these."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from re2nn_core.rules.lexer import print_word
from re2nn_core.text.kinds import CASE, is_number, is_punctuation
from re2nn_core.text.word_patterns.classes import class_words, holds_for, patterns_of


class Special:
    """A symbol that is not a word. Compared by identity, so that no word of a text can ever equal it."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"<{self.text}>"


ANY = Special("$")
NUMBER = Special("%")
PUNCTUATION = Special("&")
START = Special("BOS")
END = Special("EOS")
SKIP = Special("no word")  # in drawings of differences: the transition needs none (automata.differences.skipped_words)
# What `$ % &` mean where every word takes one arc: the words that no other arc of the state names.
OTHERS = {ANY: Special("any other word"), NUMBER: Special("any other number"), PUNCTUATION: Special("any other sign")}


class Complement(Special):
    """Every word that `base` reads (`$`, `%` or `&`), but none that a symbol of `but` reads. Compared by value."""

    __slots__ = ("_hash", "base", "but")

    def __init__(self, but: Iterable[Symbol], base: Special = ANY) -> None:
        self.base, self.but = base, frozenset(but)
        self._hash = hash((base, self.but))

    @property
    def text(self) -> str:  # type: ignore[override]
        """As the rule language writes it; of `%` and `&` in words of its own. Made when asked for: it may be long."""
        named = " ".join(
            print_word(symbol) if isinstance(symbol, str) else symbol.text
            for symbol in sorted(self.but, key=symbol_order)
        )
        return f"[^ {named} ]" if self.base is ANY else f"{self.base.text} but {named}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Complement) and (self.base, self.but) == (other.base, other.but)

    def __hash__(self) -> int:
        return self._hash


class Pattern(Special):
    """Every word with such letters, `re"book.*"`. Compared by value."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and self.text == other.text

    def __hash__(self) -> int:
        return hash((Pattern, self.text))


class ClassOfWords(Special):
    """The words of one class, without those that are named: `of` a class word, among those that some `patterns` tell
    apart. Compared by value."""

    __slots__ = ("_held", "_kind", "named", "of", "patterns")

    def __init__(self, of: str, patterns: frozenset[str], named: frozenset[str]) -> None:
        self.of, self.patterns, self.named = of, patterns, named
        self._held, self._kind = patterns_of(of), (is_number(of), is_punctuation(of))
        super().__init__(of)

    def reads(self, word: str) -> bool:
        """Whether a word is one of the class."""
        if word in self.named or (is_number(word), is_punctuation(word)) != self._kind:
            return False
        return all(holds_for(pattern, word) == (pattern in self._held) for pattern in self.patterns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClassOfWords) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    @property
    def _value(self) -> tuple[object, ...]:
        return self._held, self._kind, self.patterns, self.named


Symbol = str | Special

# Of each special symbol the kinds of words that it reads: 0 plain words, 1 numbers, 2 punctuation.
_KINDS_READ: dict[Special, tuple[int, ...]] = {ANY: (0, 1, 2), NUMBER: (1,), PUNCTUATION: (2,)}


def reads(symbol: Symbol, word: str) -> bool:
    """Whether a symbol reads a word of a text; BOS and EOS read none."""
    if isinstance(symbol, str):
        return symbol == word
    if isinstance(symbol, Complement):
        return reads(symbol.base, word) and not reading(symbol.but, word)
    if isinstance(symbol, Pattern):
        return holds_for(symbol.text, word)
    if isinstance(symbol, ClassOfWords):
        return symbol.reads(word)
    if symbol is NUMBER:
        return is_number(word)
    return is_punctuation(word) if symbol is PUNCTUATION else symbol is ANY


def reads_unnamed(symbol: Symbol, kind: int) -> bool:
    """Whether a symbol reads the words of a kind that no rule names; `kind` as in alphabet.py."""
    if isinstance(symbol, Complement):
        return reads_unnamed(symbol.base, kind) and not any(reads_unnamed(out, kind) for out in symbol.but)
    return isinstance(symbol, Special) and kind in _KINDS_READ.get(symbol, ())


def reading(symbols: frozenset[Symbol], word: str) -> bool:
    """Whether one of the symbols reads the word."""
    return word in symbols or any(reads(symbol, word) for symbol in _specials(symbols))


def reads_by_letters(symbols: frozenset[Symbol], word: str) -> bool:
    """Whether one of the symbols asks for the letters of a word, and reads this one."""
    return any(isinstance(symbol, Pattern) and reads(symbol, word) for symbol in _specials(symbols))


# Sets have up to thousands of words, and each is asked about every word of a vocabulary.
@lru_cache(maxsize=1024)
def _specials(symbols: frozenset[Symbol]) -> tuple[Special, ...]:
    return tuple(symbol for symbol in symbols if isinstance(symbol, Special))


def symbols_that_read(word: str, complements: Iterable[Symbol]) -> set[Symbol]:
    """The symbols that a word of a text may be read by: its name, its kind, `$`, and those of the complements."""
    found: set[Symbol] = {word, ANY}
    if is_number(word):
        found.add(NUMBER)
    if is_punctuation(word):
        found.add(PUNCTUATION)
    found.update(symbol for symbol in complements if reads(symbol, word))
    return found


def complements_of(symbols: Iterable[Symbol]) -> tuple[Special, ...]:
    """The complements among symbols, and what else has to be asked whether it reads a word."""
    return tuple(symbol for symbol in symbols if isinstance(symbol, Complement | Pattern | ClassOfWords))


def words_of(symbols: Iterable[Symbol]) -> frozenset[str]:
    """The words that symbols name, also to leave them out; for patterns the class words."""
    found: set[str] = set()
    patterns: set[str] = set()
    waiting = list(symbols)
    while waiting:
        symbol = waiting.pop()
        if isinstance(symbol, str):
            found.add(symbol)
        elif isinstance(symbol, Complement):
            waiting += symbol.but
        elif isinstance(symbol, Pattern):
            patterns.add(symbol.text)
        elif isinstance(symbol, ClassOfWords):
            patterns |= symbol.patterns
            found |= symbol.named
    return frozenset(found).union(class_words(patterns))


_ORDER = {
    ANY: 0,
    NUMBER: 1,
    PUNCTUATION: 2,
    START: 3,
    END: 4,
    SKIP: 4,
    **dict(zip(OTHERS.values(), range(3), strict=True)),
}


def symbol_order(symbol: Symbol) -> tuple[int, str]:
    """Sort key: special symbols first, then words by their letters."""
    if isinstance(symbol, Complement | Pattern | ClassOfWords):
        return _ORDER[END], symbol.text
    return (_ORDER[symbol], "") if isinstance(symbol, Special) else (5, symbol)


def show_symbol(symbol: Symbol) -> str:
    """The symbol as people read it."""
    if isinstance(symbol, Special):
        return symbol.text
    return print_word(symbol) if symbol.startswith(CASE) else symbol


def show_symbols(symbols: Iterable[Symbol]) -> list[str]:
    """Symbols in their order, as people read them."""
    return [show_symbol(symbol) for symbol in sorted(symbols, key=symbol_order)]
