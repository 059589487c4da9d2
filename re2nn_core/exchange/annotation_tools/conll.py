"""CoNLL: a word and its tag a line, with a tab or blanks between, a blank line between texts.

The first column is the word and the last one the tag, whatever stands between. Lines that begin with -DOCSTART- end a
text and are left out, and so are comments: lines that begin with # and end with no tag.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from re2nn_core.errors import DataFileError, InputError
from re2nn_core.exchange.span_rows import SlotRow, SlotRows, to_bio
from re2nn_core.exchange.tables.delimited import physical_lines
from re2nn_core.exchange.tables.table import BadRow, Progress
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import OUTSIDE, parts_of

DOCUMENT = "-DOCSTART-"
# No sentence has so many words; a file without a blank line that does was exported without its borders.
MOST_WORDS = 200
_LONG = 25  # from so many words on it is told that they were read as one sentence
_LOOK = 50
_EVERY = 10_000


@dataclass
class _Sentence:
    """Lines up to the next blank one."""

    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    faults: list[BadRow] = field(default_factory=list)


def looks_like_conll(text: str, *, cut_off: bool = False) -> bool:
    """True if the first lines all have a word without blanks and a tag, not only O. `cut_off`: the last line may not
    be whole."""
    lines = physical_lines(text)
    rows = [columns_of(line) for line in (lines[:-1] if cut_off else lines) if line.strip()]
    rows = [row for row in rows if not _is_aside(row)]
    if not all(len(row) > 1 and " " not in row[0] and _is_tag(row[-1]) for row in rows[:_LOOK]):
        return False
    return any(row[-1] != OUTSIDE and _is_tag(row[-1]) for row in rows)


def read_conll(text: str, name: str, on_progress: Progress | None = None) -> SlotRows:
    """The texts of a CoNLL file, with a note on one long sentence without a blank line; DataFileError for one that no
    text can be."""
    result, sentence, asides, ended = SlotRows(), _Sentence(), 0, _Sentence()
    borders = 0
    lines = physical_lines(text)
    for number, line in enumerate(lines, start=1):
        columns = columns_of(line)
        if not columns or columns[0] == DOCUMENT:
            asides += bool(columns)
            _close(sentence, result)
            ended, sentence = (sentence if sentence.lines else ended), _Sentence()
        elif _is_aside(columns):
            asides += 1
        else:
            borders += bool(ended.lines and not sentence.lines)
            _add(sentence, number, columns)
        if on_progress is not None and number % _EVERY == 0:
            on_progress(number / len(lines))
    _close(sentence, result)
    if not borders:
        _tell_one_sentence(sentence if sentence.lines else ended, name, result)
    if asides:
        lines_were = "1 line was" if asides == 1 else f"{asides:,} lines were"
        result.notes.append(f"{lines_were} left out as comment or {DOCUMENT}.")
    return result


def _tell_one_sentence(sentence: _Sentence, name: str, result: SlotRows) -> None:
    """A note on the one sentence of a file where it is long; DataFileError where no sentence is so long."""
    if len(sentence.words) <= _LONG:
        return
    extent = f"{counted(len(sentence.words), 'word')} from line {sentence.lines[0]:,} to line {sentence.lines[-1]:,}"
    if len(sentence.words) > MOST_WORDS:
        raise DataFileError(
            f"'{name}' is one sentence of {extent}: no blank line stands between two of its lines. Put one behind the "
            "last word of each text; without them nobody can tell where a text ends."
        )
    result.notes.append(f"read as one sentence of {extent}; sentences are told apart by a blank line.")


def columns_of(line: str) -> list[str]:
    """The cells of a line: between tabs if there is one, else between blanks."""
    return [cell.strip() for cell in line.strip().split("\t")] if "\t" in line.strip() else line.split()


def _add(sentence: _Sentence, number: int, columns: list[str]) -> None:
    sentence.lines.append(number)
    word, tag = columns[0], columns[-1]
    if len(columns) == 1:
        sentence.faults.append(BadRow(number, f"has one column, {word[:40]!r}; a word and its tag are expected"))
    elif word.split() != [word]:
        sentence.faults.append(BadRow(number, f"{word[:40]!r} is not one word; a word holds no blanks"))
    elif not _is_tag(tag):
        sentence.faults.append(BadRow(number, f"{tag[:40]!r} is no tag; O, B-slot or I-slot is expected"))
    else:
        sentence.words.append(word)
        sentence.tags.append(tag)


def _close(sentence: _Sentence, result: SlotRows) -> None:
    """A sentence into the rows, or its faults, the first with the lines that are left out with it."""
    if not sentence.faults:
        if sentence.words:
            row = SlotRow(sentence.lines[0], tokens=tuple(sentence.words), tags=tuple(sentence.tags))
            result.rows.append(row)
        return
    first, *rest = sentence.faults
    if len(sentence.lines) > 1:
        extent = f"lines {sentence.lines[0]:,} to {sentence.lines[-1]:,}"
        first = BadRow(first.line, f"{first.reason} (its text, {extent}, is left out)")
    result.bad_rows += [first, *(replace(fault, again=True) for fault in rest)]


def _is_aside(columns: list[str]) -> bool:
    return columns[0] == DOCUMENT or (columns[0].startswith("#") and not _is_tag(columns[-1]))


def _is_tag(cell: str) -> bool:
    try:
        parts_of(to_bio((cell,))[0])
    except InputError:
        return False
    return True
