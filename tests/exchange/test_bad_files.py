"""Each bad file of the table: what is said of it, what is kept, and that nothing is half-written or run."""

from __future__ import annotations

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


def test_without_spacy_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import zlib

    monkeypatch.setattr(docbin, "spacy_is_installed", lambda: False)
    with pytest.raises(DataFileError, match=r"needs an extra package: pip install 're2nn-studio\[spacy\]'"):
        docbin.read_docbin(zlib.compress(b"\x80"), "texts.spacy")
