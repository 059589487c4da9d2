"""Few at once, in the order in which they came."""

from __future__ import annotations

import threading
import time

import pytest

from re2nn_core.store.engine.fair_semaphore import InTurn


@pytest.mark.parametrize("limit", [1, 3])
def test_no_more_than_so_many_are_at_work_and_those_who_wait_come_in_order(limit: int) -> None:
    line, go, counting = InTurn(limit), threading.Event(), threading.Lock()
    at_work, most, order = 0, 0, []

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
    assert order == list(range(limit))
    go.set()
    for thread in threads:
        thread.join(10)
    assert most == limit
    assert sorted(order) == list(range(8))
    if limit == 1:  # else two who were let in one after the other may write themselves down in any order
        assert order == list(range(8))


def test_one_that_fails_makes_room() -> None:
    line = InTurn(1)
    for _ in range(3):
        with pytest.raises(ValueError, match="no"), line.one():
            raise ValueError("no")
    with line.one():
        pass
