"""What several commands read: a rule system or a model, and a corpus, with their warnings told on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.commands._common.options import NeededTexts, ReadingOptions, has_option, note
from re2nn_core.commands._common.sources import Sources, rules_of
from re2nn_core.errors import DataFileError, Fault, InputError
from re2nn_core.rules.logic.unused_rules import CHANGES_NOTHING
from re2nn_core.rules.warnings.checks import NEVER
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.api.classification import LabelModel
    from re2nn_core.exchange.corpora import CorpusRead, UnknownLabel
    from re2nn_core.exchange.tables.table import BadRow, Table
    from re2nn_core.services.projects.left_out import LeftOutKind
    from re2nn_core.services.rule_systems.classification.systems import RuleSystem

# So many rows or labels are reported one by one.
_LISTED = 10
_LINES = 6  # of rows left out for one reason


def report_warnings(
    warnings: Sequence[Fault], file: Path, tokenization: Tokenization | None, *, logic: Path | None = None
) -> None:
    """How many warnings of rules there are, the first of what can never match, and the first of rules that no formula
    of the label logic names: `check` shows all in full."""
    if not warnings:
        return
    options = "" if logic is None else f" --logic {logic}"
    options += "" if tokenization is None else "".join(f" {option}" for option in options_of(tokenization))
    see = f"see {'it' if len(warnings) == 1 else 'them'} with: re2nn check {file}{options}"
    note(f"{file}: {counted(len(warnings), 'warning')}; {see}")
    for kind in (NEVER, CHANGES_NOTHING):
        found = [warning for warning in warnings if kind in warning.message]
        if found:
            first = found[0]
            more = f" ({len(found) - 1:,} more of the kind)" if len(found) > 1 else ""
            note(f"  line {first.line}: {first.where}: {first.message}. {first.advice}{more}")


def options_of(tokenization: Tokenization) -> tuple[str, ...]:
    """The options that ask for a tokenization."""
    return ("--tokenizer", tokenization.kind, *(() if tokenization.lowercase else ("--no-lowercase",)))


def unlike_defaults(tokenization: Tokenization, *, ignores_slot_case: bool = False) -> str:
    """The options that a next command needs to read texts as a model was trained to; empty for the defaults."""
    usual = Tokenization()
    options = [
        *(["--tokenizer", tokenization.kind] if tokenization.kind != usual.kind else []),
        *(["--no-lowercase"] if usual.lowercase and not tokenization.lowercase else []),
        *(["--ignore-slot-case"] if ignores_slot_case else []),
    ]
    return "".join(f" {option}" for option in options)


def report_left_out(bad_rows: Sequence[BadRow], file: str, *, every: bool = False) -> None:
    """Rows of a file that could not be used: the first of each kind with line and reason, or `every` one."""
    if not bad_rows:
        return
    from re2nn_core.services.projects.left_out import kinds_left_out

    head = f"{file}: {counted(len(bad_rows), 'row')} left out:"
    if every:
        note("\n".join([head, *(f"  {bad}" for bad in bad_rows)]))
        return
    kinds = kinds_left_out(bad_rows)
    lines = [line for kind in kinds[:_LISTED] for line in _kind_in_words(kind)]
    if len(kinds) > _LISTED:
        lines.append(f"  and {counted(len(kinds) - _LISTED, 'other reason')}")
    if len(bad_rows) > len(kinds) or len(kinds) > _LISTED:
        lines.append("Write --all-faults to see each of them.")
    note("\n".join([head, *lines]))


def _kind_in_words(kind: LeftOutKind) -> Iterator[str]:
    first, *others = kind.lines
    yield f"  line {first:,}: {kind.reason}"
    if others:
        named = ", ".join(f"{line:,}" for line in others[:_LINES]) + (" ..." if len(others) > _LINES else "")
        yield f"    the same in {counted(len(others), 'more row')}: {'lines' if len(others) > 1 else 'line'} {named}"


def report_unknown_labels(
    unknown: Sequence[UnknownLabel], file: str, outcome: str = "none that the rules can give: counted as wrong"
) -> None:
    """Labels of texts that no prediction can be, which count as wrong predictions unless `outcome` says otherwise."""
    for found in unknown[:_LISTED]:
        meant = f" Did you mean '{found.nearest}'?" if found.nearest else ""
        texts = counted(found.texts, "text")
        note(f"{file}: the label '{found.label}' ({texts}) is {outcome}.{meant}")
    if len(unknown) > _LISTED:
        note(f"{file}: {counted(len(unknown) - _LISTED, 'more such label')}")


def note_unmatched(model: LabelModel, texts: Sequence[str]) -> None:
    """That rules match none of the texts: whoever knows regular expressions leaves out the $* around the words."""
    if model.bundle is None and len(texts) and not model.system.matched(texts).any():
        note(
            f"No rule matches any of the texts ({len(texts):,}). A rule has to match a whole text: "
            "$* refund $* matches each text with the word refund, refund matches a text of this word alone."
        )


def load_system(rules_path: Path, logic_path: Path | None, tokenization: Tokenization | None) -> RuleSystem:
    """The rule system of the files."""
    from re2nn_core.services.rule_systems.classification.sources import load_rules

    loaded = load_rules(rules_path, logic_path, tokenization or Tokenization())
    report_warnings(loaded.warnings, rules_path, tokenization, logic=logic_path)
    return loaded.system()


def rules_and_network(sources: Sources) -> LabelModel:
    """Rules from files, a network from a model folder. A model brings its own rules where none are given."""
    from re2nn_core.api.classification import LabelModel

    model = None
    if sources.model is not None:
        from re2nn_core.api.models import network_of_folder

        model = network_of_folder(sources.model)
        refuse_other_tokenization(model.tokenization, sources.tokenization, sources.model)
    system = rules_of(sources, model, of_files=load_system, of_model=lambda found: found.system)
    return LabelModel(system, None if model is None else model.bundle)


def refuse_other_tokenization(trained: Tokenization, given: Tokenization | None, model: Path) -> None:
    """InputError where a model is asked to cut texts otherwise than it has learned to."""
    if given is not None and given.settings != trained.settings:
        options = " ".join(options_of(trained))
        raise InputError(f"{model} was made for {options}. Leave these options out for a model.")


def read_label_texts(
    path: Path,
    reading: ReadingOptions,
    *,
    split_column: str | None = None,
    labelled: bool = False,
    data: bytes | None = None,
    model: Path | None = None,
) -> CorpusRead:
    """The corpus of a file; `-` reads from stdin; `data` is what stands there, where it was read already. With
    `labelled` there has to be a column of labels. `model`: the folder of a model for labels that the texts are for.

    What was found out from the file and the rows left out are reported on stderr. DataFileError.
    """
    from re2nn_core.exchange.tables.decoding import EncodingError

    try:
        table = _table_of(path, reading, split_column, data)
        _report_decisions(table, reading, str(path))
        read = _corpus_of(table, reading, split_column, labelled)
    except EncodingError as error:
        raise DataFileError(error.for_command) from None
    except DataFileError as error:
        if _holds_slots(path):
            if model is not None:
                raise DataFileError(f"{path} holds slots. {NeededTexts(model, Task.CLASSIFICATION).message}") from None
            raise DataFileError(f"{error}\n{_no_captures()}") from None
        raise
    report_left_out(read.bad_rows, str(path), every=reading.all_faults)
    return read


def _no_captures() -> str:
    """What else than labels the file may have been given for."""
    why = ", or --task is labels" if has_option("task") else ""
    return (
        f"The file contains slots, but the task is labels: the rules capture no word{why}. Write [ ... ]<slot> in the "
        "rules around the words of a slot, or give a file of texts with labels."
    )


def _holds_slots(path: Path) -> bool:
    """Whether a file that could not be read as texts with labels is one of slots."""
    from re2nn_core.exchange.slot_filling.corpora import looks_like_slots

    return path.is_file() and looks_like_slots(path.read_bytes())


def _table_of(path: Path, reading: ReadingOptions, split_column: str | None, data: bytes | None) -> Table:
    from re2nn_core.exchange.read import read_table

    from_stdin = str(path) == "-"
    if from_stdin and data is None:
        data = sys.stdin.buffer.read()
    if data is None:
        refuse_missing(path)
    from re2nn_core.exchange.tables.columns import names_asked_for

    return read_table(
        path if data is None else data,
        "stdin" if from_stdin else path.name,
        format=reading.file_format,
        header=reading.header,
        encoding=reading.encoding,
        wanted=names_asked_for(reading.text_column, reading.label_column, split_column),
    )


TABLES = "CSV, TSV, JSONL, TXT or Parquet"


def refuse_missing(path: Path, kinds: str = TABLES) -> None:
    """DataFileError for a path without a file; `kinds` are those that could be read."""
    if path.is_dir():
        raise DataFileError(f"{path}: this is a folder. Give the path of a file of texts in it.")
    if not path.exists():
        raise DataFileError(f"{path}: there is no such file. Give a file of texts: {kinds}.")


def _report_decisions(table: Table, reading: ReadingOptions, file: str) -> None:
    """What was found out from the file alone, and the option that says otherwise."""
    for reported in table.notes:
        note(f"{file}: {reported}")
    if reading.header is None and table.format in ("csv", "tsv") and table.had_header and table.guessed_header:
        note("If the first row is a text like the others, write --no-header.")


def _corpus_of(table: Table, reading: ReadingOptions, split_column: str | None, labelled: bool) -> CorpusRead:
    """The texts of a table; columns that are not named are found by name and content."""
    from re2nn_core.exchange.corpora import to_corpus
    from re2nn_core.exchange.tables.columns import choose_columns, names_asked_for

    asked = reading.text_column
    if not reading.needs_columns and asked is not None and set(names_asked_for(asked)).isdisjoint(table.columns):
        asked = None
    chosen = choose_columns(table, predicted=reading.predicted)
    chosen = chosen.with_asked(asked, reading.label_column, split_column)
    text, label, split = chosen.text, chosen.label, chosen.split
    if labelled and label is None:
        raise DataFileError(chosen.no_labels(table.name, reading.label_option))
    read = to_corpus(table, text_column=text, label_column=label, split_column=split, strip_html=reading.strip_html)
    if chosen.not_read:
        note(f"{table.name}: {chosen.in_words(options=True, label_option=reading.label_option)}.")
    if labelled and not read.corpus.labels:
        raise DataFileError(
            f"'{table.name}': the column '{label}' holds no label. Choose another column with {reading.label_option}."
        )
    return read
