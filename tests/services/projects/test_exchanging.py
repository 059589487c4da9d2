"""Projects from files, some texts at a time: what is reported on the way, and what a stop leaves behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from re2nn_core.errors import Cancelled, InputError
from re2nn_core.exchange import large_files
from re2nn_core.exchange.formats import format_called
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.services.projects import exchanging
from re2nn_core.services.projects.exchanging import export_texts, import_more, import_new
from re2nn_core.store import (
    Store,
    count_texts,
    create_project,
    list_projects,
    open_store,
    staged_texts,
    texts_of,
    verify_store,
)
from re2nn_core.text.corpus import Corpus


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, value in (
        (large_files, "LARGE", 100),
        (large_files, "PART", 200),
        (exchanging, "_PAGE", 30),
        (staged_texts, "STEP", 20),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path / "home" / "store.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "texts.csv"
    path.write_text("text,label\n" + "".join(f"text  {number},{'ab'[number % 2]}\n" for number in range(200)))
    return path


@pytest.mark.parametrize(
    ("names", "splits"),
    [
        (("train.csv", "dev.csv", "atis_test.csv"), ["train", "dev", "test"]),
        (("train.csv", "more.csv", "test.csv"), ["train", None, "test"]),
        (("train_1.csv", "train_2.csv", "train_3.csv"), [None] * 3),
        (("a.csv", "b.csv", "c.csv"), [None] * 3),
    ],
)
def test_names_of_several_files_say_their_splits(
    store: Store, tmp_path: Path, names: tuple[str, ...], splits: list[str | None]
) -> None:
    """Texts of test.csv were trained on."""
    for name in names:
        (tmp_path / name).write_text(f"text,label\ngo to {name},a\nstay at {name},b\n")
    paths = [tmp_path / name for name in names]
    done = import_new(store, paths, name="Mine", person="ann")
    assert [record.split for record in texts_of(store, done.project.id)[::2]] == splits
    reported = [any("as the name of the file says" in note for note in read.notes) for read in done.files]
    assert reported == [split is not None for split in splits]
    asked = import_new(store, paths, name="Asked", person="ann", reading=FileReading(split="dev"))
    assert {record.split for record in texts_of(store, asked.project.id)} == {"dev"}


def test_texts_come_in_order_and_go_out_again(store: Store, source: Path, tmp_path: Path) -> None:
    shares: list[float] = []
    done = import_new(store, [source], name="Mine", person="ann", on_progress=shares.append)
    assert (done.project.name, done.added, shares == sorted(shares), shares[-1]) == ("Mine", 200, True, 1.0)
    assert [record.text for record in texts_of(store, done.project.id)] == [f"text  {n}" for n in range(200)]
    out: list[float] = []
    count = export_texts(store, done.project, tmp_path / "out.csv", format_called("csv"), on_progress=out.append)
    assert (count, out == sorted(out), out[-1], len(out)) == (200, True, 1.0, 7)
    assert (tmp_path / "out.csv").read_text().splitlines()[5] == "text  4,a,"


@pytest.mark.parametrize("share", [0.1, 0.8])
def test_a_stop_on_the_way_leaves_nothing(store: Store, source: Path, tmp_path: Path, share: float) -> None:
    """While rows are read, and while they go in."""
    seen: list[int] = []

    def stop(done: float) -> None:
        seen.append(len(list_projects(store)))
        if done >= share:
            raise Cancelled("stop")

    with pytest.raises(Cancelled):
        import_new(store, [source], name="Mine", person="ann", on_progress=stop)
    assert set(seen) == {0}, "nobody sees a part of a project"
    assert list_projects(store) == ()
    assert verify_store(store) == ()
    project = import_new(store, [source], name="Mine", person="ann").project
    with pytest.raises(Cancelled):
        import_more(store, project, [source], person="ann", on_progress=stop)
    assert count_texts(store, project.id) == 200
    assert import_more(store, project, [source], person="ann", keep_doubles=True).added == 200
    with pytest.raises(Cancelled):
        export_texts(store, project, tmp_path / "out.csv", format_called("csv"), on_progress=stop)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith((".", "out"))] == []


def test_nothing_to_export_is_said(store: Store, tmp_path: Path) -> None:
    project = create_project(store, name="None", examples=Corpus(()), rules_text="", logic_text="", author="ann")
    with pytest.raises(InputError, match="'None' has no texts, so there is nothing to export"):
        export_texts(store, project, tmp_path / "out.csv", format_called("csv"))
