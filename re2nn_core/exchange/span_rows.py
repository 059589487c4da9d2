"""Rows of slot data as files have them, and the examples they make: words with tags, or a text with spans.

The text of words with tags is the words with one blank between. Nothing is read otherwise than it stands without a
note: tags of the schemes IOBES, BILOU and BMES become BIO, and an I- that continues nothing begins a span.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from re2nn_core.errors import InputError
from re2nn_core.exchange.counted_offsets import OffsetUnit, SpanInFile, unit_in_words
from re2nn_core.exchange.found_spans import first_faults, slot_name, spans_in_text
from re2nn_core.exchange.remarks import Remarks
from re2nn_core.exchange.tables.cells import SPLIT_ALIASES
from re2nn_core.exchange.tables.column_choice import ColumnChoice
from re2nn_core.exchange.tables.jsonl import kind_of
from re2nn_core.exchange.tables.table import BadRow, RefusedError, cell_fault
from re2nn_core.text.corpus import SPLITS, Example
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.lines import line_fault
from re2nn_core.text.spans import Span, check_tags, meets_borders, overlaps, parts_of, span_faults, spans_of
from re2nn_core.text.tokenization import SPLITTING_KINDS, Token, Tokenization, TokenizerKind, tokenize

# What other schemes write for B- and I-; these four end a span, so that the next word cannot continue it.
_SCHEMES = {"S": "B", "U": "B", "E": "I", "L": "I", "M": "I"}
_ENDINGS = frozenset("SUEL")
_NAMED = 6


@dataclass(frozen=True)
class SlotRow:
    """One text: its words with their tags, or as it stands with its spans. `tags` and `spans` are None where nobody
    gave any. `place` says where it stands in files in which a line says little ("task 7"). `of_words`: the text is made
    of the words of the file, so that offsets may count these."""

    line: int
    split: str | None = None
    tokens: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    text: str = ""
    spans: tuple[SpanInFile, ...] | None = None
    place: str = ""
    of_words: bool = False


@dataclass
class SlotRows:
    """The rows of a file, those refused, notes, and which columns of a table were read."""

    rows: list[SlotRow] = field(default_factory=list)
    bad_rows: list[BadRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    columns: ColumnChoice | None = None


@dataclass
class Readings:
    """How many texts were read otherwise than they stand, and the first of each kind."""

    repaired: int = 0
    first_repair: str = ""
    converted: int = 0
    first_converted: int = 0
    cut_otherwise: int = 0
    wide_words: int = 0
    inside_words: int = 0
    # Of these, how many each other tokenizer could read.
    readable: Counter[TokenizerKind] = field(default_factory=Counter)
    remarks: Remarks = field(default_factory=Remarks)
    # What offsets count, where a person said it or the file shows it, and whether borders of words did.
    unit: OffsetUnit | None = None
    unit_found: bool = False
    # What a person has to say of offsets.
    open_units: str = ""
    names: dict[str, str] = field(default_factory=dict)

    def note_names(self, written: Iterable[str]) -> None:
        """Remember the names of slots as they are written, and what they are read as."""
        self.names.update({name: slot_name(name) for name in written if name})

    def notes(self, tokenization: Tokenization) -> tuple[str, ...]:
        notes = []
        if self.converted:
            notes.append(
                f"{texts(self.converted)} with tags of another scheme (S-, E-, U-, L- or M-; first on line "
                f"{self.first_converted:,}): read as the same spans in BIO."
            )
        if self.repaired:
            notes.append(
                f"{texts(self.repaired)} with an I- tag that continues no span of its slot, read as B- as conlleval "
                f"does; first on {self.first_repair}."
            )
        if self.cut_otherwise:
            notes.append(
                f"{texts(self.cut_otherwise)} refused because '{tokenization.kind}' cuts their words otherwise than "
                "the file does. Choose the tokenizer 'whitespace' to read them all."
            )
        if self.readable:
            notes.append(self._other_tokenizer(tokenization))
        if self.wide_words:
            notes.append(
                f"{texts(self.wide_words)} with a no-break space or another special space inside a word: the space was "
                "kept, and counts as a border between two words."
            )
        if self.open_units:
            notes.append(self.open_units)
        if self.unit_found and self.unit is not None:
            notes.append(
                f"Offsets count {unit_in_words(self.unit)}: counted so, more spans begin and end where words do. If "
                "they count characters, write --offsets characters."
            )
        return (*notes, *self.remarks.notes(), *_renaming_notes(self.names))

    def take_faults(self, text: str, spans: Sequence[Span], tokenization: Tokenization) -> None:
        """Count a text that is refused if its spans meet the borders of words nowhere else than here."""
        if overlaps(spans) or meets_borders(spans, text, tokenization):
            return
        if all(span.end <= len(text) for span in spans):
            self.inside_words += 1
            fitting = (kind for kind in SPLITTING_KINDS if meets_borders(spans, text, Tokenization(kind)))
            self.readable.update(fitting)

    def _other_tokenizer(self, tokenization: Tokenization) -> str:
        """What could be done for the texts whose spans begin or end inside a word."""
        reported = f"{texts(self.inside_words)} with a span that begins or ends inside a word of the tokenizer "
        reported += f"'{tokenization.kind}'"
        kind = max(SPLITTING_KINDS, key=lambda kind: self.readable[kind])
        count = self.readable[kind]
        which = ("it" if count == 1 else "all of them") if count == self.inside_words else f"{count:,} of them"
        return f"{reported}: with --tokenizer {kind} {which} can be read."


def _renaming_notes(names: Mapping[str, str]) -> Iterable[str]:
    pairs = [f"'{name[:40]}' is read as '{read[:40]}'" for name, read in names.items() if name != read]
    if pairs:
        named = first_names(pairs, _NAMED)
        yield f"Names of slots hold no blanks: {named}. Exports have the old names with --slot-blanks."
    alike = [read for read, count in Counter(names.values()).items() if count > 1]
    if alike:
        yield f"Several names of the file became one slot: {first_names(list(map(repr, alike)), _NAMED)}."


def split_of(value: object) -> str | None:
    """The split that a row names; RefusedError for one that there is not."""
    if value is None or value == "":
        return None
    split = SPLIT_ALIASES.get(value.strip().casefold()) if isinstance(value, str) else None
    if split is None:
        shown = value[:40] if isinstance(value, str) else kind_of(value)
        raise RefusedError(f"split '{shown}' is not one of {', '.join(SPLITS)}")
    return split


def joined_words(words: object) -> str | None:
    """The text of words whose spans have offsets: the words with one blank between, where none holds a blank itself."""
    whole = isinstance(words, list) and all(isinstance(word, str) and word.split() == [word] for word in words)
    return " ".join(words) if isinstance(words, list) and whole else None


def texts(count: int) -> str:
    return counted(count, "text")


def example_of(row: SlotRow, tokenization: Tokenization, readings: Readings) -> Example:
    """The example a row makes; RefusedError tells all that is wrong with it."""
    made = _example_of(row, tokenization, readings)
    faults = {span.slot: line_fault(span.slot) for span in made.spans or ()}
    wrong = [f"the slot {slot[:40]!r} {fault}" for slot, fault in faults.items() if fault]
    if wrong:
        raise RefusedError(first_faults(wrong))
    return made


def _example_of(row: SlotRow, tokenization: Tokenization, readings: Readings) -> Example:
    if row.tokens is not None:
        return _from_words(row, row.tokens, tokenization, readings)
    fault = "the text is empty" if not row.text.strip() else cell_fault((row.text,), ("text",))
    if fault:
        raise RefusedError(fault)
    if row.spans is None:
        return Example(row.text, None, row.split)
    if row.of_words and row.spans and readings.unit is None:
        raise RefusedError(
            "has spans next to words and no text, so their offsets may count words: say what they count with --offsets "
            "words, words-inclusive or characters"
        )
    where = f"in {row.place}" if row.place else f"on line {row.line:,}"
    spans = spans_in_text(row.text, row.spans, lambda what: readings.remarks.add(what, where), readings.unit)
    faults = list(span_faults(spans, tokenize(row.text, tokenization), row.text))
    if faults:
        readings.take_faults(row.text, spans, tokenization)
        raise RefusedError(first_faults(faults))
    readings.note_names(span.slot for span in row.spans)
    return Example(row.text, None, row.split, spans)


def _from_words(row: SlotRow, words: tuple[str, ...], tokenization: Tokenization, readings: Readings) -> Example:
    faults = _word_faults(words, row.tags)
    tags = None if row.tags is None else tuple(map(_named_tag, row.tags))
    bio = None if tags is None else to_bio(tags)
    faults += _tag_faults(tags or (), bio or ())
    if faults:
        raise RefusedError(first_faults(faults))
    text, tokens = _joined(words)
    fault = cell_fault((text,), ("text",))
    if fault:
        raise RefusedError(fault)
    _check_cut(text, tokens, tokenization, readings)
    readings.wide_words += any(len(word.split()) > 1 for word in words)
    if bio is None:
        return Example(text, None, row.split)
    readings.note_names(tag.partition("-")[2] for tag in row.tags or ())
    if bio != tags:
        readings.converted += 1
        readings.first_converted = readings.first_converted or row.line
    repairs = check_tags(bio)
    if repairs:
        readings.repaired += 1
        readings.first_repair = readings.first_repair or f"line {row.line:,}, {repairs[0]}"
    return Example(text, None, row.split, spans_of(bio, tokens))


def to_bio(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Tags of IOBES, BILOU or BMES as BIO; others stay as they are."""
    result, ended = [], False
    for tag in tags:
        prefix, dash, slot = tag.partition("-")
        meant = _SCHEMES.get(prefix, prefix) if dash else prefix
        result.append(f"{'B' if ended and meant == 'I' else meant}{dash}{slot}")
        ended = bool(dash) and prefix in _ENDINGS
    return tuple(result)


