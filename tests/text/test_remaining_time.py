"""How long work still takes: it falls while a step is at work, and says so when one takes too long."""

from __future__ import annotations

import pytest

from re2nn_core.text.remaining_time import duration_in_words, remaining_time

_MINUTES = (120.0,) * 7  # seven steps of two minutes


@pytest.mark.parametrize(
    ("steps", "since", "said"),
    [
        (_MINUTES, 0, "about 14 minutes left"),
        (_MINUTES, 60, "about 13 minutes left"),
        (_MINUTES, 119, "about 12 minutes left"),
        (_MINUTES, 152, "about 12 minutes left"),
        (_MINUTES, 153, "longer than expected, at least 12 minutes left"),
        (_MINUTES, 9000, "longer than expected, at least 12 minutes left"),
        ((120.0,), 110, "about 10 seconds left"),
        ((120.0,), 130, "about 1 second left"),
        ((120.0,), 200, "longer than expected"),
        ((0.1,), 1.5, "about 1 second left"),
        ((60.0, 3600.0), -500, "about 61 minutes left"),
        ((), 5, "about 1 second left"),
    ],
)
def test_what_is_left_is_as_of_now(steps: tuple[float, ...], since: float, said: str) -> None:
    assert remaining_time(steps, since).in_words() == said


def test_it_never_rises_while_a_step_is_at_work() -> None:
    reported = [remaining_time((30.0, 200.0, 5.0), since).seconds for since in range(0, 400, 7)]
    assert reported == sorted(reported, reverse=True)
    assert reported[0] == 235.0
    assert reported[-1] == 205.0


def test_an_upper_bound_is_called_one() -> None:
    assert remaining_time((45.0,), 0).in_words("at most") == "at most 45 seconds left"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 second"), (600, "10 minutes"), (7200, "2.0 hours"), (400_000, "4.6 days")]
)
def test_time_as_people_say_it(seconds: float, words: str) -> None:
    assert duration_in_words(seconds) == words
