"""Texts as spaCy's DocBin: spans as entities, labels as categories, splits in user_data["split"]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.docbin import require_spacy
from re2nn_core.exchange.written_annotations import Numbered
from re2nn_core.task import Task, by_task
from re2nn_core.text.corpus import Example
from re2nn_core.text.tokenization import Tokenization, tokenize


def write_docbin(stream: BinaryIO, examples: Iterable[Numbered], task: Task, tokenization: Tokenization) -> None:
    """All texts as one DocBin: spans as entities, labels as categories, splits in user_data["split"]."""
    require_spacy()
    from spacy.tokens import DocBin

    docs = DocBin(attrs=["ORTH", "ENT_IOB", "ENT_TYPE"], store_user_data=True)
    for doc in _docs(examples, task, tokenization):
        docs.add(doc)
    stream.write(docs.to_bytes())


def _docs(examples: Iterable[Numbered], task: Task, tokenization: Tokenization) -> Iterator[Any]:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

    vocab = Vocab()
    for number, example, _ in examples:
        words, spaces = pieces(example.text, tokenization)
        doc = Doc(vocab, words=words, spaces=spaces)
        by_task(task, classification=_categorize, slot_filling=_mark)(doc, number, example)
        if example.split:
            doc.user_data["split"] = example.split
        yield doc


def _categorize(doc: Any, _number: int, example: Example) -> None:
    if example.label is not None:
        doc.cats = {example.label: 1.0}


def _mark(doc: Any, number: int, example: Example) -> None:
    if example.spans is None:
        doc.set_ents([], default="missing")
        return
    found = [doc.char_span(span.start, span.end, label=span.slot) for span in example.spans]
    if None in found:
        raise DataFileError(
            f"Text {number:,}: {example.spans[found.index(None)]} does not begin and end at word borders. "
            "Correct it, then export again."
        )
    doc.set_ents(found, default="outside")


def pieces(text: str, tokenization: Tokenization) -> tuple[list[str], list[bool]]:
    """The text as spaCy keeps it: words, and whether one blank stands behind each; all other blanks are words too."""
    cut: list[str] = []
    place = 0
    for token in tokenize(text, tokenization):
        cut += [text[place : token.start], text[token.start : token.end]]
        place = token.end
    cut.append(text[place:])
    words: list[str] = []
    spaces: list[bool] = []
    for piece in filter(None, cut):
        if piece[0] == " " and spaces and not spaces[-1] and not words[-1].isspace():
            spaces[-1] = True
            piece = piece[1:]
        if piece:
            words.append(piece)
            spaces.append(False)
    return words, spaces