def _named_tag(tag: str) -> str:
    """A tag with the blanks in the name of its slot as `_`."""
    prefix, dash, slot = tag.partition("-")
    return f"{prefix}-{slot_name(slot)}" if dash else tag


def _word_faults(words: tuple[str, ...], tags: tuple[str, ...] | None) -> list[str]:
    if not words:
        return ["the sentence has no words"]
    faults = []
    if tags is not None and len(tags) != len(words):
        faults.append(f"has {counted(len(words), 'word')} but {counted(len(tags), 'tag')}; each word needs one")
    for number, word in enumerate(words, start=1):
        if not word:
            faults.append(f"word {number} is empty")
        elif not _is_one_word(word):
            faults.append(f"word {number}, {word!r}, holds a blank; cut it in two, or give the text with spans")
    return faults


def _is_one_word(word: str) -> bool:
    """True for a word without blanks but for special spaces between its letters, which stand for no border."""
    pieces = word.split()
    return word == word.strip() and all(map(_is_special_space, set(word) - set("".join(pieces))))


def _is_special_space(character: str) -> bool:
    return character != " " and unicodedata.category(character) == "Zs"


def _tag_faults(tags: tuple[str, ...], bio: tuple[str, ...]) -> list[str]:
    """A fault for each tag of a shape nobody knows."""
    if tags and all(map(str.isdecimal, tags)):
        return [
            f"its tags are numbers, such as {tags[0]!r}, whose names the file does not hold; write the names (B-city), "
            "or import the folder or Parquet file of the data set, which holds them"
        ]
    faults = []
    for number, (tag, read) in enumerate(zip(tags, bio, strict=True), start=1):
        try:
            parts_of(read)
        except InputError:
            faults.append(f"tag {number}, {tag!r}, is no tag: O, B-slot or I-slot is expected")
    return faults


def _joined(words: tuple[str, ...]) -> tuple[str, tuple[Token, ...]]:
    """The words with one blank between, and where each stands."""
    tokens, place = [], 0
    for word in words:
        tokens.append(Token(word, place, place + len(word)))
        place += len(word) + 1
    return " ".join(words), tuple(tokens)


def _check_cut(text: str, tokens: tuple[Token, ...], tokenization: Tokenization, readings: Readings) -> None:
    """RefusedError where the tokenizer would find other words than the file gives."""
    if tokenization.kind == "whitespace":
        return
    cut = tokenize(text, tokenization)
    places = {(token.start, token.end) for token in cut}
    for number, token in enumerate(tokens, start=1):
        if (token.start, token.end) not in places:
            readings.cut_otherwise += 1
            pieces = ", ".join(repr(piece.text) for piece in cut if token.start <= piece.start < token.end)
            raise RefusedError(
                f"'{tokenization.kind}' cuts word {number}, {token.text!r}, otherwise ({pieces}); "
                "words that come with tags are read with the tokenizer 'whitespace'"
            )
