"""Words of rules that a tokenizer cuts into several, so that no text of that tokenizer ever holds them.

    $* 春节 $*     under `characters`, whose texts hold 春 and 节     write   $* 春 节 $*
    $* 7:15 $*    under `punctuation`, whose texts hold 7, : and 15  write   $* 7 : 15 $*

A rule with such a word is read without a fault and never fires, so each of them is worth a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from re2nn_core.errors import Fault
from re2nn_core.rules.lexer import ANCHORS, WORD, print_word, read_word, rule_tokens, spans
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.source import Problem, Written, joined_line
from re2nn_core.rules.tagging import slot_of
from re2nn_core.rules.tree import named_words
from re2nn_core.rules.warnings.checks import NEVER
from re2nn_core.rules.warnings.misspelt import misspelt
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.tokenization import tokenize as cut_text
from re2nn_core.text.word_patterns.classes import is_class_word


def words_the_tokenizer_cuts(ruleset: RuleSet, tokenizer: Tokenization, *, file: str = "<rules>") -> tuple[Fault, ...]:
    """A warning for each word of a rule or class that the tokenizer cuts, with its place, the pieces, and what to write
    instead. InputError where the tokenizer is jieba, which is missing."""
    cut: dict[str, tuple[str, ...]] = {}
    found: list[Fault] = []
    for entry in ruleset.entries:
        words = frozenset(word for word in named_words(entry.tree) if not is_class_word(word))
        for word in words:
            if word not in cut:  # `words - cut.keys()` would walk through all words of the file, once a rule
                cut[word] = tuple(word[piece.start : piece.end] for piece in cut_text(word, tokenizer))
        if any(len(cut[word]) > 1 for word in words):
            written = entry.written or _printed(entry)
            where = f"class '@{entry.name}@'" if isinstance(entry, WordClass) else f"rule '{entry.name}'"
            problems = _problems(written, cut, tokenizer)
            found.extend(written.line.fault(problem, file=file, where=where) for problem in problems)
    return tuple(sorted(found, key=lambda fault: (fault.line, fault.column)))


def _printed(entry: Rule | WordClass) -> Written:
    """The place of what comes from no file: as it would be written."""
    return Written(joined_line([print_expression(entry.tree)], max(1, entry.line)), 0)


def _problems(written: Written, cut: dict[str, tuple[str, ...]], tokenizer: Tokenization) -> Iterator[Problem]:
    text = " " * written.body + written.line.text[written.body :]
    tokens = rule_tokens(text)
    # An operator that is misspelt has its own warning, and its pieces are not what is meant.
    meant = [(problem.offset, problem.offset + problem.width) for problem in misspelt(text)]
    for number, (start, end) in enumerate(spans(text)):
        token = tokens[number]
        if token.startswith("//"):
            return
        if token in ANCHORS or not (token[0] == '"' or WORD.fullmatch(token)):
            continue
        if any(first <= start < last for first, last in meant):
            continue
        word = read_word(token)
        pieces = cut.get(word, ())
        if len(pieces) > 1:
            yield Problem(
                start,
                end - start,
                f"'{word}' {NEVER}: the tokenizer '{tokenizer.kind}' cuts it into {len(pieces)} words, "
                + " ".join(pieces),
                f"Write {_instead(pieces, tokens[number + 1 :])}: a rule names words as the tokenizer cuts the texts.",
            )


def _instead(pieces: Sequence[str], behind: Sequence[str]) -> str:
    """The pieces as a rule holds them; `behind` are the tokens that follow: a tag or a repeat of the word perhaps."""
    named = [print_word(piece) for piece in pieces]
    if behind and behind[0].startswith("<:>"):
        tag = behind[0][3:]
        slot, goes_on = slot_of(tag), tag[:2].upper() == "I-"
        tags = [tag if slot is None else f"{'I' if place or goes_on else 'B'}-{slot}" for place in range(len(named))]
        named = [f"{piece}<:>{of}" for piece, of in zip(named, tags, strict=True)]
        behind = behind[1:]
    repeat = behind[0] if behind and behind[0][0] in "*+?{" else ""
    return f"( {' '.join(named)} ){repeat}" if repeat else " ".join(named)
