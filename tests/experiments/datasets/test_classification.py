"""Data sets: the published ones where somebody has put them, and what is said where something is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.networks.small_experiment import examples, small_set
from support.networks.small_system import small_corpus, small_system

from re2nn_core.errors import InputError
from re2nn_core.experiments.datasets import classification as module
from re2nn_core.experiments.datasets.classification import (
    FOLDER_VARIABLE,
    KNOWN,
    LOGIC,
    benchmark_folder,
    data_set,
    known_data,
)
from re2nn_core.experiments.datasets.slot_filling import KNOWN_SLOTS
from re2nn_core.text.corpus import Corpus, Example

SPAM_RULES = "[ham]\n$ *\n[spam]\n$ * prize $ *\n$ * free $ *\n"
MESSAGES = "ham\tsee you at home\nspam\ta prize for you\nham\tare you free\n"


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """A folder laid out as the published one, with a made-up SMS set."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "sms.rules.config").write_text(SPAM_RULES, encoding="utf-8")
    (tmp_path / "sms").mkdir()
    for split in ("train", "dev", "test"):
        (tmp_path / "sms" / f"{split}.tsv").write_text(MESSAGES, encoding="utf-8")
    return tmp_path


def test_a_published_set_is_read_with_the_label_logic_of_the_package(published: Path) -> None:
    data = known_data("sms", published)
    assert (data.name, data.folder) == ("SMS", published)
    assert [len(part) for part in (data.train, data.dev, data.test)] == [3, 3, 3]
    assert data.train[1] == Example("a prize for you", "spam", "train")
    # Without the priority of the label logic the first label would be predicted always.
    assert data.system.predictions(["a prize for you", "hello"]) == ["spam", "ham"]
    assert data.repeated == (True, True, True)


def test_every_published_set_has_its_logic() -> None:
    labels, slots = ({place for place, _ in known.values()} for known in (KNOWN, KNOWN_SLOTS))
    assert labels | {f"{place}_slots" for place in slots} == {path.stem for path in LOGIC.glob("*.toml")}


def test_unknown_name() -> None:
    with pytest.raises(InputError) as caught:
        known_data("SNLI", Path("nowhere"))
    assert str(caught.value).startswith("'SNLI' is no published data set; ATIS, QC, SMS are.\n")
    assert "write --rules FILE --train FILE --dev FILE --test FILE instead of --data" in str(caught.value)


def test_missing_and_damaged_files(published: Path) -> None:
    with pytest.raises(InputError, match="atis.rules.v0.config: there is no such file"):
        known_data("ATIS", published)
    (published / "sms" / "dev.tsv").unlink()
    with pytest.raises(InputError, match=r"dev.tsv: there is no such file. Lines of label TAB text are expected"):
        known_data("SMS", published)
    (published / "sms" / "dev.tsv").write_text("ham\ta\nspam\tb\tc\nham\td\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"dev.tsv: 1 lines cannot be read, the first: .*line 2.* 3 fields"):
        known_data("SMS", published)


def test_folder_is_given_or_named_or_beside_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BESIDE", tmp_path / "beside")
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    with pytest.raises(InputError) as caught:
        benchmark_folder()
    assert "The published data are not on this machine. Write --folder DIR (or set RE2NN_BENCHMARKS)" in str(
        caught.value
    )
    (tmp_path / "beside").mkdir()
    assert benchmark_folder() == tmp_path / "beside"
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert benchmark_folder() == tmp_path
    assert benchmark_folder(tmp_path / "beside") == tmp_path / "beside"
    with pytest.raises(InputError, match=r"x: there is no such folder \(--folder\). Give the folder with rules/"):
        benchmark_folder(tmp_path / "x")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "y"))
    with pytest.raises(InputError, match=r"y: there is no such folder \(RE2NN_BENCHMARKS\)."):
        benchmark_folder()


def test_repeated_test_texts_are_found_word_for_word() -> None:
    data = small_set()
    assert data.repeated == (True, *[False] * (len(data.test) - 1))


def test_digest_is_of_rules_and_texts() -> None:
    digest = small_set().digest
    assert small_set().digest == digest
    assert small_set(system=small_system(logic="")).digest != digest
    assert small_set(test=examples("test")[1:]).digest != digest


def test_texts_without_a_label_are_left_out() -> None:
    corpus = small_corpus()
    with_more = Corpus((*corpus, Example("who knows", None, "train")))
    assert data_set("own", small_system(), with_more) == data_set("own", small_system(), corpus)


def test_a_set_without_test_texts() -> None:
    with pytest.raises(InputError, match="The data set small has no test text with a label. Give a file"):
        small_set(test=())


@pytest.mark.parametrize(("name", "sizes", "repeated"), [("SMS", (4502, 500, 500), 62), ("ATIS", (3982, 996, 893), 16)])
def test_published_splits(name: str, sizes: tuple[int, int, int], repeated: int) -> None:
    try:
        data = known_data(name, benchmark_folder())
    except InputError:
        pytest.skip("the benchmark data are not on this machine")
    assert tuple(len(part) for part in (data.train, data.dev, data.test)) == sizes
    assert sum(data.repeated) == repeated
