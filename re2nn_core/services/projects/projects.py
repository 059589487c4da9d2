"""Projects as the first page shows them: samples, new ones from an upload, archives in and out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from re2nn_core.errors import ConflictError, DataFileError, NotFoundError
from re2nn_core.exchange.annotation_tools.annotated import WantedParts
from re2nn_core.exchange.corpora import CorpusRead, to_corpus
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.tables.column_choice import ColumnChoice, joined_columns
from re2nn_core.exchange.tables.columns import choose_columns, names_asked_for, place_of
from re2nn_core.exchange.tables.refused_columns import refuse_columns
from re2nn_core.exchange.tables.table import Progress, Table
from re2nn_core.exchange.tables.turns.written_turns import columns_of
from re2nn_core.services.projects.app_paths import application_folder
from re2nn_core.services.projects.archives import MOST_BYTES, read_archive
from re2nn_core.services.projects.project_files import SETTINGS, ProjectFiles, read_project_files, read_settings
from re2nn_core.services.rule_writing.classification.starter_rules import starter_rules
from re2nn_core.services.rule_writing.slot_filling.starter_rules import slot_starter_rules
from re2nn_core.services.team.people import require_role
from re2nn_core.store import ProjectRecord, Store, create_project, create_with_history, list_projects
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import Tokenization

SAMPLES = application_folder() / "sample_projects"
_FOLDER_BYTES = 50 * 2**20


@dataclass(frozen=True)
class SampleCard:
    """A sample project as it lies in its folder."""

    name: str
    title: str
    task: Task
    description: str


@dataclass(frozen=True)
class Upload:
    """An uploaded table and the columns it seems to have."""

    table: Table
    guess: ColumnChoice

    @property
    def may_have_header(self) -> bool:
        """True for the formats in which a first row may or may not name the columns."""
        return self.table.format in ("csv", "tsv", "txt")


def list_samples(folder: Path = SAMPLES) -> tuple[SampleCard, ...]:
    """The sample projects that came with the program, by title."""
    cards = []
    for settings_file in sorted(folder.glob(f"*/{SETTINGS}")):
        settings = read_settings(settings_file.read_bytes())
        name = settings_file.parent.name
        cards.append(
            SampleCard(
                name,
                settings.get("title", name),
                settings.get("task", "classification"),
                settings.get("description", ""),
            )
        )
    return tuple(sorted(cards, key=lambda card: card.title))


def open_sample(store: Store, name: str, person: str, *, folder: Path = SAMPLES) -> ProjectRecord:
    """A new project from a sample. NotFoundError names the samples that there are."""
    require_role(store, person, "owner", "make a project")
    known = [card.name for card in list_samples(folder)]
    if name not in known:
        raise NotFoundError(f"There is no sample project {name!r}. There are: {', '.join(known) or 'none'}.")
    files = read_project_files({path.name: _bytes_of(path) for path in _files_in(folder / name)})
    return _create(store, files, person, sample=name)


def import_archive(
    store: Store, source: bytes | Path, person: str, *, name: str | None = None, most_bytes: int = MOST_BYTES
) -> ProjectRecord:
    """A new project from a zip file, called `name`, or else as in the file; DataFileError says what is wrong with it,
    ConflictError that there is a project of the name."""
    require_role(store, person, "owner", "import a project")
    if name is not None:
        refuse_taken(store, name)
    files = read_archive(source, most_bytes=most_bytes)
    return _create(store, files if name is None else replace(files, title=name.strip()), person)


def read_upload(
    data: bytes,
    name: str,
    *,
    format: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    text_column: str | None = None,
    label_column: str | None = None,
    on_progress: Progress | None = None,
) -> Upload:
    """An uploaded file as a table, with a guess at its columns. Of `format` and `header`, which says whether the first
    row names them, None lets the file tell. `text_column` and `label_column` are those that a person named.
    DataFileError for what cannot be read, for columns that are refused, and for a column that there is not."""
    table = read_table(
        data,
        name,
        format=format,
        encoding=encoding,
        header=header,
        wanted=names_asked_for(text_column, label_column),
        asked=WantedParts(text=text_column, label=label_column),
        on_progress=on_progress,
    )
    for column in columns_of(joined_columns(text_column, table.columns), table.columns) if text_column else ():
        place_of(table, column, "the texts")
    for column in joined_columns(label_column, table.columns) if label_column else ():
        place_of(table, column, "the labels")
    guess = choose_columns(table, text_column).with_asked(text_column, label_column, None)
    refuse_columns(guess, table, text_column, label_column)
    return Upload(table, guess)


def corpus_of(
    table: Table,
    *,
    text_column: str,
    label_column: str | None,
    split_column: str | None,
    strip_html: bool = False,
) -> CorpusRead:
    """The texts that a project made from the table would have, with the rows left out and why; without their HTML where
    that is wanted."""
    return to_corpus(
        table, text_column=text_column, label_column=label_column, split_column=split_column, strip_html=strip_html
    )


def create_from_corpus(
    store: Store,
    *,
    name: str,
    read: CorpusRead,
    tokenization: Tokenization,
    person: str,
    description: str = "",
    suggest_rules: bool = True,
) -> ProjectRecord:
    """A new project whose first rules name the words that tell its labels apart, if that is wanted."""
    require_role(store, person, "owner", "make a project")
    return create_project(
        store,
        name=name,
        examples=read.corpus,
        rules_text=starter_rules(read.corpus, tokenization, suggest=suggest_rules),
        logic_text="",
        author=person,
        description=description,
        tokenization=tokenization,
    )


def create_slot_project(
    store: Store,
    *,
    name: str,
    corpus: Corpus,
    tokenization: Tokenization,
    person: str,
    description: str = "",
    ignore_slot_case: bool = False,
    suggest_rules: bool = True,
) -> ProjectRecord:
    """A new project with slots, whose first rules name what fills them in its texts, if that is wanted."""
    require_role(store, person, "owner", "make a project")
    return create_project(
        store,
        name=name,
        task=Task.SLOT_FILLING,
        examples=corpus,
        rules_text=slot_starter_rules(corpus, tokenization, suggest=suggest_rules),
        logic_text="",
        author=person,
        description=description,
        tokenization=tokenization,
        ignore_slot_case=ignore_slot_case,
    )


def free_project_name(store: Store, wanted: str) -> str:
    """The wanted name, or the first numbered one that no project has."""
    taken = {summary.project.name.casefold() for summary in list_projects(store)}
    name, number = wanted, 1
    while name.casefold() in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def refuse_taken(store: Store, name: str) -> None:
    """ConflictError where a project has the name."""
    key = name.strip().casefold()
    if any(summary.project.name.casefold() == key for summary in list_projects(store)):
        raise ConflictError(
            f"There is already a project named {name.strip()!r}. Choose another name, for example "
            f"{free_project_name(store, name.strip())!r}, or add the texts to it."
        )


def _create(store: Store, files: ProjectFiles, person: str, sample: str | None = None) -> ProjectRecord:
    if files.history and sample is None:
        return create_with_history(
            store,
            name=free_project_name(store, files.title),
            examples=files.corpus,
            history=files.history,
            author=person,
            task=files.task,
            description=files.description,
            tokenization=files.tokenization,
            ignore_slot_case=files.ignore_slot_case,
            policy=files.policy,
            queue=files.queue,
        )
    return create_project(
        store,
        name=free_project_name(store, files.title),
        examples=files.corpus,
        rules_text=files.rules_text,
        logic_text=files.logic_text,
        author=person,
        task=files.task,
        description=files.description,
        tokenization=files.tokenization,
        sample=sample,
        ignore_slot_case=files.ignore_slot_case,
        sentences_text=files.sentences_text,
        policy=files.policy,
    )


def _files_in(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_file()]


def _bytes_of(path: Path) -> bytes:
    if path.stat().st_size > _FOLDER_BYTES:
        raise DataFileError(f"'{path.name}' is larger than {_FOLDER_BYTES // 2**20} MiB.")
    return path.read_bytes()
