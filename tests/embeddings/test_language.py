"""Whether the encoder was made for the language of some words, from its vocabulary alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from re2nn_core.embeddings import language
from re2nn_core.embeddings.encoder_files import EncoderUnavailable
from re2nn_core.embeddings.language import encoder_knows

PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "fly", "##ing", "to", "rome")


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vocabulary of a few pieces."""
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    monkeypatch.setattr(language, "find_pieces", lambda: path)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("words", "known"),
    [
        (["flying", "to", "Rome"], True),
        (["fly", "北京"], True),
        (["fly", "北京", "上海"], False),
        (["fly", "fly", "fly", "北京", "上海"], False),  # each word counts once
        ([], True),
    ],
)
def test_half_of_the_words_are_enough(words: list[str], known: bool) -> None:
    assert encoder_knows(iter(words)) == known


def test_an_encoder_that_is_not_there_knows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise EncoderUnavailable("not installed")

    monkeypatch.setattr(language, "find_pieces", missing)
    assert not encoder_knows(["fly"])
