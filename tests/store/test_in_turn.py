"""Few at once, in the order in which they came."""

from __future__ import annotations

import threading
import time

import pytest

from re2nn_core.store.in_turn import InTurn


def test_no_more_than_so_many_are_at_work_and_those_who_wait_come_in_order() -> None:
    line, go = InTurn(2), threading.Event()
    at_work, most, order = 0, 0, []
    counting = threading.Lock()

    def work(number: int) -> None:
        nonlocal at_work, most
        with line.one():
            with counting:
                at_work += 1
                most = max(most, at_work)
                order.append(number)
            go.wait(10)
            with counting:
                at_work -= 1

    threads = []
    for number in range(8):
        threads.append(threading.Thread(target=work, args=(number,)))
        threads[-1].start()
        while len(order) + len(line._waiting) <= number:  # until this one is at work or in line
            time.sleep(0.001)
    assert order == [0, 1]
    go.set()
    for thread in threads:
        thread.join(10)
    assert most == 2
    assert sorted(order[:4]) == [0, 1, 2, 3], order
    assert len(order) == 8


def test_one_that_fails_makes_room() -> None:
    line = InTurn(1)
    for _ in range(3):
        with pytest.raises(ValueError, match="no"), line.one():
            raise ValueError("no")
    with line.one():
        pass
