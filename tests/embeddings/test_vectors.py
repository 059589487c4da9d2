"""Reading word-vector files: formats, faults, and files that are something else."""

import gzip
import io
from pathlib import Path

import numpy as np
import pytest

from re2nn_core.embeddings.vectors import VectorsRead, WordVectors, read_vectors
from re2nn_core.errors import Cancelled, DataFileError

PUBLISHED = Path(__file__).resolve().parents[3] / "shared" / "benchmarks" / "vectors"

GLOVE = b"the 0.5 -1 2e-1\nflight 1 2 3\nboston 4 5 6\n"


def read(folder: Path, data: bytes, words: list[str], name: str = "vectors.txt") -> VectorsRead:
    path = folder / name
    path.write_bytes(data)
    return read_vectors(path, words)


def message(folder: Path, data: bytes, words: list[str], name: str = "vectors.txt") -> str:
    with pytest.raises(DataFileError) as caught:
        read(folder, data, words, name)
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (GLOVE, "glove"),
        (b"\xef\xbb\xbf" + GLOVE, "glove"),
        (GLOVE.replace(b"\n", b" \r\n"), "glove"),
        (GLOVE.replace(b" ", b"\t"), "glove"),
        (GLOVE.replace(b" ", b"  "), "glove"),
        (b"3 3\n" + GLOVE, "word2vec"),
        (b"3 3 \r\n" + GLOVE.replace(b"\n", b" \n"), "word2vec"),
    ],
)
def test_text_formats(tmp_path: Path, data: bytes, format: str) -> None:
    result = read(tmp_path, data, ["boston", "paris", "the", "boston"])
    assert (result.format, result.dimensions, result.found, result.wanted) == (format, 3, 2, 3)
    assert result.vectors.words == ("boston", "the")
    assert result.vectors.matrix.dtype == np.float32
    np.testing.assert_array_equal(result.vectors.matrix, np.array([[4, 5, 6], [0.5, -1, 0.2]], np.float32))
    assert (result.bad_rows, result.bad_row_count, result.notes) == ((), 0, ())


def test_words_with_blanks_in_them_are_no_fault(tmp_path: Path) -> None:
    data = GLOVE + b". . . 7 8 9\nat name@x.com 1 1 1\n. 1 0 1\n1 2 3 9 9 9\n"
    result = read(tmp_path, data, [".", ". . .", "flight", "missing"])
    assert result.vectors.words == (".", ". . .", "flight")
    np.testing.assert_array_equal(result.vectors.matrix[:2], np.array([[1, 0, 1], [7, 8, 9]], np.float32))
    assert result.bad_row_count == 0


def test_bad_rows_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    data = GLOVE + b"short 1 2\nlong 1.0 2.0 3.0 4.0\nword 1 x 3\nnan 1 nan 3\nhuge 1 1e99 3\n\nlast 7 8 9\n"
    result = read(tmp_path, data, ["word", "nan", "huge", "last", "short", "long"])
    assert result.vectors.words == ("last",)
    assert [str(bad) for bad in result.bad_rows] == [
        "line 4: 'short' has 2 numbers, expected 3",
        "line 5: 'long' has more than the 3 numbers expected",
        "line 6: 'word' has 'x' where a finite number is expected",
        "line 7: 'nan' has 'nan' where a finite number is expected",
        "line 8: 'huge' has '1e99' where a finite number is expected",
    ]


def test_the_list_of_bad_rows_is_short_and_the_count_is_whole(tmp_path: Path) -> None:
    result = read(tmp_path, GLOVE * 40 + b"x 1\n" * 50, ["the", "paris"])
    assert (len(result.bad_rows), result.bad_row_count) == (20, 50)


def test_a_line_without_an_end_is_passed_over(tmp_path: Path) -> None:
    result = read(tmp_path, GLOVE + b"x" * 3_000_000 + b"\nlast 7 8 9\n", ["last", "x"])
    assert [str(bad) for bad in result.bad_rows] == ["line 4: is longer than 1,048,576 bytes"]
    assert result.vectors.words == ("last",)


