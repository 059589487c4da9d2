"""How often predictions of one kind were right on labelled texts, and how far that can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from re2nn_core.text.counting import counted

LEVEL = 0.95


@dataclass(frozen=True)
class Precision:
    """`correct` of `texts` labelled texts (at least one) got their label.

    Shares and the ends of the interval are from 0 to 1.
    """

    correct: int
    texts: int

    @property
    def share(self) -> float:
        """The measured precision."""
        return self.correct / self.texts

    @property
    def low(self) -> float:
        """The lower end of its 95% interval."""
        return _interval(self.correct, self.texts)[0]

    @property
    def high(self) -> float:
        """The upper end of its 95% interval."""
        return _interval(self.correct, self.texts)[1]

    @property
    def in_words(self) -> str:
        """`precision 0.93 (0.81 to 0.98), 42 texts`."""
        return f"precision {self.figures}"

    @property
    def figures(self) -> str:
        """The same without its name, as a column headed by it shows it."""
        return f"{self.share:.2f} ({self.low:.2f} to {self.high:.2f}), {counted(self.texts, 'text')}"


def precision_of(correct: int, texts: int) -> Precision | None:
    """The precision, None where no text was measured on."""
    return Precision(correct, texts) if texts else None


@lru_cache(maxsize=4096)
def _interval(correct: int, texts: int) -> tuple[float, float]:
    """Wilson's interval, which holds for few texts and for shares of 0 and 1 too."""
    from scipy.stats import binomtest  # takes a second, which most pages need not wait for

    found = binomtest(correct, texts).proportion_ci(confidence_level=LEVEL, method="wilson")
    return float(found.low), float(found.high)
