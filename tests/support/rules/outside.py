"""The same machines made by two published libraries, from the syntax tree alone: automata-lib and pynini.

Nothing of re2nn_core.automata is used here but the five special symbols. Each library gets the language as
letters: one letter a symbol for pseudo machines, one letter a column for exact ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from automata.fa.dfa import DFA
from automata.fa.nfa import NFA
from support.rules import oracles

from re2nn_core.automata.symbols import ANY, END, NUMBER, PUNCTUATION, START, Complement, Pattern, Symbol
from re2nn_core.rules.tree import (
    Any,
    ButNot,
    Capture,
    Choice,
    Concat,
    Empty,
    Except,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    Word,
    WordPattern,
    named_words,
    walk,
)

# A word, a number and a sign that no test names: what all unnamed ones stand for.
OTHERS = ("otherwise", "987654321", "‽")
_FIRST_LETTER = 0x4E00  # where no sign of automata-lib's regular expressions is found
_SYMBOL_OF = {Any: ANY, Number: NUMBER, Punctuation: PUNCTUATION, SentenceStart: START, SentenceEnd: END}

Letters = dict[Symbol, int]
Reads = Callable[[Node], list[Symbol]]


def symbol_of(leaf: Node) -> list[Symbol]:
    """The one symbol of a leaf, as in pseudo machines."""
    if isinstance(leaf, Except):
        return [Complement(symbol for member in leaf.members for symbol in symbol_of(member))]
    if isinstance(leaf, WordPattern):
        return [Pattern(leaf.text)]
    return [leaf.text if isinstance(leaf, Word) else _SYMBOL_OF[type(leaf)]]


def pseudo_symbols(tree: Node) -> list[Symbol]:
    """The symbols of the pseudo machine of a tree."""
    leaves = [node for node in walk(tree) if isinstance(node, Word | WordPattern | Except) or type(node) in _SYMBOL_OF]
    return list(dict.fromkeys(symbol for leaf in leaves for symbol in symbol_of(leaf)))


def exact_symbols(tree: Node) -> list[Symbol]:
    """What an exact machine reads: the named words, one unnamed word of each kind; and the anchors."""
    return [*sorted(named_words(tree)), *OTHERS, START, END]


def reads_exactly(symbols: Sequence[Symbol]) -> Reads:
    """The symbols that a leaf reads, `$`, `%` and `&` spelled out."""
    return lambda leaf: [symbol for symbol in symbols if oracles.leaf_reads(leaf, symbol)]


def letters_of(symbols: Sequence[Symbol]) -> Letters:
    return {symbol: _FIRST_LETTER + number for number, symbol in enumerate(symbols)}


# automata-lib


def expression(node: Node, letters: Letters, reads: Reads) -> str:
    """A regular expression over letters; repeats are written out, as `a{0}` is misread by the library."""
    if isinstance(node, Concat):
        return "".join(f"({expression(part, letters, reads)})" for part in node.parts)
    if isinstance(node, Choice):
        return "|".join(f"({expression(option, letters, reads)})" for option in node.options)
    if isinstance(node, Repeat):
        inner = f"({expression(node.inner, letters, reads)})"
        further = inner + "*" if node.most is None else f"({inner}?)" * (node.most - node.least)
        return inner * node.least + further or "()"
    if isinstance(node, Capture | Tagged):
        return expression(node.inner, letters, reads)
    if isinstance(node, Empty):
        return "()"
    return "|".join(chr(letters[symbol]) for symbol in reads(node)) or "()"


def minimal(nfa: NFA) -> DFA:
    """The minimal machine without a dead state."""
    return DFA.from_nfa(nfa).minify().to_partial()


def pseudo_by_automata_lib(tree: Node) -> DFA:
    letters = letters_of(pseudo_symbols(tree))
    alphabet = {chr(letter) for letter in letters.values()}
    return minimal(NFA.from_regex(expression(tree, letters, symbol_of), input_symbols=alphabet))


def exact_by_automata_lib(tree: Node, symbols: Sequence[Symbol] = ()) -> DFA:
    """The words that the tree reads between BOS and EOS, either of which may be missing."""
    symbols = list(symbols) or exact_symbols(tree)
    if isinstance(tree, ButNot):
        kept, removed = (exact_by_automata_lib(part, symbols).to_complete() for part in (tree.inner, tree.excluded))
        return kept.difference(removed).minify().to_partial()
    letters = letters_of(symbols)
    alphabet = {chr(letter) for letter in letters.values()}
    start, end = chr(letters[START]), chr(letters[END])
    anywhere = NFA.from_regex(expression(tree, letters, reads_exactly(symbols)), input_symbols=alphabet)
    words = "|".join(sorted(alphabet - {start, end}))
    framed = NFA.from_regex(f"{start}*({words})*{end}*", input_symbols=alphabet)
    both = DFA.from_nfa(anywhere).intersection(DFA.from_nfa(framed))
    silent = {
        state: _merged({"" if letter in (start, end) else letter: {target}} for letter, target in row.items())
        for state, row in both.transitions.items()
    }
    return minimal(
        NFA(
            states=set(both.states),
            input_symbols=alphabet - {start, end},
            transitions=silent,
            initial_state=both.initial_state,
            final_states=set(both.final_states),
        )
    )


def _merged(rows: object) -> dict[str, set]:
    merged: dict[str, set] = {}
    for row in rows:
        for letter, targets in row.items():
            merged.setdefault(letter, set()).update(targets)
    return merged


def as_automata_lib(rows: Sequence[dict[Symbol, int]], finals: frozenset[int], letters: Letters) -> DFA:
    """One of our machines, given as next states by symbol."""
    return DFA(
        states=set(range(len(rows))),
        input_symbols={chr(letter) for symbol, letter in letters.items()},
        transitions={
            state: {chr(letters[symbol]): target for symbol, target in row.items()} for state, row in enumerate(rows)
        },
        initial_state=0,
        final_states=set(finals),
        allow_partial=True,
    )


# pynini; imported by the caller, as it exists for Linux only


def pynini_acceptor(pynini: object, node: Node, letters: Letters, reads: Reads) -> object:
    """The tree as an acceptor over letters, put together by the library's own operations."""
    if isinstance(node, Concat):
        parts = [pynini_acceptor(pynini, part, letters, reads) for part in node.parts]
        return reduce(pynini.concat, parts)
    if isinstance(node, Choice):
        return pynini.union(*(pynini_acceptor(pynini, option, letters, reads) for option in node.options))
    if isinstance(node, Repeat):
        inner = pynini_acceptor(pynini, node.inner, letters, reads)
        further = inner.star if node.most is None else pynini.closure(inner, 0, node.most - node.least)
        repeated = [inner] * node.least + ([further] if node.most != node.least else [])
        return reduce(pynini.concat, repeated) if repeated else pynini.accep("")
    if isinstance(node, Capture | Tagged):
        return pynini_acceptor(pynini, node.inner, letters, reads)
    if isinstance(node, Empty):
        return pynini.accep("")
    symbols = reads(node)
    return pynini.union(*(_letter(pynini, letters[symbol]) for symbol in symbols)) if symbols else pynini.Fst()


