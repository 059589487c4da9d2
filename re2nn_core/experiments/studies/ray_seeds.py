"""Trainings run by processes of Ray, a core or a GPU each; one whose process died begins again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from re2nn_core.errors import Cancelled, InputError, Re2nnError
from re2nn_core.experiments.result_tables.result_file import Spread
from re2nn_core.jobs.ray_cluster import A_CORE, RayCluster, keep_to_own_gpu, places_of

_LOOK_SECONDS = 0.5
_RETRIES = 3  # of a training whose process died
Wanted = TypeVar("Wanted")  # what a training is asked for by


@contextmanager
def seeds_by(cluster: RayCluster | None, device: str | None = None) -> Iterator[Spread | None]:
    """What runs seeds by the cluster, on the device of their settings; None without one. InputError, UnavailableError
    where Ray cannot be used."""
    if cluster is None:
        yield None
        return
    with cluster.connected(None):
        yield partial(trained_by_ray, places=places_of(device))


def trained_by_ray(
    run: Callable[[Wanted], Any],
    wanted: Sequence[Wanted],
    should_stop: Callable[[], bool],
    *,
    places: Mapping[str, int] = A_CORE,
) -> Iterator[Any]:
    """What `run` gives for each, as they are done, by the Ray that is connected. `places`: what each takes of it.
    Cancelled; InputError where Ray cannot go on."""
    import ray
    from ray.exceptions import RayError

    # `run` holds the texts, which go to the cluster once.
    held = ray.put(run)
    remote: Any = ray.remote
    train = remote(**places, max_retries=_RETRIES)(_trained)
    at_work = [train.remote(held, one) for one in wanted]
    while at_work:
        if should_stop():
            for called in at_work:
                ray.cancel(called)
            raise Cancelled("the trainings were stopped")
        done, at_work = ray.wait(at_work, timeout=_LOOK_SECONDS)
        for called in done:
            try:
                yield ray.get(called)
            except RayError as error:
                cause = getattr(error, "cause", None)
                if isinstance(cause, Re2nnError):
                    raise cause from None
                why = str(cause or error).strip().splitlines()[-1]
                raise InputError(f"Ray could not finish: {why}\nRun the same command to continue.") from None


def _trained(run: Callable[[Wanted], Any], wanted: Wanted) -> Any:
    keep_to_own_gpu()
    return run(wanted)
