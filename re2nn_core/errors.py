"""Everything that can go wrong, as one tree.

    Re2nnError
    ├── InputError              something the user gave cannot be used
    │   ├── FaultsError         a text with faults at known places; holds them all
    │   │   ├── RuleError       a rule file or a rule
    │   │   └── LogicError      label logic: formulas, priorities, default label
    │   ├── SentencesError      rules that refuse what they must match, or match what they must not
    │   ├── DataFileError       a file of texts, labels or word vectors; the database
    │   │   ├── JsonError       a file or a line that is no JSON
    │   │   └── UnavailableError    a database that cannot be used for now; nothing was stored
    │   └── ModelError          a model folder that is missing, damaged or of another version
    ├── StateBudgetError        an automaton would grow past the budget
    │   └── SearchBudgetError   a search for a sentence would take more steps than the budget
    ├── TooLongError            a machine whose expression would be too long, or too deep, to be a rule
    ├── NotFoundError           a project, text, version or run that does not exist
    ├── ConflictError           somebody else changed the same thing first, or the name is taken
    │   └── LeaseLostError      a text was given to somebody else meanwhile
    ├── NotAllowedError         the person's role does not reach so far
    ├── SignInError             nobody is let in by this name and password, or not yet
    └── Cancelled               long work that was asked to stop

A message says what was given, where, what was expected and what to do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Messages quote what was given; a line of 400 KB, or a word of it, is quoted in part.
_LONG_WORD = re.compile(r"(\S{80})\S{40,}")
_LONGEST_TEXT, _LONGEST_LINE, _LONGEST_SIDE = 2_000, 400, 100
_MOST_RENDERED = 20


def shortened(text: str) -> str:
    """The text with what is left of long words and of a long text cut off, so that a message can be read."""
    text = _LONG_WORD.sub(r"\1…", text[: 20 * _LONGEST_TEXT])
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}…"


class Re2nnError(Exception):
    """Root of every error this package raises on purpose."""


class InputError(Re2nnError):
    """Something the user gave cannot be used; the message says how to fix it."""


@dataclass(frozen=True)
class Fault:
    """One fault at one place of a text.

    `line` and `column` count from 1; `width` is the number of characters at fault (at least 1);
    `source` is the whole line; `where` names the thing at fault ("rule 'book_flight'"), or is empty.
    """

    message: str
    line: int
    column: int
    source: str
    advice: str
    width: int = 1
    file: str = "<rules>"
    where: str = ""

    def __post_init__(self) -> None:
        for name in ("message", "advice", "where"):
            object.__setattr__(self, name, shortened(getattr(self, name)))

    def quoted(self) -> tuple[str, str, str]:
        """The source before, at and behind the place at fault; of a long line what stands around it."""
        source, start, end = self.source, self.column - 1, self.column - 1 + max(1, self.width)
        if len(source) <= _LONGEST_LINE:
            return source[:start], source[start:end], source[end:]
        first, cut, last = max(0, start - _LONGEST_SIDE), min(end, start + _LONGEST_SIDE), end + _LONGEST_SIDE
        return (
            ("…" if first else "") + source[first:start],
            source[start:cut] + ("…" if cut < end else ""),
            source[end:last] + ("…" if last < len(source) else ""),
        )

    def in_one_line(self) -> str:
        """The fault without its source, as one sentence or two."""
        who = f"{self.where}: " if self.where else ""
        return f"Line {self.line}: {who}{self.message}. {self.advice}"

    def render(self) -> str:
        """The fault as three or four lines: place and message, the source, a caret, the advice."""
        place = f"{self.file}:{self.line}:{self.column}"
        who = f"{self.where}: " if self.where else ""
        before, at, behind = self.quoted()
        pad = "".join("\t" if character == "\t" else " " for character in before)
        caret = pad + "^" * max(1, min(self.width, len(at) or self.width))
        return f"{place}: {who}{self.message}\n    {before}{at}{behind}\n    {caret}\n{self.advice}"


def rendered(faults: Sequence[Fault]) -> str:
    """The first faults, each with its line and a caret, and how many more there are: a table that was given as a rule
    file has two for each of its rows."""
    more = len(faults) - _MOST_RENDERED
    shown = "\n\n".join(fault.render() for fault in faults[:_MOST_RENDERED])
    return f"{shown}\n\n... and {more:,} more." if more > 0 else shown


class FaultsError(InputError):
    """A text with faults; `faults` holds all of them in the order of their places."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(rendered(self.faults))