def _letter(pynini: object, letter: int) -> object:
    acceptor = pynini.Fst()
    start, end = acceptor.add_state(), acceptor.add_state()
    acceptor.set_start(start).set_final(end)
    acceptor.add_arc(start, pynini.Arc(letter, letter, 0, end))
    return acceptor


def pynini_minimal(pynini: object, acceptor: object) -> object:
    return pynini.determinize(pynini.rmepsilon(acceptor)).connect().minimize()


def pseudo_by_pynini(pynini: object, tree: Node) -> object:
    letters = letters_of(pseudo_symbols(tree))
    return pynini_minimal(pynini, pynini_acceptor(pynini, tree, letters, symbol_of))


def exact_by_pynini(pynini: object, tree: Node, symbols: Sequence[Symbol] = ()) -> object:
    symbols = list(symbols) or exact_symbols(tree)
    if isinstance(tree, ButNot):
        kept, removed = (exact_by_pynini(pynini, part, symbols) for part in (tree.inner, tree.excluded))
        return pynini_minimal(pynini, pynini.difference(kept, removed))
    letters = letters_of(symbols)
    anywhere = pynini_acceptor(pynini, tree, letters, reads_exactly(symbols))
    words = pynini.union(*(_letter(pynini, letters[symbol]) for symbol in symbols if isinstance(symbol, str)))
    start, end = (_letter(pynini, letters[anchor]).star for anchor in (START, END))
    both = pynini.intersect(pynini.determinize(pynini.rmepsilon(anywhere)), start + words.star + end)
    silent = [(letters[START], 0), (letters[END], 0)]
    return pynini_minimal(pynini, both.relabel_pairs(ipairs=silent, opairs=silent))


def as_pynini(pynini: object, rows: Sequence[dict[Symbol, int]], finals: frozenset[int], letters: Letters) -> object:
    acceptor = pynini.Fst()
    acceptor.add_states(len(rows))
    acceptor.set_start(0)
    for state in finals:
        acceptor.set_final(state)
    for state, row in enumerate(rows):
        for symbol, target in row.items():
            acceptor.add_arc(state, pynini.Arc(letters[symbol], letters[symbol], 0, target))
    return acceptor