def test_the_first_row_of_a_word_counts(tmp_path: Path) -> None:
    result = read(tmp_path, GLOVE + b"the 9 9 9\n", ["the", "missing"])
    np.testing.assert_array_equal(result.vectors.matrix[0], np.array([0.5, -1, 0.2], np.float32))


def test_a_file_cut_short_is_noted(tmp_path: Path) -> None:
    notes = read(tmp_path, b"4000 3\n" + GLOVE, ["the", "missing"]).notes
    assert notes == ("The first line promises 4,000 rows but there are 3: is the file whole?",)


def test_no_wanted_word_found(tmp_path: Path) -> None:
    found = message(tmp_path, b"The 1 2\nFlight 3 4\n", ["the", "flight", "boston", "x"])
    assert "'vectors.txt' has none of the 4 words wanted ('the', 'flight', 'boston', ...) in 2 rows." in found
    assert "2 rows differ from a wanted word only in case. Choose a file made from lower-case text" in found
    other = message(tmp_path, GLOVE, ["flug"])
    assert "Choose vectors for the language and the tokenization of the texts." in other


def npy() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.ones(3))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "'vectors.txt' is empty: a text file of word vectors was expected."),
        (gzip.compress(GLOVE, mtime=0), "looks like a gzip file, not a text file of word vectors. Unpack it"),
        (b"PK\x03\x04abc", "looks like a zip file, not a text file of word vectors. Unpack it"),
        (b"3 3\nthe " + np.ones(3, np.float32).tobytes(), "looks like a binary word2vec file"),
        (b"3 3\nthe " + np.ones(3, np.float32).tobytes(), "load_word2vec_format(file, binary=True)"),
        (b"\xba\x16\x4f\x2f\x0c\0\0\0", "looks like a fastText model (.bin), not a text file"),
        (b"\x80\x04\x95abc", "looks like a pickled model, not a text file of word vectors. Pickles are never"),
        (npy(), "looks like a NumPy array"),
        (b"text,label\nbook a flight,flight\n", "is no text file of word vectors: line 1 is 'text,label'."),
        (b"3 300\nthe 1 2 3\n", "line 2 is 'the 1 2 3'.\nExpected is a word and 300 numbers"),
        (b"hello\nworld\n", "Expected is a word and its numbers, with blanks between them, on each line"),
    ],
)
def test_files_of_another_kind(tmp_path: Path, data: bytes, expected: str) -> None:
    assert expected in message(tmp_path, data, ["the"])


def test_missing_files_and_stopping(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"nowhere\.txt' cannot be read: No such file"):
        read_vectors(tmp_path / "nowhere.txt", ["the"])

    def stop(_: float) -> None:
        raise Cancelled("stopped")

    path = tmp_path / "vectors.txt"
    path.write_bytes(GLOVE * 10_000)
    with pytest.raises(Cancelled):
        read_vectors(path, ["missing", "the"], on_progress=stop)
    seen: list[float] = []
    read_vectors(path, ["missing", "the"], on_progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_word_vectors_check_themselves() -> None:
    with pytest.raises(ValueError, match="2 words need as many rows"):
        WordVectors(("a", "b"), np.zeros((1, 3), np.float32))
    with pytest.raises(ValueError, match="word vectors are float32"):
        WordVectors(("a",), np.zeros((1, 3)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="each word has one vector"):
        WordVectors(("a", "a"), np.zeros((2, 3), np.float32))
    with pytest.raises(ValueError, match="word vectors are finite numbers"):
        WordVectors(("a",), np.full((1, 3), np.nan, np.float32))


@pytest.mark.parametrize(
    ("file", "dimensions"),
    [("glove.6B.100d.atis.txt", 100), ("word2vec.googlenews.300d.subset.txt", 300)],
)
def test_published_files(file: str, dimensions: int) -> None:
    path = PUBLISHED / file
    if not path.exists():
        pytest.skip(f"the published file {file} is not here")
    result = read_vectors(path, ["boston", "flight", "morning", "no-such-word"])
    assert (result.dimensions, result.bad_row_count) == (dimensions, 0)
    assert "flight" in result.vectors.words
