"""Items of a list in other forms than one object for each text: keys behind byte order marks, and documents of spaCy's
JSON for training (version 2), whose paragraphs are the texts:

    {"id": 0, "paragraphs": [{"raw": "to oslo", "sentences": [{"tokens": [{"orth": "to", "ner": "O"},
        {"orth": "oslo", "ner": "U-city"}]}], "cats": [{"label": "trip", "value": 1}]}]}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from re2nn_core.exchange.tables.nested.inside import JsonObject, Spelled
from re2nn_core.exchange.tables.nested.json_rows import JsonRows
from re2nn_core.exchange.tables.table import RefusedError

_MARK = "\ufeff"
_OUTSIDE, _UNKNOWN = ("", "O"), "-"
_SPACY = "Read as spaCy's JSON for training: each paragraph is a text."


def may_hold_marks(text: str) -> bool:
    """Whether byte order marks, as they are or escaped, are anywhere in a text of JSON."""
    return _MARK in text or "\\ufeff" in text or "\\uFEFF" in text


def in_usual_form(item: object, result: JsonRows, *, marked: bool) -> list[object]:
    """The objects of the texts that an item has, most often itself; `marked`: its keys may begin with marks."""
    if not isinstance(item, JsonObject):
        return [item]
    if marked:
        item = JsonObject((key.strip(_MARK), value) for key, value in item)
    paragraphs = dict(item).get("paragraphs")
    if not isinstance(paragraphs, list) or not paragraphs or not all(map(_is_paragraph, paragraphs)):
        return [item]
    result.form = _SPACY
    return [_text_of(dict(paragraph)) for paragraph in paragraphs]


def _is_paragraph(value: object) -> bool:
    sentences = dict(value).get("sentences") if isinstance(value, JsonObject) else None
    return isinstance(sentences, list) and all(
        isinstance(one, JsonObject) and isinstance(dict(one).get("tokens"), list) for one in sentences
    )


def _text_of(paragraph: dict[str, Any]) -> object:
    """A paragraph as an object with text, spans and categories; a RefusedError where its words are not in it."""
    tokens = [
        dict(token)
        for sentence in paragraph["sentences"]
        for token in dict(sentence)["tokens"]
        if isinstance(token, JsonObject)
    ]
    words = [(str(token.get("orth", "")), str(token.get("ner") or "")) for token in tokens]
    raw = paragraph.get("raw")
    text = raw if isinstance(raw, str) else " ".join(word for word, _ in words)
    tags = [tag for _, tag in words]
    try:
        known = any(tags) and set(tags) != {_UNKNOWN}
        spans = [("spans", _spans(text, words))] if known else []
    except RefusedError as reason:
        return reason
    cats = [("cats", JsonObject(_categories(paragraph["cats"])))] if paragraph.get("cats") else []
    return JsonObject((("text", text), *spans, *cats))


def _spans(text: str, words: Iterable[tuple[str, str]]) -> list[object]:
    """The spans of words with tags such as B-city, I-city, L-city and U-city. RefusedError."""
    spans: list[list[Any]] = []
    place, last = 0, ""
    for word, tag in words:
        start = text.find(word, place)
        if start < 0:
            raise RefusedError(f"the text does not hold the word {word[:40]!r} where its tokens have it")
        place = start + len(word)
        scheme, _, slot = tag.partition("-")
        if tag == _UNKNOWN:
            raise RefusedError(
                f"the tag of {word[:40]!r} is '-', which stands for an unknown one: tag all words or none"
            )
        if tag in _OUTSIDE:
            last = ""
            continue
        if scheme in ("I", "L") and last == slot:
            spans[-1][1] = place
        else:
            spans.append([start, place, slot])
        last = "" if scheme in ("L", "U") else slot
    return [
        JsonObject((("start", Spelled(start)), ("end", Spelled(end)), ("label", slot), ("text", text[start:end])))
        for start, end, slot in spans
    ]


def _categories(written: object) -> Iterator[tuple[str, object]]:
    for one in written if isinstance(written, list) else ():
        values = dict(one) if isinstance(one, JsonObject) else {}
        yield str(values.get("label")), values.get("value")
