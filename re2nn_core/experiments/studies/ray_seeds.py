"""The seeds of an experiment trained by processes of Ray, a core each; a training whose process died begins again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from re2nn_core.errors import Cancelled, InputError, Re2nnError
from re2nn_core.experiments.result_tables.result_file import Spread
from re2nn_core.jobs.ray_cluster import RayCluster

_LOOK_SECONDS = 0.5
_RETRIES = 3  # of a training whose process died


@contextmanager
def seeds_by(cluster: RayCluster | None) -> Iterator[Spread | None]:
    """What runs seeds by the cluster; None without one. InputError, UnavailableError where Ray cannot be used."""
    if cluster is None:
        yield None
        return
    with cluster.connected(None):
        yield _by_ray


def _by_ray(run: Callable[[int], Any], seeds: Sequence[int], should_stop: Callable[[], bool]) -> Iterator[Any]:
    import ray
    from ray.exceptions import RayError

    # `run` holds the texts, which go to the cluster once.
    held, train = ray.put(run), ray.remote(num_cpus=1, max_retries=_RETRIES)(_trained)
    at_work = [train.remote(held, seed) for seed in seeds]
    while at_work:
        if should_stop():
            for called in at_work:
                ray.cancel(called)
            raise Cancelled("the experiment was stopped")
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


def _trained(run: Callable[[int], Any], seed: int) -> Any:
    return run(seed)
