"""What a rule says but hardly means: leftovers of character regexes, signs glued to words, invisible signs.

Everything here is read off the text of a rule, token by token. One search tells most rules to be free of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from re2nn_core.rules.lexer import (
    ANCHORS,
    INVISIBLE,
    SLOT_IN_WORD,
    TOKEN,
    TYPOGRAPHIC_QUOTES,
    WIDE_OPERATORS,
    WORD,
    spans,
)
from re2nn_core.rules.source import Problem
from re2nn_core.text.word_form import composed

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_SUSPECT = re.compile(
    rf"""["^\\]|//|\w\(|(?<!\])<[\w.:/'\-]+>|\.[*+]|[^\s()|*+?$%&\[\]{{}}@"\\<>][$%&]|[$%&][^\s()|*+?$%&\[\]{{}}@"\\<>]"""
    rf"""|{_CONTROL.pattern}|{_INVISIBLE.pattern}|[{TYPOGRAPHIC_QUOTES}{"".join(WIDE_OPERATORS)}]"""
)
_Match = re.Match[str]
_GLUED_GROUP = re.compile(r"\((\w+(?:\|\w+)*)\)[?*+]?")
_LONGEST_ENDING = 2
_SIGN_MEANINGS = {"$": "any one word", "%": "a number", "&": "a punctuation token"}


def worth_a_look(text: str) -> bool:
    """False for nearly every rule: there is nothing in it that this module warns of."""
    return _SUSPECT.search(text) is not None


def faults(text: str) -> list[Problem]:
    """Signs that no rule may hold, and quotes glued to other words."""
    found = [_control(match) for match in _CONTROL.finditer(text)]
    tokens = list(TOKEN.finditer(text))
    for left, right in zip(tokens, tokens[1:], strict=False):
        glued = left.end() == right.start() and _is_word(left) and _is_word(right)
        if glued and '"' in (left.group()[0], right.group()[0]):
            found.append(
                Problem(
                    left.start(),
                    right.end() - left.start(),
                    "there is no blank between a quoted word and the next word",
                    "Put a blank between two words, or one pair of quotes around the whole word.",
                )
            )
    return found


def warnings(text: str) -> list[Problem]:
    """What is read, but hardly as it was meant."""
    tokens = list(TOKEN.finditer(text))
    found: list[Problem] = []
    for number, token in enumerate(tokens):
        before = tokens[number - 1] if number else None
        after = tokens[number + 1] if number + 1 < len(tokens) else None
        left = before if before and before.end() == token.start() else None
        right = after if after and after.start() == token.end() else None
        if token.group() in _SIGN_MEANINGS:
            found.extend(_glued_sign(token, left, right))
        elif WORD.fullmatch(token.group()):
            found.extend(_odd_word(token, right))
            found.extend(_slot_without_capture(token, left))
            found.extend(_endings(text, token))
    return found


def _is_word(token: _Match) -> bool:
    return token.group()[0] == '"' or WORD.fullmatch(token.group()) is not None


def _glued_sign(token: _Match, left: _Match | None, right: _Match | None) -> Iterator[Problem]:
    """`50%`, `AT&T`, `foo$`, `$5`."""
    before = left.group() if left and WORD.fullmatch(left.group()) else ""
    after = right.group() if right and WORD.fullmatch(right.group()) else ""
    if SLOT_IN_WORD.fullmatch(after):
        return  # told where it stands
    if not (before or after) or (right is not None and right.group()[0] in "*+?{"):
        return  # nothing glued, or plainly meant as an operator: ticket$*
    sign = token.group()
    end = "write EOS for the end of the sentence, " if sign == "$" and before and not after else ""
    start = token.start() - len(before)
    yield Problem(
        start,
        token.end() + len(after) - start,
        f"'{before}{sign}{after}' is read as {1 + bool(before) + bool(after)} words: "
        f"'{sign}' stands for {_SIGN_MEANINGS[sign]}",
        f"Put blanks around {sign} if that is meant; otherwise {end}write \\{sign} for the sign itself.",
    )


