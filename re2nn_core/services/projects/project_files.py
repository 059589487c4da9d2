"""A project as files: `project.toml`, which names the rules, the label logic and the texts beside it.

Sample projects are such folders and archives are such folders in a zip, so one reader serves both. It reads
from bytes, never from a path that a file names.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from re2nn_core.errors import DataFileError, InputError, JsonError
from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead, read_slot_corpus
from re2nn_core.exchange.slot_filling.write import render_slot_jsonl
from re2nn_core.exchange.tables.write import render_table
from re2nn_core.files import read_json, read_toml
from re2nn_core.rules.sentences import read_sentences, toml_string
from re2nn_core.rules.word_lists.content import with_content
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.store import KeptQueue, PastEvent, ProjectRecord, TextRecord, from_line, queue_from_lines
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.counting import counted
from re2nn_core.text.label_form import label_form
from re2nn_core.text.tokenization import Tokenization, TokenizerKind

SETTINGS = "project.toml"
TEXTS = "texts.jsonl"
SENTENCES = "sentences.toml"
# What was done in the project; an archive made by hand has none.
HISTORY = "history.jsonl"
TEXT_KEYS = ("title", "task", "description", "tokenizer", "rules", "logic", "texts", "sentences", "policy")
# How texts are given out, and each place in the queue; where there is a queue.
QUEUE = "queue.jsonl"
# The labels that texts came with, as [position, label], where people gave another.
GOLD = "gold.jsonl"
SWITCHES = ("lowercase", "ignore_slot_case")


@dataclass(frozen=True)
class ProjectFiles:
    """All that a project is made from."""

    title: str
    task: Task
    description: str
    tokenization: Tokenization
    corpus: Corpus
    rules_text: str
    logic_text: str
    ignore_slot_case: bool = False
    history: tuple[PastEvent, ...] = ()
    sentences_text: str = ""
    policy: str = "every"
    queue: KeptQueue | None = None


def read_settings(data: bytes) -> dict[str, Any]:
    """The settings of a project.toml; DataFileError where it is not one."""
    try:
        settings = read_toml(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise DataFileError(f"'{SETTINGS}' is not UTF-8 (byte {error.start:,}). Save it as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise DataFileError(f"'{SETTINGS}' is not TOML: {error}.") from error
    for key in TEXT_KEYS:
        if key in settings and not isinstance(settings[key], str):
            raise DataFileError(f"'{SETTINGS}': {key} must be text in quotes (got {settings[key]!r}).")
    for key in SWITCHES:
        if not isinstance(settings.get(key, True), bool):
            raise DataFileError(f"'{SETTINGS}': {key} must be true or false (got {settings[key]!r}).")
    if settings.get("task", Task.CLASSIFICATION) not in tuple(Task):
        raise DataFileError(f"'{SETTINGS}': the task must be one of {', '.join(Task)} (got {settings['task']!r}).")
    return settings


def read_project_files(files: Mapping[str, bytes]) -> ProjectFiles:
    """The project that the files make. DataFileError names what is missing or damaged."""
    settings = read_settings(_file(files, SETTINGS))
    texts_name = settings.get("texts", "texts.tsv")
    task, tokenization = Task(settings.get("task", Task.CLASSIFICATION)), _tokenization(settings)
    read = _TEXT_FILES[task].read(_file(files, texts_name), texts_name, tokenization)
    if read.bad_rows:
        more = (
            f" ({counted(len(read.bad_rows) - 1, 'more row has errors', 'more rows have errors')})"
            if len(read.bad_rows) > 1
            else ""
        )
        raise DataFileError(f"'{texts_name}', {read.bad_rows[0]}{more}. Correct the file, then open it again.")
    logic_name = settings.get("logic", "")
    sentences_name = settings.get("sentences", "")
    history = read_done(files[HISTORY]) if HISTORY in files else ()
    return ProjectFiles(
        title=settings.get("title") or settings.get("name") or "Imported project",
        task=task,
        description=settings.get("description", ""),
        tokenization=tokenization,
        corpus=as_it_came(read.corpus, files[GOLD], task) if GOLD in files else read.corpus,
        rules_text=with_content(_text(files, settings.get("rules", "rules.txt")), lambda name: _list(files, name)),
        logic_text=_text(files, logic_name) if logic_name else "",
        ignore_slot_case=settings.get("ignore_slot_case", False),
        history=history,
        sentences_text=_sentences(files, sentences_name) if sentences_name else "",
        policy=settings.get("policy", "every"),
        queue=queue_from_lines(_json_lines(files[QUEUE], QUEUE)) if QUEUE in files else None,
    )


def read_done(data: bytes) -> tuple[PastEvent, ...]:
    """The events in history.jsonl."""
    found = tuple(from_line(line, number) for number, line in enumerate(_json_lines(data, HISTORY), start=1))
    for done in found:
        if isinstance(text := (done.data or {}).get("sentences_text"), str):
            read_sentences(text, f"'{HISTORY}', event {done.number}")
    return found


def as_it_came(corpus: Corpus, data: bytes, task: Task) -> Corpus:
    """The texts with the labels they came with, in place of those that people gave.
    DataFileError for a line that is no text of the project."""
    examples = list(corpus)
    for line in _json_lines(data, GOLD):
        match line:
            case [int(position), str() | None as gold] if 0 <= position < len(examples):
                examples[position] = label_form(task).labelled(examples[position], gold)
            case _:
                raise DataFileError(f"'{GOLD}' holds {line!r}, which is no text of the project. Export it again.")
    return Corpus(tuple(examples))


def _json_lines(data: bytes, name: str) -> Iterator[Any]:
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            yield read_json(line)
        except JsonError as error:
            raise DataFileError(f"'{name}', line {number}: {error}. Export the project again.") from error


def render_project_files(
    project: ProjectRecord,
    texts: tuple[TextRecord, ...],
    rules_text: str,
    logic_text: str,
    sentences_text: str = "",
) -> dict[str, bytes]:
    """The files of a project; `read_project_files` reads them back to the same project."""
    settings: dict[str, str | bool] = {
        "title": project.name,
        "task": project.task,
        "description": project.description,
        "tokenizer": project.tokenization.kind,
        "lowercase": project.tokenization.lowercase,
        **_TEXT_FILES[project.task].settings(project),
        **({"policy": project.policy} if project.policy != "every" else {}),
        "texts": TEXTS,
        "rules": "rules.txt",
        "logic": "logic.toml",
        **({"sentences": SENTENCES} if sentences_text else {}),
    }
    lines = "".join(f"{key} = {_toml(value)}\n" for key, value in settings.items())
    return {
        SETTINGS: lines.encode("utf-8"),
        "rules.txt": rules_text.encode("utf-8"),
        "logic.toml": logic_text.encode("utf-8"),
        **({SENTENCES: sentences_text.encode("utf-8")} if sentences_text else {}),
        TEXTS: render_texts(project.task, texts),
    }


def render_texts(task: Task, texts: Sequence[TextRecord]) -> bytes:
    """Texts as lines of JSON."""
    return _TEXT_FILES[task].render(texts)


@dataclass(frozen=True)
class _TextFile:
    """The file of texts of a task: how it is read and written, and the settings that only such a project has."""

    read: Callable[[bytes, str, Tokenization], CorpusRead | SlotCorpusRead]
    render: Callable[[Sequence[TextRecord]], bytes]
    settings: Callable[[ProjectRecord], dict[str, bool]]


def _render_labels(texts: Sequence[TextRecord]) -> bytes:
    rows = [(record.text, record.label, record.split) for record in texts]
    return render_table(("text", "label", "split"), rows, "jsonl")


_TEXT_FILES = {
    Task.CLASSIFICATION: _TextFile(
        lambda data, name, tokenization: read_corpus(data, name), _render_labels, lambda project: {}
    ),
    Task.SLOT_FILLING: _TextFile(
        lambda data, name, tokenization: read_slot_corpus(data, name, tokenization=tokenization),
        lambda texts: render_slot_jsonl(span_examples_of(texts)),
        lambda project: {"ignore_slot_case": project.ignore_slot_case},
    ),
}


def _toml(value: str | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return toml_string(value)


def _sentences(files: Mapping[str, bytes], name: str) -> str:
    text = _text(files, name)
    read_sentences(text, f"'{name}'")
    return text


def _file(files: Mapping[str, bytes], name: str) -> bytes:
    if name not in files:
        raise DataFileError(
            f"The file '{name}' is missing; a project needs it. Files found: {', '.join(sorted(files)) or 'none'}."
        )
    return files[name]


def _list(files: Mapping[str, bytes], name: str) -> bytes:
    if name not in files:
        raise InputError(f"the archive has no file '{name}' in the folder of {SETTINGS}")
    return files[name]


def _text(files: Mapping[str, bytes], name: str) -> str:
    try:
        return _file(files, name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataFileError(f"'{name}' is not UTF-8 (byte {error.start:,}). Save it as UTF-8.") from error


def _tokenization(settings: Mapping[str, Any]) -> Tokenization:
    try:
        kind = cast(TokenizerKind, settings.get("tokenizer", "whitespace"))
        return Tokenization(kind, settings.get("lowercase", True))
    except ValueError as error:
        raise InputError(f"'{SETTINGS}': {error}.") from error
