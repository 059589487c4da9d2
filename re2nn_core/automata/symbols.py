"""What an arc can carry: a word, or one of five special symbols."""

from __future__ import annotations

from collections.abc import Iterable


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
# What `$ % &` mean where every word takes one arc: the words that no other arc of the state names.
OTHERS = {ANY: Special("any other word"), NUMBER: Special("any other number"), PUNCTUATION: Special("any other sign")}

Symbol = str | Special

_ORDER = {ANY: 0, NUMBER: 1, PUNCTUATION: 2, START: 3, END: 4, **dict(zip(OTHERS.values(), range(3), strict=True))}


def symbol_order(symbol: Symbol) -> tuple[int, str]:
    """Sort key: special symbols first, then words by their letters."""
    return (_ORDER[symbol], "") if isinstance(symbol, Special) else (5, symbol)


def show_symbol(symbol: Symbol) -> str:
    """The symbol as people read it."""
    return symbol.text if isinstance(symbol, Special) else symbol


def show_symbols(symbols: Iterable[Symbol]) -> list[str]:
    """Symbols in their order, as people read them."""
    return [show_symbol(symbol) for symbol in sorted(symbols, key=symbol_order)]
