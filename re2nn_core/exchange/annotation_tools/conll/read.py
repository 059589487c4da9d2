"""CoNLL: a word and its tag a line, with a tab or blanks between, a blank line between texts.

`layout.py` finds which columns hold words and tags. Lines that begin with -DOCSTART- end a text and are left out, and
so are comments, which begin with #. A line of more or fewer columns than the others cannot be trusted, so its text is
left out.
"""

from __future__ import annotations

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.conll.layout import Layout, find_layout
from re2nn_core.exchange.annotation_tools.conll.lines import DOCUMENT, columns_of, is_tag
from re2nn_core.exchange.annotation_tools.conll.sentences import Sentence
from re2nn_core.exchange.annotation_tools.conll.universal import looks_like_conllu, read_conllu
from re2nn_core.exchange.span_rows import SlotRows
from re2nn_core.exchange.tables.delimited import physical_lines
from re2nn_core.exchange.tables.table import Progress
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import OUTSIDE

# No sentence has so many words; a file without a blank line that does was exported without its borders.
MOST_WORDS = 200
_LONG = 25  # from so many words on it is reported that they were read as one sentence
_LOOK = 50
_CLEARLY = 0.9
_EVERY = 10_000
_NAMED, _SHOWN = 3, 40  # comments, and characters of each


def looks_like_conll(text: str, *, cut_off: bool = False) -> bool:
    """True if the first lines have a word without blanks and a tag, not only O, or are CoNLL-U. `cut_off`: the last
    line may not be whole."""
    lines = physical_lines(text)
    lines = lines[:-1] if cut_off else lines
    if looks_like_conllu(lines):
        return True
    layout = find_layout(lines, "")
    rows = [
        columns
        for line in lines
        if (columns := columns_of(line))
        and columns[0] != DOCUMENT
        and not layout.is_comment(columns, line, begins=False)
    ]
    rows = rows[1:] if rows and layout.names_columns(rows[0]) else rows
    first = [_is_word_with_tag(row, layout) for row in rows[:_LOOK]]
    if not first or sum(first) < _CLEARLY * len(first):
        return False
    return any(_is_word_with_tag(row, layout) and row[layout.tag] != OUTSIDE for row in rows)


def _is_word_with_tag(row: list[str], layout: Layout) -> bool:
    return len(row) > layout.tag and " " not in row[layout.word] and is_tag(row[layout.tag])


def read_conll(
    text: str, name: str, on_progress: Progress | None = None, *, label_column: str | None = None
) -> SlotRows:
    """The texts of a CoNLL file, with notes on what was found out from it. `label_column` says where the tags stand:
    the number of a column, in CoNLL-U a key of MISC. DataFileError for one that there is not, and for a file that is
    one sentence longer than a text can be."""
    lines = physical_lines(text)
    if looks_like_conllu(lines):
        return read_conllu(lines, name, on_progress, label_column=label_column)
    layout = find_layout(lines, name, label_column)
    result, sentence, skipped, ended = SlotRows(notes=layout.notes()), Sentence(), list[str](), Sentence()
    borders = 0
    for number, line in enumerate(lines, start=1):
        columns = columns_of(line)
        if not columns or columns[0] == DOCUMENT:
            skipped += [line.strip()] if columns else []
            sentence.close(result)
            ended, sentence = (sentence if sentence.lines else ended), Sentence()
        elif not (sentence.lines or ended.lines or result.rows) and layout.names_columns(columns):
            result.notes.append(f"Line {number:,} names the columns and was left out.")
        elif layout.is_comment(columns, line, begins=not sentence.lines):
            skipped.append(line.strip())
        else:
            borders += bool(ended.lines and not sentence.lines)
            _add(sentence, number, columns, layout)
        if on_progress is not None and number % _EVERY == 0:
            on_progress(number / len(lines))
    sentence.close(result)
    result.columns = layout.columns_read(len(result.rows))
    if not borders:
        _report_one_sentence(sentence if sentence.lines else ended, name, result)
    if skipped:
        lines_were = "1 line was" if len(skipped) == 1 else f"{len(skipped):,} lines were"
        shown = ", ".join(repr(skip[:_SHOWN]) for skip in dict.fromkeys(skipped[:_NAMED]))
        result.notes.append(f"{lines_were} left out as comment or {DOCUMENT} ({shown}).")
    return result


def _report_one_sentence(sentence: Sentence, name: str, result: SlotRows) -> None:
    """A note on the one sentence of a file where it is long; DataFileError where no sentence is so long."""
    if len(sentence.words) <= _LONG:
        return
    extent = f"{counted(len(sentence.words), 'word')} from line {sentence.lines[0]:,} to line {sentence.lines[-1]:,}"
    if len(sentence.words) > MOST_WORDS:
        raise DataFileError(
            f"'{name}' is one sentence of {extent}: it has no blank line between its lines. Put a blank line after the "
            "last word of each text, so that the end of each text is known."
        )
    result.notes.append(f"read as one sentence of {extent}; sentences are separated by a blank line.")


def _add(sentence: Sentence, number: int, columns: list[str], layout: Layout) -> None:
    sentence.lines.append(number)
    if len(columns) == 1:
        sentence.refuse(
            number, f"has one column, {columns[0][:40]!r}; a word and its tag are expected, so add the tag (O for none)"
        )
        return
    if len(columns) != layout.width:
        advice = (
            "give each word a line of its own, without blanks in it"
            if len(columns) > layout.width
            else "add what is missing, such as the tag"
        )
        sentence.refuse(
            number, f"has {len(columns)} columns, but line {layout.first_line:,} has {layout.width}; {advice}"
        )
        return
    word, tag = columns[layout.word], columns[layout.tag]
    if not word:
        sentence.refuse(number, f"the word is empty; one is expected before its tag {tag[:40]!r}")
    elif " " in word:
        sentence.refuse(number, f"{word[:40]!r} is not one word; a word holds no blanks")
    elif not is_tag(tag):
        sentence.refuse(number, f"{tag[:40]!r} is no tag; O, B-slot or I-slot is expected")
    else:
        sentence.words.append(word)
        sentence.tags.append(tag)
