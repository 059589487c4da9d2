"""Rules, label logic and texts from files: what the command line reads.

The pages read the same things from the store; both hand the services the same values.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.errors import DataFileError, Fault
from re2nn_core.rules.logic import LabelLogic, default_logic, read_logic_file, write_logic
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.text_file import read_text
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.exchange.corpora import CorpusRead
    from re2nn_core.services.systems import RuleSystem


@dataclass(frozen=True)
class LoadedRules:
    """A rule file with its label logic, as read and as written (the logic as TOML; empty where no file was
    given). `warnings` tell what was read but hardly meant."""

    ruleset: RuleSet
    logic: LabelLogic
    tokenization: Tokenization
    rules_text: str
    logic_text: str
    warnings: tuple[Fault, ...]

    def system(self) -> RuleSystem:
        """The rule system of these files."""
        from re2nn_core.services.systems import RuleSystem

        return RuleSystem(self.ruleset, self.logic, self.tokenization, self.rules_text, self.logic_text)


def load_rules(path: Path, logic_path: Path | None, tokenization: Tokenization) -> LoadedRules:
    """Rules and label logic from files. InputError where a file cannot be read; RuleError or LogicError with
    every fault in it."""
    text = read_text(path, "a rule file")
    read = read_rules(text, file=str(path), lowercase=tokenization.lowercase)
    if logic_path is None:
        return LoadedRules(read.ruleset, default_logic(read.ruleset), tokenization, text, "", read.warnings)
    logic = read_logic_file(logic_path, read.ruleset)
    return LoadedRules(read.ruleset, logic, tokenization, text, write_logic(logic), read.warnings)


def load_corpus(
    source: Path | bytes,
    name: str = "",
    *,
    text_column: str | None = None,
    label_column: str | None = None,
    split_column: str | None = None,
    format: str | None = None,
    encoding: str | None = None,
    labelled: bool = False,
) -> CorpusRead:
    """The texts of a file, or of its bytes; columns that are not named are found by name and content. With
    `labelled` there has to be a column of labels. DataFileError."""
    from re2nn_core.exchange.columns import guess_columns
    from re2nn_core.exchange.corpora import to_corpus
    from re2nn_core.exchange.read import read_table

    if isinstance(source, Path):
        _refuse_missing(source)
    table = read_table(source, name, format=format, encoding=encoding)
    guess = guess_columns(table)
    text = text_column or guess.text
    label = label_column or (guess.label if guess.label != text else None)
    split = split_column or (guess.split if guess.split not in (text, label) else None)
    if labelled and label is None:
        columns = ", ".join(table.columns)
        raise DataFileError(
            f"'{table.name}' has no column that looks like labels; its columns are: {columns}.\n"
            "Name the column with --label-column, or call it 'label' in the file."
        )
    read = to_corpus(table, text_column=text, label_column=label, split_column=split)
    if labelled and not read.corpus.labels:
        raise DataFileError(
            f"'{table.name}': the column '{label}' holds no label. Choose another column with --label-column."
        )
    return read


def _refuse_missing(path: Path) -> None:
    if path.is_dir():
        raise DataFileError(f"{path}: this is a folder. Give the path of a file of texts in it.")
    if not path.exists():
        raise DataFileError(f"{path}: there is no such file. Give a file of texts: CSV, TSV, JSONL, TXT or Parquet.")
