"""Each bad file of the table: what is said of it, what is kept, and that nothing is half-written or run."""

from __future__ import annotations

import tracemalloc
import zipfile
import zlib
from pathlib import Path

import pytest
from exchange.bad_file import BadFile, zipped
from exchange.bad_files import CASES

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools import docbin
from re2nn_core.exchange.annotation_tools.docbin import spacy_is_installed
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.hugging_face import files
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.services.projects.archives import unpack
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

SPACY = "spaCy is not installed: pip install 're2nn-studio[spacy]'"


def read(case: BadFile, path: Path) -> tuple[list[str], list[str]]:
    """The texts that are kept, and all that is said: reasons of rows left out, then notes."""
    if case.task == Task.SLOT_FILLING:
        slots = read_slot_corpus(path, tokenization=Tokenization())
        return list(slots.corpus.texts), [*map(str, slots.bad_rows), *slots.notes]
    labels = read_corpus(path)
    return list(labels.corpus.texts), [*map(str, labels.bad_rows), *labels.notes]


def test_there_are_many_of_them() -> None:
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_file(case: BadFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if case.needs_spacy and not spacy_is_installed():
        pytest.skip(SPACY)
    path = tmp_path / case.name
    case.build(path)
    if case.kept is None:
        with pytest.raises(DataFileError) as caught:
            read(case, path)
        missing = [said for said in case.said if said not in str(caught.value)]
        assert missing == [], str(caught.value)
    else:
        kept, said = read(case, path)
        assert kept == list(case.kept)
        assert [part for part in case.said if not any(part in line for line in said)] == [], said
    assert list(tmp_path.iterdir()) == [path]
    assert capsys.readouterr().out == ""  # nothing in a file was run


def test_a_zip_that_unpacks_to_too_much_is_not_opened() -> None:
    data = zipped(data_DOT_arrow=b"\0" * 3 * 2**20)
    with pytest.raises(DataFileError, match=r"Unpacked, 'bomb.zip' has more than 1 MiB. It was not opened."):
        files.folder_in_zip(data, "bomb.zip", most_bytes=2**20)


def test_sizes_are_added_before_anything_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("unpacked")

    data = zipped(a_DOT_arrow=b"\0" * 2**20, b_DOT_arrow=b"\0" * 2**20)
    archive = zipped(project_DOT_toml=b"", texts_DOT_jsonl=b"\0" * 2 * 2**20)
    monkeypatch.setattr(zipfile.ZipFile, "open", refuse)
    with pytest.raises(DataFileError, match=r"Unpacked, 'bomb.zip' has more than 1 MiB. It was not opened."):
        files.folder_in_zip(data, "bomb.zip", most_bytes=2**20)
    with pytest.raises(DataFileError, match=r"Unpacked, the archive has more than 1 MiB. It was not opened."):
        unpack(archive, most_bytes=2**20)


def test_a_docbin_is_counted_before_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    data = zlib.compress(bytes(64 * 2**20))
    monkeypatch.setattr(docbin, "LARGEST", 32 * 2**20)
    tracemalloc.start()
    try:
        with pytest.raises(DataFileError, match="unpacks to more than 33,554,432. It was not opened"):
            docbin.read_docbin(data, "bomb.spacy")
        assert tracemalloc.get_traced_memory()[1] < 8 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(not spacy_is_installed(), reason=SPACY)
def test_a_nested_docbin_has_a_reason() -> None:
    with pytest.raises(DataFileError, match="'nest.spacy' is a damaged DocBin: it is nested too deeply. Write it"):
        docbin.read_docbin(zlib.compress(b"\x91" * 100_000), "nest.spacy")


def test_without_spacy_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docbin, "spacy_is_installed", lambda: False)
    with pytest.raises(DataFileError, match=r"needs an extra package: pip install 're2nn-studio\[spacy\]'"):
        docbin.read_docbin(zlib.compress(b"\x80"), "texts.spacy")