class RuleError(FaultsError):
    """A rule file or a single rule that cannot be read."""


class LogicError(FaultsError):
    """Label logic that cannot be read or names what does not exist."""


class SentencesError(InputError):
    """Rules that refuse what they must match, or match what they must not; `failures` says each in a sentence."""

    def __init__(self, failures: Sequence[str]) -> None:
        self.failures = tuple(failures)
        super().__init__("\n".join(self.failures))


class DataFileError(InputError):
    """A file of texts, labels or word vectors that cannot be used."""


class JsonError(DataFileError, ValueError):
    """A file or a line that is no JSON, or not of the kind that is expected; the message is the reason alone."""


class UnavailableError(DataFileError):
    """A database that cannot be used for now: its server cannot be reached, or its disk is full. Nothing was stored."""


class ModelError(InputError):
    """A model folder that is missing, damaged or written by another version."""


_MANY_ENTRIES = 1_000  # alternatives of an expression that nobody has written as one
_SMALLER_COUNT = "Write a smaller count there, or `$*` in place of a long run of any words."
_SHORTER_LIST = (
    "Use a shorter list: entries of several words need a state for each first word with next words of its own. A list "
    "of single words needs one state, so two of them in a row, `@first@ @second@`, may do."
)


class StateBudgetError(Re2nnError):
    """An automaton would need more than `budget` states; `expression` is the part at fault. `in_short` is what stands
    beside the name of what was looked at."""

    def __init__(self, budget: int, expression: str, rule: str = "", what: str = "states") -> None:
        self.budget, self.expression, self.rule = budget, expression, rule
        who = f"rule '{rule}'" if rule else "the rule"
        entries = expression.count(" | ") + 1
        is_list = entries >= _MANY_ENTRIES
        part = f"a list of {entries:,} entries" if is_list else shortened(expression)
        super().__init__(
            f"{who} needs more than {budget:,} {what}. The part that multiplies them is: {part}\n"
            f"{_SHORTER_LIST if is_list else _SMALLER_COUNT}"
        )
        self.in_short = str(self)


SEARCH_STOPPED = "the search stopped at its budget"


class SearchBudgetError(StateBudgetError):
    """A search for a sentence through `where` would take more than `budget` steps."""

    def __init__(self, budget: int, where: str) -> None:
        super().__init__(budget, where)
        self.in_short = f"{SEARCH_STOPPED} of {budget:,} {'step' if budget == 1 else 'steps'}"
        self.args = (
            f"{self.in_short}, through {where}.\n"
            f"Compare one rule at a time, or give a larger budget: re2nn diff A B --budget {10 * max(budget, 1)}.",
        )


class TooLongError(Re2nnError):
    """A machine whose expression would be too long, or too deep, to be a rule; `why` says which, as what it "would
    have"."""

    def __init__(self, states: int, why: str, rule: str = "") -> None:
        self.states, self.why, self.rule = states, why, rule
        who = f"rule '{rule}'" if rule else "the rule"
        super().__init__(
            f"{who} has an automaton of {states:,} states that cannot be written as a rule: its expression would have "
            f"{why}.\nWrite a smaller count where the rule repeats most, as in {{0,20}}, or `$*` for any number of "
            "words, and train again; until then the rule stays as written."
        )


class NotFoundError(Re2nnError):
    """A project, text, version or run that does not exist."""


class ConflictError(Re2nnError):
    """The same thing was changed by somebody else first, or the name is taken."""


class LeaseLostError(ConflictError):
    """The time to judge a text ran out, and somebody else has it now."""


class NotAllowedError(Re2nnError):
    """The person's role does not reach so far; the message says which one does, and who the owners are."""


class SignInError(Re2nnError):
    """Nobody is let in by this name and password. `seconds`: how long the next attempt has to wait."""

    def __init__(self, message: str, seconds: float = 0.0) -> None:
        self.seconds = seconds
        super().__init__(message)


class Cancelled(Re2nnError):  # noqa: N818 - an answer to a request, not a failure
    """Long work stopped because it was asked to."""
