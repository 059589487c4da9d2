"""What services do on behalf of whoever works in this session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.services.values.stored import Store

P = ParamSpec("P")
R = TypeVar("R")


def acting(work: Callable[Concatenate[Store, str, P], R]) -> Callable[P, R]:
    """The work, done in the open store, under the name that the session has at that moment. Good as a callback."""

    def done(*args: P.args, **kwargs: P.kwargs) -> R:
        return work(store(), state.person(), *args, **kwargs)

    return done
