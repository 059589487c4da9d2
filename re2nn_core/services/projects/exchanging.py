"""Projects from files and files from projects, in every format: text by text, with progress, whole or not at all.

Texts wait on the disk until the last one is read and go into the store in one transaction, so that no fault and no
process that is killed leaves half a project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from re2nn_core.errors import DataFileError, InputError, NotFoundError
from re2nn_core.exchange.annotation_tools.annotated import WantedParts
from re2nn_core.exchange.export import Numbered, Unheld, write_examples
from re2nn_core.exchange.formats import FileFormat
from re2nn_core.exchange.hugging_face.files import folder_on_disk, split_in
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import CorpusPart, label_parts, slot_parts, task_parts
from re2nn_core.exchange.slot_filling.corpora import folder_looks_like_slots, looks_like_slots
from re2nn_core.exchange.slot_filling.fitting_tokenizer import FirstTexts, fitting_tokenizer
from re2nn_core.exchange.sources import bytes_of
from re2nn_core.exchange.tables.column_choice import ColumnChoice
from re2nn_core.exchange.tables.table import BadRow, Progress
from re2nn_core.services.projects.duplicate_texts import DuplicateCounter, Duplicates, NewTexts
from re2nn_core.services.projects.projects import refuse_taken
from re2nn_core.services.rule_writing.starter_rules import starter_rules_for
from re2nn_core.services.rule_writing.suggested_rules import suggested_in
from re2nn_core.services.team.annotations import refuse_blind
from re2nn_core.services.team.people import AT_THE_MACHINE, require_role
from re2nn_core.services.team.training_labels import adjudicated_texts
from re2nn_core.store import (
    ProjectRecord,
    Store,
    TextRecord,
    count_texts,
    create_from_stream,
    get_project,
    import_texts,
    latest_version,
    list_projects,
    list_texts,
)
from re2nn_core.task import Task
from re2nn_core.text.corpus import Example
from re2nn_core.text.held_out import HoldOut
from re2nn_core.text.label_form import LabelForm, label_form
from re2nn_core.text.tokenization import Tokenization, suggested_kind

# FileReading and checking take this share of an import, writing the rest.
_READ = 0.75
_PAGE = 5_000
_LOOKED_AT = 200
# So many characters of a text are named.
_SHOWN = 60
_LOOK_BYTES = 64 * 2**20


@dataclass(frozen=True)
class FileRead:
    """One file of an import: its rows left out, notes on what was decided from it, and which columns were read."""

    name: str
    bad_rows: tuple[BadRow, ...]
    notes: tuple[str, ...]
    columns: ColumnChoice | None = None


@dataclass(frozen=True)
class Imported:
    """The project, how many texts were added to it, and what was read file by file.

    `rules`: the labels or slots of a new project for which rules were suggested. Of texts for a project that exists:
    `already` of the `read` ones are there with the same answer or bring none, and were `kept` or not; `differing` are
    there with another one. `repeated` says in words what `repeats` counts: texts that came more than once in the files.
    `held_out` says what was put into the split test, if that was asked for. Not `written`: what would be added.
    """

    project: ProjectRecord
    added: int
    files: tuple[FileRead, ...]
    rules: tuple[str, ...] = ()
    read: int = 0
    already: int = 0
    differing: int = 0
    kept: bool = False
    repeated: str = ""
    repeats: Duplicates = Duplicates()
    held_out: str = ""
    written: bool = True


@dataclass
class _Reader:
    """The files of an import, one after the other; what was refused is kept, texts are handed on."""

    sources: Sequence[Path]
    task: Task
    reading: FileReading
    on_progress: Progress | None = None
    # On the choice of the tokenizer, told with the first file.
    first_notes: Sequence[str] = ()
    hold_out: HoldOut | None = None
    files: list[FileRead] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.repeats = DuplicateCounter(self.task)

    def examples(self, tokenization: Tokenization) -> Iterator[tuple[Example, ...]]:
        splits = {} if self.reading.split else splits_in_names(self.sources)
        for place, source in enumerate(self.sources):
            reading = replace(self.reading, split=splits.get(source, self.reading.split))
            bad_rows: list[BadRow] = []
            notes = [*self.first_notes] if place == 0 else []
            if source in splits:
                notes.append(
                    f"Its texts that name no split are in {splits[source]}, as the name of the file says. --split "
                    "chooses another for all files."
                )
            columns: ColumnChoice | None = None
            kept = annotated = 0
            for part in task_parts(self.task, source, source.name, tokenization, reading, self._reporting(place)):
                bad_rows += part.bad_rows
                notes += part.notes
                columns = columns or part.columns
                kept += len(part.examples)
                annotated += sum(example.label is not None or example.spans is not None for example in part.examples)
                examples = part.examples if self.hold_out is None else tuple(map(self.hold_out.take, part.examples))
                for example in examples:
                    self.repeats.take(example)
                yield examples
            columns = columns and columns.of_imported(kept, annotated)
            self.files.append(FileRead(source.name, tuple(bad_rows), tuple(notes), columns))
            if not kept:
                first = f" {bad_rows[0]}." if bad_rows else ""
                raise DataFileError(f"'{source.name}' holds no row that can be read.{first}")

    def _reporting(self, place: int) -> Progress | None:
        on_progress = self.on_progress
        if on_progress is None:
            return None
        return lambda share: on_progress((place + share) / len(self.sources))


def splits_in_names(sources: Sequence[Path]) -> dict[Path, str]:
    """The splits that the names of several files say, train.conll and test.conll; none where they do not differ."""
    found = {source: split for source in sources if source.is_file() and (split := split_in(source.stem)) is not None}
    return found if len(set(found.values())) > 1 else {}


def import_new(  # noqa: PLR0913 - what is imported and how, each by keyword
    store: Store,
    sources: Sequence[Path],
    *,
    name: str,
    person: str,
    task: Task | None = None,
    tokenization: Tokenization | None = None,
    reading: FileReading | None = None,
    description: str = "",
    suggest_rules: bool = True,
    rules: tuple[str, str] | None = None,
    hold_out: int | None = None,
    on_progress: Progress | None = None,
) -> Imported:
    """A new project from files. `task` and `tokenization` are found from the first file where they are not given; its
    first rules are suggested from the texts, unless that is not wanted; or they are these `rules` with this label
    logic, as they were read with the tokenization. `hold_out`: so many percent of each label go
    into the split test, where no split is named.

    ConflictError where there is a project of the name, DataFileError for a file that cannot be used: then there is no
    new project.
    """
    require_role(store, person, "owner", "import texts")
    refuse_taken(store, name)
    reading = reading or FileReading()
    task = task or task_of(sources[0], reading)
    note = ""
    if tokenization is None:
        tokenization, note = tokenization_of_file(sources[0], task, reading)
    drawn = None if hold_out is None else HoldOut(hold_out)
    reader = _Reader(sources, task, reading, _up_to(_READ, on_progress), [note] if note else [], drawn)
    write_rules = starter_rules_for(task)
    read = _Counted()
    project, added = create_from_stream(
        store,
        name=name,
        task=task,
        examples=chain.from_iterable(reader.examples(tokenization)),
        rules_of=lambda first: rules[0] if rules else write_rules(first, tokenization, suggest=suggest_rules),
        logic_text=rules[1] if rules else "",
        author=person,
        description=description,
        tokenization=tokenization,
        progress=read.take,
        written=read.reporting(on_progress),
    )
    _over(on_progress)
    suggested = () if rules else suggested_rules(store, project)
    repeats = reader.repeats.found()
    # Texts stand in the project as they were read.
    first = "" if repeats.first is None else list_texts(store, project.id, offset=repeats.first, limit=1)[0].text
    reported = repeats.in_words(task, first[:_SHOWN])
    held = "" if drawn is None else drawn.in_words
    return Imported(project, added, tuple(reader.files), suggested, repeated=reported, repeats=repeats, held_out=held)


def suggested_rules(store: Store, project: ProjectRecord) -> tuple[str, ...]:
    """The labels or slots for which the newest rules of a project hold what was suggested from its texts."""
    text = latest_version(store, project.id).rules_text
    return suggested_in(text, project.task)


def import_more(
    store: Store,
    project: ProjectRecord,
    sources: Sequence[Path],
    *,
    person: str,
    reading: FileReading | None = None,
    keep_doubles: bool = False,
    write: bool = True,
    on_progress: Progress | None = None,
) -> Imported:
    """Texts behind those of a project that exists: all of them, or none. What the project has already with the same
    answer is left out, unless `keep_doubles`. Without `write` what would be added, and nothing is. InputError for a
    file of slots where the project has labels."""
    require_role(store, person, "owner", "import texts")
    reading = reading or FileReading()
    for source in sources:
        _refuse_slots(project, source, reading)
    reader = _Reader(sources, project.task, reading, _up_to(_READ, on_progress))
    new = NewTexts(store, project, keep_doubles)
    examples = new.new_ones(reader.examples(project.tokenization))
    read = _Counted()
    if write:
        added = import_texts(
            store, project.id, examples, person=person, progress=read.take, written=read.reporting(on_progress)
        )
    else:
        added = sum(1 for _ in examples)
    _over(on_progress)
    repeats = reader.repeats.found()
    return Imported(
        get_project(store, project.id),
        added,
        tuple(reader.files),
        read=new.read,
        already=new.already,
        differing=new.differing,
        kept=keep_doubles,
        repeated=repeats.in_words(project.task),
        repeats=repeats,
        written=write,
    )


def _refuse_slots(project: ProjectRecord, source: Path, reading: FileReading) -> None:
    """InputError for a file of slots that a project of labels should take, before any of its rows is read."""
    of_labels = project.task == Task.CLASSIFICATION
    if of_labels and reading.label_column is None and task_of(source, reading) != project.task:
        raise InputError(
            f"{project.name!r} is a project of labels; '{source.name}' holds slots. Nothing was added. Make a project "
            "of its own from the file, or name the columns of its texts and labels."
        )


@dataclass
class _Counted:
    """How many texts were read, as far as is known, so that it can be said which share of them is written."""

    texts: int = 0

    def take(self, texts: int) -> None:
        self.texts = texts

    def reporting(self, on_progress: Progress | None) -> Callable[[int], None] | None:
        if on_progress is None:
            return None
        return lambda done: on_progress(_READ + (1 - _READ) * min(1.0, done / max(1, self.texts)))


def _over(on_progress: Progress | None) -> None:
    if on_progress is not None:
        on_progress(1.0)


def _up_to(most: float, on_progress: Progress | None) -> Progress | None:
    """The same for a part of the work that ends at the share `most`."""
    return None if on_progress is None else lambda share: on_progress(most * share)


def project_named(store: Store, name: str) -> ProjectRecord:
    """The project of a name, in any case of letters. NotFoundError names those that there are."""
    projects = [summary.project for summary in list_projects(store)]
    found = next((project for project in projects if project.name.casefold() == name.strip().casefold()), None)
    if found is None:
        there = ", ".join(repr(project.name) for project in projects[:10]) or "none"
        raise NotFoundError(f"There is no project named {name!r}. There are: {there}.")
    return found


def task_of(source: Path, reading: FileReading) -> Task:
    """What a file looks like: slots where its first rows hold spans or tags, else labels. DataFileError."""
    if source.is_dir():
        return Task.SLOT_FILLING if folder_looks_like_slots(folder_on_disk(source)) else Task.CLASSIFICATION
    if reading.format in ("conll", "txt"):
        return Task.SLOT_FILLING if reading.format == "conll" else Task.CLASSIFICATION
    asked = WantedParts(Task.SLOT_FILLING, reading.text_column, reading.label_column)
    marked = looks_like_slots(_looked_at(source), source.name, asked)
    return Task.SLOT_FILLING if marked else Task.CLASSIFICATION


def _looked_at(source: Path) -> bytes:
    """The bytes of a file, of a very large one its beginning."""
    if source.is_file() and source.stat().st_size > _LOOK_BYTES:
        with source.open("rb") as stream:
            return stream.read(_LOOK_BYTES // 64)
    return bytes_of(source)


def tokenization_of_file(source: Path, task: Task, reading: FileReading) -> tuple[Tokenization, str]:
    """How the texts of a file become words, for slots so that it meets the borders of the spans; and a note on the
    choice, empty where it is the usual one."""
    return _TOKENIZATIONS[task](source, reading)


def _tokenization_for_labels(source: Path, reading: FileReading) -> tuple[Tokenization, str]:
    part = next(label_parts(source, source.name, reading), CorpusPart(()))
    return Tokenization(suggested_kind([example.text for example in part.examples[:_LOOKED_AT]])), ""


def _tokenization_for_slots(source: Path, reading: FileReading) -> tuple[Tokenization, str]:
    def read(tokenization: Tokenization) -> FirstTexts:
        part = next(slot_parts(source, source.name, tokenization, reading), CorpusPart(()))
        return FirstTexts([example.text for example in part.examples], len(part.bad_rows), part.has_words)

    found = fitting_tokenizer(read)
    return Tokenization(found.kind), found.note


_TOKENIZATIONS = {Task.CLASSIFICATION: _tokenization_for_labels, Task.SLOT_FILLING: _tokenization_for_slots}


def export_texts(  # noqa: PLR0913 - what is exported and how, each by keyword
    store: Store,
    project: ProjectRecord,
    target: Path | BinaryIO,
    format: FileFormat,
    *,
    split: str | None = None,
    every_label: bool = False,
    leave_out: bool = False,
    slot_blanks: bool = False,
    person: str = AT_THE_MACHINE,
    on_progress: Progress | None = None,
    on_left_out: Callable[[Sequence[Unheld]], None] | None = None,
) -> int:
    """Write the texts of a project with the answers that may train by its policy, or with every one that stands; how
    many texts were written. DataFileError where a format cannot hold one of them; then nothing is written. With
    `leave_out` the others are, and what was left out is reported. With `slot_blanks` names of slots have blanks for
    `_`. NotAllowedError for a person who labels blind. InputError where there are no texts."""
    refuse_blind(store, project.id, person)
    total = count_texts(store, project.id, split=split)
    if not total:
        which = f" of the split {split}" if split else ""
        raise InputError(f"{project.name!r} has no texts{which}, so there is nothing to export.")
    records = _records(store, project.id, split, _counter(total, on_progress))
    if not every_label:
        records = adjudicated_texts(store, project, records)
    form = label_form(project.task)
    examples = (_numbered(number, record, form) for number, record in enumerate(records, start=1))
    left_out = write_examples(
        target,
        examples,
        format,
        project.task,
        project.tokenization,
        leave_out=leave_out,
        slot_blanks=slot_blanks,
    )
    if left_out and on_left_out is not None:
        on_left_out(left_out)
    return total - len(left_out)


def _counter(total: int, on_progress: Progress | None) -> Callable[[int], None]:
    return lambda done: None if on_progress is None else on_progress(min(1.0, done / total))


def _records(store: Store, project_id: int, split: str | None, reported: Callable[[int], None]) -> Iterator[TextRecord]:
    """All texts in their order, a page at a time."""
    done = 0
    while page := list_texts(store, project_id, split=split, offset=done, limit=_PAGE):
        yield from page
        done += len(page)
        reported(done)


def _numbered(number: int, record: TextRecord, form: LabelForm) -> Numbered:
    return number, form.labelled(Example(record.text, None, record.split), record.label), record.annotator
