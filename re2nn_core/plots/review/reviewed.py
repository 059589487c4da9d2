"""What a review page shows, as plots read it; services/rule_review/review_document.py makes it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, Protocol

from re2nn_core.automata.differences.difference import MachineDifference
from re2nn_core.plots.review.change_html import RulePiece
from re2nn_core.plots.review.change_verdict import Weak
from re2nn_core.plots.review.condition_lines import ChangedCondition
from re2nn_core.plots.review.overridden import OverriddenLogic
from re2nn_core.plots.review.pattern_table import BetterWithout, Counts, PatternRow


class MarkedCharacters(Protocol):
    """The characters `[start, end)` of a text; `kind` is how they are marked."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def kind(self) -> str: ...

    @property
    def note(self) -> str: ...


class Text(Protocol):
    """A text, what is predicted for it before and after, and what is annotated."""

    @property
    def text(self) -> str: ...

    @property
    def split(self) -> str: ...

    @property
    def before(self) -> str: ...

    @property
    def after(self) -> str: ...

    @property
    def gold(self) -> str | None: ...

    @property
    def marks(self) -> Sequence[MarkedCharacters]: ...


class TextRows(Protocol):
    """`count` texts, of which some are shown."""

    @property
    def count(self) -> int: ...

    @property
    def shown(self) -> Sequence[Text]: ...


class FiguresOfSplit(Protocol):
    """The figures of a split, as shares of 1."""

    @property
    def split(self) -> str: ...

    @property
    def texts(self) -> int: ...

    @property
    def written(self) -> float | None: ...

    @property
    def network(self) -> float | None: ...

    @property
    def reconstructed(self) -> float | None: ...


class MeasuredPatterns(Protocol):
    """The patterns of a new rule, and without which of them it is better, if any."""

    @property
    def rows(self) -> Sequence[PatternRow]: ...

    @property
    def better(self) -> BetterWithout | None: ...


class LeftOut(Protocol):
    """What was learned for a new rule and is left out of its recommended form; what the rule does with it."""

    @property
    def better(self) -> BetterWithout: ...

    @property
    def learned(self) -> Counts: ...


class WithOthers(Protocol):
    """What a change does with other ones, as in `ChangeFigures`."""

    @property
    def repairs(self) -> Sequence[tuple[str, int, bool]]: ...

    @property
    def repaired(self) -> Sequence[tuple[str, int]]: ...

    @property
    def safely(self) -> Literal["", "up", "thin"]: ...


class ShownChange(Protocol):
    """A change of a rule."""

    @property
    def name(self) -> str: ...

    @property
    def groups(self) -> Sequence[str]: ...

    @property
    def new(self) -> bool: ...

    @property
    def pieces(self) -> Sequence[RulePiece]: ...

    @property
    def difference(self) -> MachineDifference | None: ...

    @property
    def refusal(self) -> str: ...

    @property
    def fixed(self) -> TextRows: ...

    @property
    def broken(self) -> TextRows: ...

    @property
    def other(self) -> TextRows: ...

    @property
    def held_fixed(self) -> int: ...

    @property
    def held_broken(self) -> int: ...

    @property
    def weak(self) -> Weak: ...

    @property
    def gain(self) -> float | None: ...

    @property
    def words_elsewhere(self) -> Collection[str]: ...

    @property
    def around(self) -> Mapping[str, str] | None: ...

    @property
    def conditions(self) -> Sequence[ChangedCondition]: ...

    @property
    def patterns(self) -> MeasuredPatterns | None: ...

    @property
    def left_out(self) -> LeftOut | None: ...

    @property
    def overridden(self) -> OverriddenLogic | None: ...

    @property
    def beside(self) -> WithOthers: ...

    @property
    def only_before(self) -> str | None: ...

    @property
    def only_after(self) -> str | None: ...

    @property
    def state(self) -> str: ...

    @property
    def by(self) -> str: ...

    @property
    def edited(self) -> str: ...


class Document(Protocol):
    """A whole review."""

    @property
    def title(self) -> str: ...

    @property
    def subject(self) -> str: ...

    @property
    def tagging(self) -> bool: ...

    @property
    def measure(self) -> str: ...

    @property
    def figures(self) -> Sequence[FiguresOfSplit]: ...

    @property
    def split(self) -> str: ...

    @property
    def held_name(self) -> str: ...

    @property
    def rules(self) -> Sequence[ShownChange]: ...

    @property
    def seen(self) -> Collection[str] | None: ...

    @property
    def notes(self) -> Sequence[str]: ...
