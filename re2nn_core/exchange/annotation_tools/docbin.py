"""spaCy's DocBin (.spacy): texts with the spans of their entities, or with categories.

The format is zlib around msgpack. It is read here piece by piece, and no Doc is made from it: so nothing in a file
can reach the code in C that would build one, no extension of msgpack is followed, and how far it unpacks is bounded.
What is taken from spaCy (MIT, the extra `spacy`) is msgpack itself, and the names behind the numbers of words.
"""

from __future__ import annotations

import importlib.util
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRow, AnnotatedRows, WantedParts
from re2nn_core.exchange.annotation_tools.span_groups import as_spans, chosen_spans, groups_of_document
from re2nn_core.exchange.counted_offsets import SpanInFile
from re2nn_core.exchange.span_rows import split_of
from re2nn_core.exchange.tables.table import ONE_LABEL, BadRow, Progress, RefusedError
from re2nn_core.text.tokenization import Token

ENDING = ".spacy"
INSTALL = "pip install 're2nn-studio[spacy]'"
LARGEST = 512 * 2**20  # bytes that a file may unpack to
_ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_KEYS = ("attrs", "tokens", "spaces", "lengths", "strings", "cats")
_AGAIN = "Write it again with DocBin.to_disk, or export the texts as JSONL."
_INSIDE, _OUTSIDE, _BEGINS = 1, 2, 3  # how spaCy numbers I, O and B; 0 is a word of which nobody has said anything
_LIKELY = 0.5  # a category below this is one that the text does not have
_EVERY = 1_000
_PORTION = 2**20
_LABELS = WantedParts()


def spacy_is_installed() -> bool:
    """True where the extra package is there."""
    return importlib.util.find_spec("spacy") is not None


def looks_like_docbin(data: bytes, name: str) -> bool:
    """True for a file called .spacy, and for compressed bytes of any other name."""
    return name.casefold().endswith(ENDING) or data[:2] in _ZLIB


def read_docbin(
    data: bytes, name: str, asked: WantedParts = _LABELS, on_progress: Progress | None = None
) -> AnnotatedRows:
    """The texts of a DocBin; "line" counts its documents from 1. DataFileError for one that cannot be used."""
    if data[:2] not in _ZLIB:
        raise DataFileError(
            f"'{name}' is not a DocBin: it begins with {data[:4]!r}, and compressed bytes are expected. {_AGAIN}"
        )
    packed = _unpacked(data, name)
    require_spacy()
    message = _message(packed, name)
    return _documents(message, name, asked, on_progress)


def require_spacy() -> None:
    """DataFileError where the extra package is missing."""
    if not spacy_is_installed():
        raise DataFileError(f"spaCy's DocBin needs an extra package: {INSTALL}. Or export the texts as JSONL instead.")


def _unpacked(data: bytes, name: str) -> bytes:
    """The bytes inside, at most LARGEST of them; they are counted before any is kept."""
    try:
        size = sum(map(len, _portions(data)))
        if size > LARGEST:
            raise DataFileError(
                f"'{name}' has {len(data):,} bytes and unpacks to more than {LARGEST:,}. It was not opened. "
                "If this size is correct, split the file."
            )
        packed = b"".join(_portions(data))
    except EOFError:
        raise DataFileError(f"'{name}' is cut off: its compressed bytes end too early. {_AGAIN}") from None
    except zlib.error as error:
        raise DataFileError(f"'{name}' is a damaged DocBin: {error}. {_AGAIN}") from None
    return packed


def _portions(data: bytes) -> Iterator[bytes]:
    """What compressed bytes unpack to, piece by piece, at most a piece more than LARGEST; EOFError where they end
    early."""
    stream, rest, size = zlib.decompressobj(), data, 0
    while rest and not stream.eof and size <= LARGEST:
        part = stream.decompress(rest, _PORTION)
        size += len(part)
        yield part
        rest = stream.unconsumed_tail
    if not stream.eof and size <= LARGEST:
        raise EOFError


def _why(error: Exception) -> str:
    """What is wrong, where the library says so, else the kind of error; its StackError says nothing."""
    return str(error).strip() or {"StackError": "it is nested too deeply"}.get(
        type(error).__name__, type(error).__name__
    )


def _message(packed: bytes, name: str) -> dict[str, Any]:
    from srsly import msgpack

    try:
        # With a hook of its own, none of the library's decoders of arrays is called.
        message = msgpack.unpackb(packed, object_pairs_hook=dict, raw=False)
    except Exception as error:  # noqa: BLE001 - what it raises for wrong bytes has no common parent
        raise DataFileError(f"'{name}' is a damaged DocBin: {_why(error)}. {_AGAIN}") from None
    missing = [key for key in _KEYS if not isinstance(message, dict) or key not in message]
    if missing:
        raise DataFileError(f"'{name}' is not a DocBin: {', '.join(missing)} missing. {_AGAIN}")
    return message


