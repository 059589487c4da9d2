"""What may be stored: checked before the first row is written, with messages for people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from numbers import Integral, Real
from typing import Any

from re2nn_core.errors import InputError
from re2nn_core.store.schema import NAME_LENGTH, PERSON_LENGTH, SPANS_LENGTH
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.lines import LABEL_LENGTH, line_fault
from re2nn_core.text.spans import Span, tags_of, write_spans
from re2nn_core.text.tokenization import Tokenization, tokenize
from re2nn_core.text.visible import unseen_sign, visible

# How many faults of one upload are spelled out; the rest are counted.
_SHOWN = 5


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


def unstorable(text: str) -> str:
    """What in `text` no database can hold, in words; empty where there is nothing.

    Half a surrogate pair has no UTF-8 form, and PostgreSQL knows no NUL.
    """
    if "\x00" not in text:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            return f"U+{ord(text[error.start]):04X}, half of a surrogate pair, at character {error.start + 1}"
        return ""
    return f"a NUL character at character {text.index(chr(0)) + 1}"


def check_text(text: str, what: str) -> str:
    """`text` as it is, or an InputError that names the character no database can hold."""
    fault = unstorable(text)
    if fault:
        raise InputError(f"{what} holds {fault}, which cannot be stored. Remove that character.")
    return text


def check_line(text: str, what: str, longest: int) -> str:
    """`text` without outer blanks: one line, not empty, at most `longest` characters. InputError otherwise."""
    line = check_text(text, what).strip()
    if not line:
        raise InputError(f"{what} is empty. Give it at least one character.")
    fault = line_fault(line, longest)
    if fault:
        hint = "Shorten it." if len(line) > longest else "Write it on one line, without tabs."
        raise InputError(f"{what} {fault}. {hint}")
    return line


def check_label(label: str, what: str = "the label") -> str:
    return check_line(label, what, LABEL_LENGTH)


def check_spans(spans: Sequence[Span], text: str, tokenization: Tokenization, what: str = "the spans") -> str:
    """Spans as they are stored: apart from each other and at the borders of the project's words.
    InputError otherwise."""
    for slot in {span.slot for span in spans}:
        check_line(slot, f"a slot's name in {what}", LABEL_LENGTH)
    try:
        tags_of(spans, tokenize(text, tokenization), text)
    except InputError as error:
        raise InputError(f"{what}: {error}") from error
    written = write_spans(spans)
    if len(written) > SPANS_LENGTH:
        raise InputError(
            f"{what} take {len(written):,} characters; at most {SPANS_LENGTH:,} can be stored. Cut the text in two."
        )
    return written


def check_person(name: str, what: str = "the annotator's name") -> str:
    """A name as it is kept. InputError for one that is no line, or in which something cannot be seen."""
    line = check_line(name, what, PERSON_LENGTH)
    unseen = unseen_sign(line)
    if unseen:
        raise InputError(
            f"{what} {visible(line)!r} holds U+{ord(unseen):04X}, which cannot be seen and lets one name look like "
            "another. Remove it."
        )
    return line


def check_name(name: str) -> str:
    return check_line(name, "the project's name", NAME_LENGTH)


@dataclass(frozen=True)
class CheckedText:
    """An example that can be stored as it is."""

    text: str
    label: str | None
    split: str | None


def check_corpus(corpus: Corpus, task: Task, tokenization: Tokenization) -> list[CheckedText]:
    """Every example as it will be stored in a project for this task; one InputError for all that cannot be."""
    return list(checked_examples(corpus, task, tokenization))


def checked_examples(examples: Iterable[Example], task: Task, tokenization: Tokenization) -> Iterator[CheckedText]:
    """The examples that can be stored, one by one as they will be; at the end one InputError for all that cannot."""
    faults: list[str] = []
    count = 0
    checked = _LABELS[task]
    known: dict[str, str] = {}
    for number, example in enumerate(examples, start=1):
        try:
            text = check_text(example.text, f"text {number}")
            yield CheckedText(text, checked(example, number, tokenization, known), example.split)
        except InputError as error:
            count += 1
            if count <= _SHOWN:
                faults.append(str(error))
    if faults:
        more = [f"... and {count - _SHOWN:,} more."] if count > _SHOWN else []
        raise InputError("\n".join([*faults, *more, "Nothing was stored."]))


def _spans(example: Example, number: int, tokenization: Tokenization, known: dict[str, str]) -> str | None:
    """The spans of an example as they are stored."""
    if example.spans is None:
        return None
    return check_spans(example.spans, example.text, tokenization, f"the spans of text {number}")


def _label(example: Example, number: int, tokenization: Tokenization, known: dict[str, str]) -> str | None:
    """The label of an example as it is stored. `known` keeps those that were checked: millions of texts have a few."""
    if example.label is None:
        return None
    if example.label not in known:
        known[example.label] = check_label(example.label, f"the label of text {number}")
    return known[example.label]


_LABELS = {Task.CLASSIFICATION: _label, Task.SLOT_FILLING: _spans}


def cleaned(text: str) -> str:
    """`text` with a question mark for what cannot be stored: for messages, which must never be refused."""
    return text.encode("utf-8", "replace").decode().replace("\x00", "?")


def plain(value: Any, where: str = "the value") -> Any:
    """`value` as plain JSON: numbers of other libraries become Python's, numbers that are not finite None."""
    if value is None or isinstance(value, (bool, str)):
        return check_text(value, where) if isinstance(value, str) else value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(inner, f"{where}[{key!r}]") for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner, f"{where}[{place}]") for place, inner in enumerate(value)]
    raise TypeError(f"{where} is a {type(value).__name__}; only text, numbers, lists and dictionaries can be stored")
