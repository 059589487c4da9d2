"""How many expressions for letters of words a file can have: what is said at the limit, and before it.

Expressions for what is anywhere in a word hold in every combination, each of which is a class of words of its own, so
that their classes double with each one more. Those of one alternative are better written as one expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.rules.tree import Choice, WordPattern, walk
from re2nn_core.text.counting import counted
from re2nn_core.text.word_patterns.classes import MOST_STATES

NEAR_THE_LIMIT = 7  # expressions for what is anywhere in a word; some eight or nine are too many
# A bar outside of brackets would divide the whole expression.
_ANYWHERE = re.compile(r'glob"\*([^*?"\\]+)\*"|re"\.\*([^"\\|]+|\([^()"\\]+\))\.\*"')
_LONGEST = 400  # characters of what is to be written instead


def too_many(ruleset: RuleSet) -> tuple[str, str]:
    """What is wrong where the classes cannot be listed, and what to do."""
    message = (
        f"the file has {counted(len(ruleset.patterns), 'expression')} for letters of words, of which the first are "
        f"here, and they hold in too many combinations, each a class of words of its own: more than {MOST_STATES:,} "
        'states are needed. Some eight of the form glob"*book*" fit in one file'
    )
    return message, f"{_joined(ruleset.rules)} Or list the words that are meant."


def nearly_too_many(ruleset: RuleSet) -> tuple[str, str] | None:
    """What to know of a file that has nearly as many as it can have; None of any other."""
    anywhere = sum(_ANYWHERE.fullmatch(pattern) is not None for pattern in ruleset.patterns)
    if anywhere < NEAR_THE_LIMIT:
        return None
    message = (
        f"the file has {anywhere} expressions for letters anywhere in a word, of which the first are here; some eight "
        "fit, and each more takes twice the time"
    )
    return message, _joined(ruleset.rules)


def _joined(rules: Iterable[Rule]) -> str:
    """How those of one alternative are written as one."""
    choices = (node for rule in rules for node in walk(rule.expanded) if isinstance(node, Choice))
    most = max((_parts(one) for one in choices), key=len, default={})
    if len(most) < 2:
        return 'Join those of one meaning: re".*(book|reserv).*" for glob"*book*" and glob"*reserv*".'
    joined = f're".*({"|".join(most.values())}).*"'
    if len(joined) > _LONGEST:
        return f'Join those of one rule in the form re".*(book|reserv).*", {_LONGEST} characters at a time.'
    return f"Write {joined} in place of {' | '.join(most)}."


def _parts(choice: Choice) -> dict[str, str]:
    """The expressions among alternatives that look for something anywhere in a word, with what that is."""
    found: dict[str, str] = {}
    for option in choice.options:
        if isinstance(option, WordPattern) and (match := _ANYWHERE.fullmatch(option.text)):
            found[option.text] = re.escape(match.group(1)) if match.group(1) else match.group(2)
    return found
