"""CoNLL-U: ten columns between tabs, the word in FORM (column 2), tags in MISC (column 10) where there are any, under a
key such as name=B-PER.

    # text = Finn drog
    1   Finn   Finn   PROPN   _   _   2   nsubj   _   name=B-PER
    2   drog   dra    VERB    _   _   0   root    _   name=O

A word that stands for several (a line 3-4) is read as it is written. The words of a sentence are compared with its
comment "# text =".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.conll.lines import is_tag
from re2nn_core.exchange.annotation_tools.conll.sentences import Sentence
from re2nn_core.exchange.span_rows import SlotRows, to_bio
from re2nn_core.exchange.tables.column_choice import choice_of_keys
from re2nn_core.exchange.tables.table import Progress
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names
from re2nn_core.text.spans import OUTSIDE, parts_of

_ID = re.compile(r"\d{1,6}(?:([-.])(\d{1,6}))?", re.ASCII)
_TEXT = re.compile(r"#\s*text\s*=\s*(.*)")
_WIDTH, _FORM, _MISC = 10, 1, 9
_LOOK = 50
_CLEARLY = 0.8
_EVERY = 10_000


def looks_like_conllu(lines: Sequence[str]) -> bool:
    """True if nearly all of the first lines but comments have ten cells between tabs, of which the first counts."""
    rows = [line.rstrip("\r\n").split("\t") for line in lines[: 10 * _LOOK] if line.strip() and line[0] != "#"][:_LOOK]
    fitting = [len(row) == _WIDTH and _ID.fullmatch(row[0]) is not None for row in rows]
    return bool(fitting) and fitting[0] and rows[0][0].startswith(("0", "1")) and sum(fitting) >= _CLEARLY * len(rows)


@dataclass
class _Reading:
    """A sentence in the making: `until` is the last number of the word that is open, `text` what the comment says."""

    sentence: Sentence = field(default_factory=Sentence)
    until: int = 0
    text: str = ""


def read_conllu(
    lines: Sequence[str], name: str, on_progress: Progress | None = None, *, label_column: str | None = None
) -> SlotRows:
    """The sentences of a CoNLL-U file, unmarked where no key of MISC holds tags. `label_column` is the key that is
    read. DataFileError for one that is not there."""
    keys = _keys_of_tags(lines)
    if label_column is not None and label_column not in keys:
        found = f"; those that do: {', '.join(keys)}" if keys else ""
        raise DataFileError(f"'{name}' is CoNLL-U, and '{label_column[:40]}' is no key of MISC that holds tags{found}.")
    key = label_column or next(iter(keys), None)
    result, reading, differing = SlotRows(notes=_notes(key, keys)), _Reading(), []
    for number, line in enumerate((*lines, ""), start=1):
        if not line.strip():
            differing += _close(reading, result, marked=key is not None)
            reading = _Reading()
        elif line[0] == "#":
            text_comment = _TEXT.match(line.strip())
            reading.text = text_comment[1] if text_comment else reading.text
        else:
            _add(reading, number, line.rstrip("\r\n").split("\t"), key)
        if on_progress is not None and number % _EVERY == 0:
            on_progress(number / len(lines))
    annotation = None if key is None else f"MISC '{key}'"
    filled = {"FORM": len(result.rows), **({} if annotation is None else {annotation: len(result.rows)})}
    result.columns = choice_of_keys("FORM", annotation, None, filled, len(result.rows))
    if differing:
        result.notes.append(
            f"{counted(len(differing), 'sentence has', 'sentences have')} other words than the comment “# text =” "
            f"says (first on line {differing[0]:,}): the words were read."
        )
    return result


def _keys_of_tags(lines: Iterable[str]) -> list[str]:
    """The keys of MISC that hold nearly nothing but tags, not only O, the one with most marked words first."""
    marked: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    values: Counter[str] = Counter()
    for line in lines:
        cells = line.rstrip("\r\n").split("\t")
        if len(cells) != _WIDTH:
            continue
        for key, value in _misc(cells[_MISC]).items():
            values[key] += 1
            tags[key] += is_tag(value)
            marked[key] += is_tag(value) and value != OUTSIDE
    return [key for key, count in marked.most_common() if count and tags[key] >= _CLEARLY * values[key]]


def _misc(cell: str) -> dict[str, str]:
    return {key: value for part in cell.split("|") for key, _, value in [part.partition("=")]}


def _notes(key: str | None, keys: Sequence[str]) -> list[str]:
    if key is None:
        return ["CoNLL-U without tags in MISC (column 10), such as name=B-PER: the texts were read as not annotated."]
    reported = [f"CoNLL-U: the words are those of FORM, the tags those of MISC under '{key}'."]
    others = [other for other in keys if other != key]
    if others:
        reported.append(
            f"{join_names([repr(other) for other in others])} in MISC {'holds' if len(others) == 1 else 'hold'} tags "
            f"too and {'was' if len(others) == 1 else 'were'} not read. To read another key, write --label-column "
            f"{others[0]}."
        )
    return reported


def _add(reading: _Reading, number: int, cells: Sequence[str], key: str | None) -> None:
    """A line of the sentence: a word, a part of the word before, or nothing (an empty node, 8.1)."""
    sentence = reading.sentence
    sentence.lines.append(number)
    identity = _ID.fullmatch(cells[0])
    if len(cells) != _WIDTH or identity is None:
        columns = counted(len(cells), "column")
        sentence.refuse(number, f"has {columns} and begins with {cells[0][:40]!r}; ten and a number are expected")
        return
    tag = OUTSIDE if key is None else _misc(cells[_MISC]).get(key, OUTSIDE)
    if not is_tag(tag):
        sentence.refuse(number, f"{tag[:40]!r} under '{key}' in MISC is no tag; O, B-slot or I-slot is expected")
        return
    if identity[1] == ".":
        return
    if identity[1] is None and int(cells[0]) <= reading.until:
        if sentence.tags and sentence.tags[-1] == OUTSIDE:
            sentence.tags[-1] = tag
        return
    reading.until = int(identity[2]) if identity[1] else 0
    words = cells[_FORM].split(" ")
    if not all(map(str.strip, words)):
        sentence.refuse(number, f"the word (FORM) is empty or has blanks at its ends: {cells[_FORM][:40]!r}")
        return
    # A FORM may hold blanks; its words share the tag.
    _, slot = parts_of(to_bio((tag,))[0])
    sentence.words += [word.strip() for word in words]
    sentence.tags += [tag, *([f"I-{slot}" if slot else OUTSIDE] * (len(words) - 1))]


def _close(reading: _Reading, result: SlotRows, *, marked: bool) -> list[int]:
    """Keep the sentence; its first line where its words are not those of its comment."""
    sentence = reading.sentence
    sentence.close(result, marked=marked)
    if sentence.faults or not reading.text or not sentence.words:
        return []
    return [] if "".join("".join(sentence.words).split()) == "".join(reading.text.split()) else [sentence.lines[0]]
