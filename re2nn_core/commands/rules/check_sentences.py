"""check --sentences: do the rules match what they must, and refuse what they must not?"""

from __future__ import annotations

import tomllib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.errors import InputError
from re2nn_core.files import read_toml
from re2nn_core.rules.text_file import read_text_file
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.rule_writing.rule_sentences import SentenceReport, System


def with_sentences(prediction: CommandResult, system: System, path: Path) -> CommandResult:
    """The result of `check` with what became of the sentences in a file; not ok where one fails. InputError where the
    file cannot be read."""
    from re2nn_core.rules.sentences import read_sentences
    from re2nn_core.services.rule_writing.rule_sentences import check_sentences

    text = read_text_file(path, "a file of sentences")
    _refuse_logic(text, path)
    report = check_sentences(system, read_sentences(text, str(path)))
    ok = prediction.ok and not report.failures
    data = {**prediction.data, "ok": ok, "sentences": _shape(report)}
    return CommandResult(data, f"{prediction.text}\n\n{_in_words(report, path)}", ok)


def _refuse_logic(text: str, path: Path) -> None:
    """InputError for label logic or priorities in the place of sentences."""
    from re2nn_core.rules.logic import logic_read, priorities

    with suppress(tomllib.TOMLDecodeError):
        settings = read_toml(text)
        if settings and all(key in (*logic_read.KEYS, *priorities.KEYS) for key in settings):
            raise InputError(f"{path} has label logic or priorities. Check them with: re2nn check RULES --logic {path}")


def _shape(report: SentenceReport) -> dict[str, Any]:
    return {
        "checked": len(report.checked),
        "failed": [
            {"rule": one.rule, "kind": one.kind, "sentence": one.sentence, "message": str(one)}
            for one in report.failures
        ],
        "orphans": [{"rule": one.rule, "sentences": one.count, "off": one.off} for one in report.orphans],
    }


def _in_words(report: SentenceReport, path: Path) -> str:
    rules = len({one.rule for one in report.checked})
    checked = f"{counted(len(report.checked), 'sentence')} of {counted(rules, 'rule')} checked"
    failed = f"{len(report.failures):,} failed." if report.failures else "none failed."
    lines = [*map(str, report.failures), *map(str, report.orphans), f"{path}: {checked}, {failed}"]
    return "\n".join(lines)
