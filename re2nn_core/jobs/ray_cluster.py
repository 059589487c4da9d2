"""Ray (the extra `ray`): processes of this computer or of a cluster. Nothing of it is loaded before it is asked for."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from re2nn_core.errors import InputError, UnavailableError

ADDRESS_VARIABLE = "RAY_ADDRESS"  # Ray's own
GPU = "cuda"  # the device of a training that asks for one
A_CORE: Mapping[str, int] = MappingProxyType({"num_cpus": 1, "num_gpus": 0})
_HERE = "local"  # Ray's word for one that it starts itself
_OBJECTS = 256 << 20  # bytes of Ray's own memory on this computer: what goes through it are names and small values
_SECONDS = 5  # that a cluster has to reply


@dataclass(frozen=True)
class RayCluster:
    """`address`: HOST:PORT, ray://HOST:PORT or auto; None: a Ray that this computer starts for itself."""

    address: str | None = None

    def check(self) -> None:
        """InputError where nobody listens at the address, UnavailableError where Ray is not installed."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # what ends the work comes as an error
        try:
            import ray  # noqa: F401 - whether it can be used
        except ImportError:
            raise UnavailableError("--engine ray needs Ray. Install it: pip install 're2nn-studio[ray]'") from None
        if self.address is not None:
            _refuse_missing(self.address)

    @contextmanager
    def connected(self, workers: int | None) -> Iterator[int]:
        """Ray, and how many processes it has room for: `workers`, or as many as there are cores. InputError where it
        cannot be used, UnavailableError where it is not installed."""
        self.check()
        _start(self.address, workers)
        import ray

        try:
            with redirect_stdout(sys.stderr):  # where Ray reports a process that died
                yield workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        finally:
            ray.shutdown()


def places_of(device: object) -> Mapping[str, int]:
    """What a training takes of the Ray that is connected: a core, and a GPU where its settings ask for one. InputError
    where there is none: Ray itself would wait for one."""
    import ray

    if device != GPU:
        return A_CORE
    if not ray.cluster_resources().get("GPU"):
        raise InputError(
            f"No computer of the Ray cluster has a GPU, which --device {GPU} asks for. Start Ray on one that has, or "
            "leave --device out to train on cores."
        )
    return {**A_CORE, "num_gpus": 1}


def keep_to_own_gpu() -> None:
    """In a process of Ray: see no GPU but the one that was asked for. A training that takes what there is would share
    one with others, of which Ray knows nothing."""
    import ray

    if not ray.get_gpu_ids():
        os.environ["CUDA_VISIBLE_DEVICES"] = ""


def cluster_at(address: str | None) -> RayCluster:
    """The cluster at an address; None: the one that RAY_ADDRESS names, or else a Ray of this computer."""
    named = address or os.environ.get(ADDRESS_VARIABLE, "").strip()
    return RayCluster(None if named in ("", _HERE) else named)


def _start(address: str | None, workers: int | None) -> None:
    import ray

    here: dict[str, Any] = {
        "address": _HERE,
        "num_cpus": workers,
        "include_dashboard": False,
        "object_store_memory": _OBJECTS,
    }
    if address is not None:
        here = {"address": address}
    try:
        ray.init(**here, log_to_driver=False, logging_level=logging.CRITICAL)
    except (ConnectionError, RuntimeError, ValueError, ImportError) as error:
        where = "Ray does not start here" if address is None else f"No Ray cluster can be used at {address}"
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise InputError(f"{where}: {why}\n{_ADVICE}") from None


_ADVICE = "Start a cluster with `ray start --head`, or name no address to use this computer alone."


def _refuse_missing(address: str) -> None:
    """InputError where nobody listens: Ray itself would try for minutes."""
    if address == "auto":
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise InputError(f"The address {address} names no port. Expected: HOST:PORT, as in 10.0.0.5:6379, or auto.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise InputError(f"There is no Ray cluster at {address}: {error}.\n{_ADVICE}") from None
