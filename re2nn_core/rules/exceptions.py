"""What may stand between `[^` and `]` and behind `but not`, and what is said where something else does."""

from __future__ import annotations

import re

from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tree import (
    EXCEPTED,
    Any,
    Choice,
    Node,
    SentenceEnd,
    SentenceStart,
    Tagged,
)

EMPTY = ("'[^ ]' leaves out no word", "Write the words to leave out, as in [^ a b ], or $ for any one word.")
UNCLOSED = ("'[^' is never closed", "Write ] behind the last word to leave out, as in [^ a b ].")
NESTED = ("[^ ... ] is inside [^ ... ]", "Leave the inner one out: list the words themselves, as in ( a | b ).")
GROUPED = ("'(' is inside [^ ... ]", "Write the words one after the other, without parentheses: [^ a b ].")
CAPTURED = ("a capture is inside [^ ... ]", "Put the capture around it: [ [^ a b ] ]<slot>.")
REPEATED = ("'{}' repeats inside [^ ... ]", "Write it behind the ]: [^ a b ]{}.")
TAGGED = ("'{}' tags inside [^ ... ]", "Write the tag behind the ]: [^ a b ]<:>slot.")
SLOT_BEHIND = ("'{}' names a slot, but [^ ... ] captures nothing by itself", "Put a capture around it: [ [^ {} ] {}.")

NOTHING_BEFORE = (
    "there is nothing before 'but not'",
    "Write the texts to match in front: $* flight $* but not ( $* back $* ).",
)
NOTHING_EXCLUDED = ("'but not ( )' leaves out nothing", "Write what is to be left out: but not ( $* back $* ).")
NOT_LAST = (
    "something follows 'but not ( ... )', which ends a rule",
    'Put it last; for the words themselves write "but" not ( ... ).',
)
NOT_WHOLE = (
    "'but not' is inside a group, a capture or 'but not ( ... )'",
    'It comes at the end of a rule: a b but not ( c ). For the words themselves write "but" not ( ... ).',
)
SPANS_EXCLUDED = (
    "a capture or a tag is inside 'but not ( ... )'",
    "Leave it out there: a text that is left out has no spans.",
)

CHARACTER_RANGE = re.compile(r"\w*(?:\w-\w)+\w*")
RANGE = (
    "'{}' is read as a word to leave out, not as a range of characters",
    "Rules match words: list the words to leave out, as in [^ a b ], or % for numbers.",
)


def not_excepted(node: Node) -> tuple[str, str] | None:
    """What is wrong with a part between `[^` and `]`, and what to write; None for a word, `%`, `&` or a class."""
    if isinstance(node, EXCEPTED):
        return None
    if isinstance(node, Any):
        return "$ is inside [^ ... ], which leaves out every word", "Write the words to leave out: [^ a b ]."
    if isinstance(node, SentenceStart | SentenceEnd):
        text = print_expression(node)
        return f"{text} is inside [^ ... ], but it reads no word", f'Write "{text}" in quotes for the word itself.'
    if isinstance(node, Tagged):
        return TAGGED[0].format(print_expression(node)), TAGGED[1]
    return None


def more_than_words(tree: Node) -> str | None:
    """The first alternative of an expanded class that [^ ... ] cannot leave out, since it is not one word; None where
    there is none."""
    options = tree.options if isinstance(tree, Choice) else (tree,)
    return next((print_expression(option) for option in options if not isinstance(option, EXCEPTED)), None)
