"""What several commands read: a rule system or a model, and a corpus, with their warnings told on stderr."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.commands.answer import counted
from re2nn_core.commands.options import Reading, note
from re2nn_core.errors import Fault, InputError
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.exchange.corpora import CorpusRead
    from re2nn_core.exchange.table import BadRow
    from re2nn_core.network.bundle import Bundle
    from re2nn_core.services.systems import RuleSystem


@dataclass(frozen=True)
class Speakers:
    """A rule system, and the network that is asked beside it or instead of it."""

    system: RuleSystem
    bundle: Bundle | None


def tell_warnings(warnings: Sequence[Fault], file: Path) -> None:
    """Warnings of rules, in one line: `check` shows them in full."""
    if warnings:
        note(f"{file}: {counted(len(warnings), 'warning')}; see them with: re2nn check {file}")


def tell_left_out(bad_rows: Sequence[BadRow], file: str) -> None:
    """Rows of a file that could not be used, in one line."""
    if bad_rows:
        note(f"{file}: {counted(len(bad_rows), 'row')} left out; the first: {bad_rows[0]}")


def load_system(rules_path: Path, logic_path: Path | None, tokenization: Tokenization | None) -> RuleSystem:
    """The rule system of the files."""
    from re2nn_core.services.sources import load_rules

    loaded = load_rules(rules_path, logic_path, tokenization or Tokenization())
    tell_warnings(loaded.warnings, rules_path)
    return loaded.system()


def load_speakers(
    rules_path: Path | None, logic_path: Path | None, model: Path | None, tokenization: Tokenization | None
) -> Speakers:
    """Rules from files, a network from a model folder. A model brings its own rules where none are given."""
    if model is None:
        if rules_path is None:
            raise InputError("Neither rules nor a model were given. Write --rules FILE, or --model DIR.")
        return Speakers(load_system(rules_path, logic_path, tokenization), None)
    from re2nn_core.network.bundle import load_bundle
    from re2nn_core.services.systems import RuleSystem

    bundle = load_bundle(model)
    _refuse_other_tokenization(bundle.tokenization, tokenization, model)
    if rules_path is not None:
        return Speakers(load_system(rules_path, logic_path, bundle.tokenization), bundle)
    if logic_path is not None:
        raise InputError("--logic belongs to rules: write --rules FILE too, or leave it out.")
    system = RuleSystem(bundle.ruleset, bundle.logic, bundle.tokenization, bundle.rules_text, bundle.logic_text)
    return Speakers(system, bundle)


def _refuse_other_tokenization(trained: Tokenization, given: Tokenization | None, model: Path) -> None:
    if given is not None and given != trained:
        case = "" if trained.lowercase else " --no-lowercase"
        raise InputError(f"{model} was made for --tokenizer {trained.kind}{case}. Leave these options out for a model.")


def read_texts(path: Path, reading: Reading, *, split_column: str | None = None, labelled: bool = False) -> CorpusRead:
    """The corpus of a file; `-` reads from stdin."""
    from re2nn_core.services.sources import load_corpus

    from_stdin = str(path) == "-"
    read = load_corpus(
        sys.stdin.buffer.read() if from_stdin else path,
        "stdin" if from_stdin else "",
        text_column=reading.text_column,
        label_column=reading.label_column,
        split_column=split_column,
        format=reading.file_format,
        encoding=reading.encoding,
        labelled=labelled,
    )
    tell_left_out(read.bad_rows, str(path))
    return read


def joined_corpus(files: Mapping[str, Path | None], reading: Reading) -> Corpus:
    """One corpus of several files, each a split of it; a split column in them plays no part."""
    examples: list[Example] = []
    for split, path in files.items():
        if path is not None:
            read = read_texts(path, reading, labelled=True)
            examples += [replace(example, split=split) for example in read.corpus]
    return Corpus(tuple(examples))
