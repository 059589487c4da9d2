"""Makes the helpers beside this file importable from every test: `from strategies import trees`."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings

_HERE = str(Path(__file__).parent)
if _HERE not in sys.path:
    sys.path.append(_HERE)

# How long one example takes says nothing on a busy machine, and the first one also loads libraries.
# In the continuous integration the same cases are drawn in each run: a change is judged by itself, not by a new draw.
settings.register_profile("suite", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("suite")

# Tests find nothing of other runs, and leave nothing in the user's cache folder.
os.environ["RE2NN_CACHE"] = ""

# Each worker of pytest-xdist has a core; with a thread for every core in each of them, both only wait for each other.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")


# Thousands of tests, and libraries, are there to stay. Looking for garbage among them is a third of the time that it
# takes to find the tests, and a fifth of the time of tests that draw pages.
gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """For `-n auto`, one more than there are cores: the worker that drives Chromium waits half of its time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (cores or 1) + 1


@pytest.hookimpl(tryfirst=True)  # the groups have to be there when xdist looks for them
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker drives Chromium, so that no page waits for another one's browser, and begins with it, since that takes
    longest. Any other file is one worker's too, so that what its tests share is made once, and so are the checks of the
    source, which all read the same files."""
    for item in items:
        path = item.path.relative_to(_HERE)
        group = path.parts[0] if path.parts[0] == "architecture" else path.as_posix()
        group = "browser" if _drives_chromium(item) else group
        item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=_drives_chromium, reverse=True)


def _drives_chromium(item: pytest.Item) -> bool:
    return item.get_closest_marker("browser") is not None


@pytest.fixture(scope="session", autouse=True)
def _hashes_are_made_in_no_time() -> Iterator[None]:
    """A quarter of a second of work for each password is right for people, and too long for hundreds of tests."""
    from argon2 import PasswordHasher

    from re2nn_core.services.team import passwords

    quick = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", quick)
        patch.setattr(passwords, "_NOBODY", quick.hash("nobody"))
        yield


@pytest.fixture(scope="session")
def _empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database with all tables and nothing in them."""
    from re2nn_core.store import open_store

    path = tmp_path_factory.mktemp("empty") / "empty.sqlite3"
    open_store(path).close()
    return path


@pytest.fixture(scope="module", autouse=True)
def _new_databases_are_copies(request: pytest.FixtureRequest, _empty_database: Path) -> Iterator[None]:
    """Where a test opens a new SQLite database, it gets a copy of one that is ready; tests of the store make theirs."""
    from re2nn_core.store import Store
    from re2nn_core.store.engine import opening

    def copied(store: Store) -> None:
        if store.path is not None and not store.path.exists():
            part = store.path.with_name(f"{store.path.name}-{os.getpid()}-{id(store)}")
            # Where another thread was first, or where nothing can be written: that is for `prepare` to find.
            with suppress(OSError):
                shutil.copyfile(_empty_database, part)
                with suppress(FileExistsError):
                    os.link(part, store.path)
                part.unlink()
        prepare(store)

    prepare = opening.prepare_schema
    with pytest.MonkeyPatch.context() as patch:
        if request.path.parent.name != "store":
            patch.setattr(opening, "prepare_schema", copied)
        yield