class _Columns:
    """The numbers of all words of a DocBin, and where each document begins and ends.

    `tokens` has shape (words, attributes).
    """

    def __init__(self, message: Mapping[str, Any]) -> None:
        from spacy.attrs import ENT_IOB, ENT_TYPE, ORTH
        from spacy.strings import StringStore

        attributes = [int(attribute) for attribute in message["attrs"]]
        if ORTH not in attributes:
            raise ValueError("it keeps no words (ORTH)")
        flat = np.frombuffer(message["tokens"], dtype="<u8")
        self.tokens = flat.reshape(-1, len(attributes))
        self.spaces = np.frombuffer(message["spaces"], dtype=np.uint8)
        lengths = np.frombuffer(message["lengths"], dtype="<i4")
        if (lengths < 0).any() or lengths.sum() != len(self.tokens) or len(self.spaces) != len(self.tokens):
            raise ValueError("the lengths of its documents do not add up to its words")
        self.ends = np.cumsum(lengths)
        self.lengths = lengths
        self.orth = attributes.index(ORTH)
        self.iob = attributes.index(ENT_IOB) if ENT_IOB in attributes else None
        self.kind = attributes.index(ENT_TYPE) if ENT_TYPE in attributes else None
        self.names = StringStore(message["strings"])
        self.cats = message["cats"]
        self.extra = message.get("user_data") or []
        self.groups = message.get("span_groups") or []
        self.flags = message.get("flags") or []
        if len(self.cats) != len(lengths):
            raise ValueError(f"it has {len(lengths):,} documents and categories of {len(self.cats):,}")

    def name(self, number: int) -> str:
        """The word or label behind a number; RefusedError where the file does not tell it."""
        try:
            return str(self.names[int(number)])
        except (KeyError, IndexError, OverflowError):
            raise RefusedError(f"the file does not contain the word with the number {int(number)}") from None


def _documents(
    message: Mapping[str, Any], name: str, asked: WantedParts, on_progress: Progress | None
) -> AnnotatedRows:
    read = AnnotatedRows(asked, at="in document")
    try:
        columns = _Columns(message)
    except (ValueError, TypeError, KeyError) as error:
        raise DataFileError(f"'{name}' is a damaged DocBin: {error}. {_AGAIN}") from None
    for place in range(len(columns.lengths)):
        try:
            read.rows.append(_row(columns, place, read))
        except ValueError as reason:
            read.bad_rows.append(BadRow(place + 1, str(reason)))
        if on_progress is not None and place % _EVERY == 0:
            on_progress(place / len(columns.lengths))
    return read


def _row(columns: _Columns, place: int, read: AnnotatedRows) -> AnnotatedRow:
    end = int(columns.ends[place])
    start = end - int(columns.lengths[place])
    tokens = columns.tokens[start:end]
    unknown = place < len(columns.flags) and _get(columns.flags[place], "has_unknown_spaces")
    text, words = "", []
    for number, space in zip(tokens[:, columns.orth], columns.spaces[start:end], strict=True):
        word = columns.name(number)
        words.append(Token(word, len(text), len(text) + len(word)))
        text += word + (" " if space or unknown else "")
    text = text[:-1] if unknown else text
    line, split, asked = place + 1, _split(columns, place), read.asked
    if not asked.spans:
        return AnnotatedRow(line, text, _category(columns.cats[place], line, read), split=split)
    read.keys.text["words"] += 1
    read.keys.split["split"] += split is not None
    packed = columns.groups[place] if place < len(columns.groups) else None
    groups = {key: as_spans(group, words, columns.name) for key, group in groups_of_document(packed).items()}
    spans = chosen_spans(_spans(columns, tokens, words), groups, line, read)
    return AnnotatedRow(line, text, None, spans, split, f"document {line:,}")


def _get(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, dict) else None


def _spans(columns: _Columns, tokens: np.ndarray, words: list[Token]) -> tuple[SpanInFile, ...] | None:
    """The entities of a document; None where nobody has said anything of any of its words."""
    if columns.iob is None or columns.kind is None:
        return None
    marks = tokens[:, columns.iob].tolist()
    if words and not any(marks):
        return None
    spans: list[SpanInFile] = []
    begin, slot = 0, ""
    for place, (mark, kind) in enumerate([*zip(marks, tokens[:, columns.kind], strict=True), (_OUTSIDE, 0)]):
        inside = mark == _INSIDE and slot and columns.name(kind) == slot
        if inside:
            continue
        if slot:
            spans.append(_span(words[begin].start, words[place - 1].end, slot))
        begin, slot = place, columns.name(kind) if mark in (_INSIDE, _BEGINS) else ""
    return tuple(spans)


def _span(start: int, end: int, slot: str) -> SpanInFile:
    try:
        return SpanInFile(start, end, slot)
    except ValueError as error:
        raise RefusedError(str(error)) from None


def _category(cats: object, line: int, read: AnnotatedRows) -> str | None:
    """The category that a text has; RefusedError for several."""
    if not isinstance(cats, dict):
        return None
    numbers = {str(label): share for label, share in cats.items() if isinstance(share, bool | int | float)}
    likely = [label for label, share in numbers.items() if share >= _LIKELY]
    if len(likely) > 1:
        raise RefusedError(f"several categories hold: {', '.join(map(repr, likely[:5]))}; {ONE_LABEL}")
    if numbers and not likely:
        read.remark("with categories of which none reaches a half, read as not labelled", line)
    return likely[0] if likely else None


def _split(columns: _Columns, place: int) -> str | None:
    """The split, where this program wrote it beside a document."""
    from srsly import msgpack

    packed = columns.extra[place] if place < len(columns.extra) else None
    if not isinstance(packed, bytes) or len(packed) > _PORTION:
        return None
    try:
        beside = msgpack.unpackb(packed, object_pairs_hook=dict, raw=False, use_list=False)
    except Exception:  # noqa: BLE001 - notes of other programs are nothing that a text is lost for
        return None
    split = _get(beside, "split")
    return split_of(split) if isinstance(split, str) else None