def _odd_word(token: _Match, right: _Match | None) -> Iterator[Problem]:
    """Words that look like parts of a character regex, like comments, or like operators of another script."""
    word, start = token.group(), token.start()
    if word.endswith(".") and not word.endswith("\\.") and right is not None and right.group() in "*+":
        sign = right.group()
        yield Problem(
            start,
            len(word) + 1,
            f"'{word}{sign}' is read as the word '{word}' repeated, not as any characters",
            "Rules read words, not characters: write $* for any words, or list the words meant as ( a | b ); "
            f'write "{word}"{sign} if this is what you mean.',
        )
    if word.startswith("^"):
        yield Problem(
            start,
            len(word),
            f"'{word}' is read as a word that begins with the sign '^'",
            "Write BOS for the start of the sentence, or \\^ for the sign itself.",
        )
    if re.search(r"(?<!:)//", word):
        yield Problem(
            start,
            len(word),
            f"'{word}' is read as one word: the // in it starts no comment",
            "Put a blank before // to start a comment, or quotes around the word.",
        )
    yield from _odd_signs(word, start)


def _endings(text: str, token: _Match) -> Iterator[Problem]:
    """`book(s|ing)`: one word in a character regex, two here. `how(far|long)` is two here as well, and meant so."""
    group = _GLUED_GROUP.match(text, token.end())
    if (
        group
        and token.group()[-1].isalnum()
        and any(len(ending) <= _LONGEST_ENDING for ending in group.group(1).split("|"))
    ):
        written = token.group() + group.group()
        yield Problem(
            token.start(),
            len(written),
            f"'{written}' is read as the word '{token.group()}' and a word after it, not as one word",
            f'Rules read words, not characters: write re"{written}" for one word, or a blank before ( for two.',
        )


def _slot_without_capture(token: _Match, left: _Match | None) -> Iterator[Problem]:
    """`( oslo )<city>`, `@city@<city>` and `oslo<city>`, which are read as words."""
    word, slot = token.group(), SLOT_IN_WORD.search(token.group())
    if slot is None or (slot.start() == 0 and (left is None or left.group() in "(|[")):
        return
    before = f"'{word}' after '{left.group()}'" if slot.start() == 0 and left is not None else f"'{word}'"
    words = word[: slot.start()] or "..."
    if left is not None and not word[: slot.start()] and left.group()[0] in "@$%&":
        words = left.group()
    yield Problem(
        token.start(),
        len(word),
        f"{before} is read as a word, and captures nothing",
        f"Write square brackets around the words of the slot: [ {words} ]{slot.group()}.",
    )


def _odd_signs(word: str, start: int) -> Iterator[Problem]:
    """Signs that nobody sees, and operators of another keyboard."""
    for match in _INVISIBLE.finditer(word):
        yield Problem(
            start + match.start(),
            1,
            f"the word holds an invisible sign (U+{ord(match.group()):04X})",
            "Remove it; otherwise the word will rarely match.",
        )
    quotes = [place for place, sign in enumerate(word) if sign in TYPOGRAPHIC_QUOTES] if len(word) > 1 else []
    if quotes:
        yield Problem(
            start + quotes[0],
            1,
            f"'{word[quotes[0]]}' is read as part of the word '{word}', not as a quote",
            'Write straight quotes, "word", or leave them out: only operators need quotes.',
        )
    for wide, sign in WIDE_OPERATORS.items():
        if wide in word:
            yield Problem(
                start + word.index(wide),
                1,
                f"'{wide}' is read as part of a word",
                f"Write {sign} for the operator, or quotes around the word.",
            )


def _control(match: _Match) -> Problem:
    return Problem(
        match.start(),
        1,
        f"the rule holds a control character (U+{ord(match.group()):04X})",
        "Remove it; the file may have been damaged, or it is no text file.",
    )


def capitals(text: str, tokens: list[str]) -> Problem | None:
    """A warning for the words in capitals, where texts are put in lower case; None where there are none."""
    found = [
        number
        for number, lexeme in enumerate(tokens)
        if lexeme.lower() != lexeme and lexeme not in ANCHORS and (lexeme[0] == '"' or WORD.fullmatch(lexeme))
    ]
    if not found:
        return None
    start, end = spans(text)[found[0]]
    word = tokens[found[0]]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return Problem(
        start,
        end - start,
        f"'{word}'{more} is read in lower case, as the texts of this project are",
        f'Write {word.lower()}; case"{word.strip(chr(34))}" where the capitals count.',
    )


def decomposed(text: str) -> Problem | None:
    """A warning for letters that are written as a letter and a mark; None where there are none."""
    for match in WORD.finditer(text):
        if (form := composed(match.group())) != match.group():
            return Problem(
                match.start(),
                match.end() - match.start(),
                f"'{match.group()}' is read as '{form}' (Unicode NFC), and so are the texts",
                "Nothing has to be done: the two are the same word.",
            )
    return None
