"""What an edit gains, as a figure and in words, so that tables and sentences say the same of the same texts."""

from __future__ import annotations

from re2nn_core.text.counting import counted

WHERE = "in labelled train and dev texts"


def signed(right: int) -> str:
    """A gain as tables show it: so many right answers more, or mistakes fewer."""
    return f"{right:+,}" if right else "0"


def gain_told(right: int, *, slots: bool) -> str:
    """The same in words: `+6 right answers in labelled train and dev texts`; of slots `+6, so many mistakes fewer`."""
    if not right:
        return f"0, as many {'mistakes' if slots else 'right answers'} as before {WHERE}"
    better = right > 0
    what = "mistake" if slots else "right answer"
    side = ("fewer" if better else "more") if slots else ("more" if better else "fewer")
    return f"{signed(right)}, that is {counted(abs(right), what)} {side} {WHERE}"
