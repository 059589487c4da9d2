"""Cutting text into pieces, as uncased BERT models do."""

import pytest

from re2nn_core.embeddings.wordpiece import WordPiece

PIECES = WordPiece(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "fl", "##ight", "##s", "flight", "'", "cafe", "你", "7", "##4"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("flight", "flight"),
        ("Flights", "flight ##s"),
        ("CAFÉ\u200b", "cafe"),
        ("cafe", "cafe"),
        ("flight's", "flight ' [UNK]"),
        ("你好", "你 [UNK]"),
        ("74\t7", "7 ##4 7"),
        ("flightx", "[UNK]"),
        ("x" * 101, "[UNK]"),
        ("", ""),
    ],
)
def test_pieces(text: str, expected: str) -> None:
    numbers = PIECES.encode(text)
    assert [PIECES.pieces[number] for number in numbers] == ["[CLS]", *expected.split(), "[SEP]"]


def test_long_texts_are_cut() -> None:
    numbers = PIECES.encode("flight " * 500, longest=10)
    assert len(numbers) == 10
    assert (numbers[0], numbers[-1]) == (2, 3)
