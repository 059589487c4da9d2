"""The tokenizers for Chinese: what stands alone, what stays together, and jieba as an extra that may be missing."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from unicodedata import normalize

import pytest

from re2nn_core.errors import InputError
from re2nn_core.text import chinese
from re2nn_core.text.kinds import is_punctuation
from re2nn_core.text.tokenization import (
    _PATTERNS,
    Tokenization,
    TokenizerKind,
    _pattern_for_all,
    tokenize,
    words,
)

needs_jieba = pytest.mark.skipif(not chinese.jieba_is_installed(), reason="jieba is not installed (extra 'chinese')")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我要去Shanghai的Flight", "我|要|去|shanghai|的|flight"),
        ("3.5元,don't  5月", "3.5|元|,|don't|5|月"),
        ("東京タワーと、々", "東|京|タ|ワ|ー|と|、|々"),
        ("안녕 세계", "안녕|세계"),
        ("𠀀𠀁a㐀㐁豈", "𠀀|𠀁|a|㐀|㐁|豈"),
        ("（北京）：１２", "（|北|京|）|：|１２"),
        ("what's dc-10 ａｂ?", "what's|dc-10|ａｂ|?"),
        ("🙂\t🙂", "🙂|🙂"),
    ],
)
def test_characters_stand_alone_and_letters_together(text: str, expected: str) -> None:
    assert "|".join(words(text, Tokenization("characters"))) == expected
    places = [text[token.start : token.end].lower() for token in tokenize(text, Tokenization("characters"))]
    assert "|".join(places) == expected


def test_without_chinese_it_cuts_as_punctuation_does() -> None:
    text = "Fly to St. Paul, please! dc-10 o'clock 3.5 naïve 안녕 x\u0301 \ud800"
    assert tokenize(text, Tokenization("characters")) == tokenize(text, Tokenization("punctuation"))


@pytest.mark.parametrize("kind", ["punctuation", "characters"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e\u0301tude cafe\u0301, ok", "e\u0301tude|cafe\u0301|,|ok"),
        ("हिन्दी में", "हिन्दी|में"),
        ("x.\u0301y", "x|.\u0301|y"),
        ("👨\u200d👩\u200d👧 hi 👍🏽! ❤\ufe0f", "👨\u200d👩\u200d👧|hi|👍🏽|!|❤\ufe0f"),
        ("❤\ufe0f\u200d🔥x🙂🙂", "❤\ufe0f\u200d🔥|x|🙂|🙂"),
        ("🇩🇪🇫🇷", "🇩🇪|🇫🇷"),
        ("1\ufe0f\u20e3 2", "1\ufe0f\u20e3|2"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("new\u200byork", "new|york"),
        ("\u0301 x \ufe0f", "x"),
        ("é e\u0301", "é|e\u0301"),
    ],
)
def test_marks_and_joined_signs_are_part_of_their_word(kind: TokenizerKind, text: str, expected: str) -> None:
    tokens = tokenize(text, Tokenization(kind))
    composed = tuple(normalize("NFC", expected).split("|"))
    assert tuple(token.text for token in tokens) == composed
    assert [text[token.start : token.end] for token in tokens] == expected.split("|")
    assert words(text, Tokenization(kind)) == composed


def test_marks_on_characters_stand_with_them() -> None:
    text = "か\u3099く葛\U000e0100城"
    assert "|".join(words(text, Tokenization("characters"))) == "が|く|葛\U000e0100|城"


def test_texts_without_marks_are_cut_as_by_the_plain_patterns() -> None:
    text = "naïve Zürich, 北京 don't 3.5 안녕 （x）🙂 ª²½ „Straße“"
    for kind in ("punctuation", "characters"):
        assert _pattern_for_all(kind).findall(text) == _PATTERNS[kind].findall(text)


def test_signs_with_marks_are_punctuation() -> None:
    assert all(map(is_punctuation, ["❤\ufe0f", "👍🏽", "👨\u200d👩\u200d👧", "🇩🇪", ".\u0301"]))
    assert not any(map(is_punctuation, ["e\u0301", "\u0301", "1\ufe0f\u20e3", ""]))


@needs_jieba
def test_jieba_cuts_runs_of_characters_alone() -> None:
    text = "我要订从北京到Shanghai的航班, 3.5元 don't\t🙂"
    tokens = tokenize(text, Tokenization("jieba"))
    assert "|".join(token.text for token in tokens) == "我|要|订|从|北京|到|shanghai|的|航班|,|3.5|元|don't|🙂"
    assert [text[token.start : token.end].lower() for token in tokens] == [token.text for token in tokens]
    assert words(text, Tokenization("jieba")) == tuple(token.text for token in tokens)


@needs_jieba
def test_jieba_reads_and_writes_no_cache_and_says_nothing() -> None:
    """Its own start would write to the folder for temporary files and tell of it on the terminal."""
    with tempfile.TemporaryDirectory() as folder:
        script = (
            "from re2nn_core.text.tokenization import Tokenization, words\n"
            "import sys; sys.stdout.write(str(len(words('我来到北京', Tokenization('jieba')))))"
        )
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, check=True, env={"TMPDIR": folder}, cwd=_ROOT
        )
        assert (done.stdout, done.stderr, list(Path(folder).iterdir())) == (b"3", b"", [])


_ROOT = Path(__file__).resolve().parents[2]


def test_missing_jieba_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    chinese._cutter.cache_clear()
    monkeypatch.setitem(sys.modules, "jieba", None)
    assert words("只 要 a 3.5", Tokenization("jieba")) == ("只", "要", "a", "3.5")
    with pytest.raises(InputError) as caught:
        words("北京", Tokenization("jieba"))
    assert str(caught.value) == (
        "The tokenizer 'jieba', which cuts Chinese into words, needs the package jieba, which is not installed. "
        "Install it with pip install 're2nn-studio[chinese]', or choose the tokenizer 'characters'."
    )
