"""What a training takes of a Ray cluster: a GPU where its settings ask for one, else a core."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from re2nn_core.errors import InputError
from re2nn_core.experiments.studies.ray_seeds import seeds_by
from re2nn_core.jobs.ray_cluster import RayCluster

pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore"),  # of Ray's own
]


@contextmanager
def started(**resources: int) -> Iterator[RayCluster]:
    """A cluster of one computer with such resources, whether it has them or not."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 're2nn-studio[ray]'")
    from ray.cluster_utils import Cluster

    cluster = Cluster(True, head_node_args={"include_dashboard": False, "object_store_memory": 100 << 20, **resources})
    try:
        yield RayCluster(cluster.address)
    finally:
        cluster.shutdown()


def taken(seed: int) -> tuple[int, dict[str, float], str | None]:
    """What a training was given."""
    import ray

    found = ray.get_runtime_context().get_assigned_resources()
    return seed, {name: found[name] for name in ("CPU", "GPU") if name in found}, os.environ["CUDA_VISIBLE_DEVICES"]


def test_a_training_takes_a_gpu_where_its_settings_ask_for_one() -> None:
    with started(num_cpus=2, num_gpus=1) as cluster:
        for device, given in (
            ("cuda", ({"CPU": 1.0, "GPU": 1.0}, "0")),
            (None, ({"CPU": 1.0}, "")),
        ):
            with seeds_by(cluster, device) as spread:
                assert spread is not None
                found = sorted(spread(taken, range(3), lambda: False))
            assert found == [(seed, *given) for seed in range(3)]


def test_a_gpu_that_no_computer_has_is_reported_before_the_first_training() -> None:
    reported = "No computer of the Ray cluster has a GPU, which --device cuda asks for. Start Ray on one that has, or "
    with (
        started(num_cpus=1, num_gpus=0) as cluster,
        pytest.raises(InputError, match=reported),
        seeds_by(cluster, "cuda"),
    ):
        pass
