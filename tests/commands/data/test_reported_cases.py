"""Every case that was reported, replayed: what is imported or printed, and no sign of the fault.

`RIGHT` has the right result of each case by its number. What is imported is given as "2 order | 1 fare": how many texts
have which label, or which words in which slot; "-" is a text without annotation, "" one without a span.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.command_line import Call
from support.processor_time import takes_less_than
from support.reported_cases import MISSING, ReportedCase, reported_cases

# The case has no file but the program that writes it: rules of which reading took a time that grew with their square.
MANY_RULES = "E1.1"
CASES = tuple(case for case in reported_cases() if case.name != MANY_RULES)


@dataclass(frozen=True)
class Right:
    """`imported` as above, None where nothing is; `reported`: parts of what is printed. `named`: the message names what
    was the sign of the fault, so that the sign alone says nothing."""

    imported: str | None
    reported: tuple[str, ...] = ()
    code: int = 0
    named: bool = False


def read(imported: str, *reported: str) -> Right:
    return Right(imported, reported)


def noted(imported: str | None, *reported: str, code: int = 0) -> Right:
    return Right(imported, reported, code, named=True)


def refused(*reported: str) -> Right:
    return Right(None, reported, 2)


def printed(*reported: str, code: int = 0) -> Right:
    return Right(None, reported, code)


RIGHT = {
    "A1.1": read("2 order | 2 money | 2 greet", "label: reason, 3 values, 6 of 6 filled", "not read: lang"),
    "A1.2": read("2 order | 2 money | 2 greet", "label: my_choice, 3 values, 6 of 6 filled", "not read: id, annotator"),
    "A2.1": read("13 greet | 11 refund | 16 order", "label: reason, 3 values, 40 of 40 filled", "not read: note"),
    "A3.1": read("10 negative | 18 neutral | 12 positive", "label: airline_sentiment, 3 values, 40 of 40 filled"),
    "A4.1": read("3 1 | 3 0", "text: Review; label: Liked, 2 values, 6 of 6 filled"),
    "A6.1": read("1 order | 1 refund", "Line 1 names the separator ';' and was left out."),
    "A6.3": read("1 a | 1 b", "1 line above the names of columns left out, from line 1 on ('# exported 2024-01-01')."),
    "A6.4": read("1 a | 1 b", "2 lines above the names of columns left out", "not read: date"),
    "A6.5": read("157 ham | 43 spam", "The first row was read as column names", "text: v2; label: v1, 2 values"),
    "A7.1": read("1 London = geo | 1 Rome = geo", "One word a row: words are those of 'Word', tags those of 'Tag'"),
    "A8.1": read("2 sadness | 2 joy | 1 anger", "Cells are separated by ';'.", "label: label, 3 values, 5 of 5 filled"),
    "A9.1": read("1 tv | 1 sign | 1 x"),
    "B1.1": read("1 Porto = City | 1 Rome = City", "spans: label"),
    "B2.1": read("1 a = Letter", "1 row with offsets in UTF-16 units, which were converted"),
    "B2.2": read("1 a = Letter", "1 row with offsets in UTF-16 units, which were converted"),
    # Nothing in the file says which of the two is meant.
    "B2.4": noted("1 b = Letter", "no quoted words to check its offsets by", "write --offsets utf-16, else"),
    "B2.5": read("1 Porto = City | 1 Rome = City", "1 row with offsets in UTF-16 units, which were converted"),
    "B3.1": read("1 - | 1 fly", "1 row with a choice about a region, which is no label of the text and is not read"),
    "B4.1": read("1 pos | 1 neg"),
    "B5.1": read("1 Rome = City", "text: my_text"),
    "B5.2": read("1 fly", "label: intent"),
    "B5.3": read("1 Rome = City", "text: ner"),
    "B5.5": read("1 Dallas = Team", "text: ner"),
    "B6.1": read("1 Rome = Place_Name | 1 ", "'Place Name' is read as 'Place_Name'", "2 texts added (slots)"),
    "B7.1": read("1 -", "2 rows with one accepted suggestion, which leaves the other words open"),
    # The names are not in the file.
    "B8.1": noted("1 Rome = 7 | 1 Oslo = 7", "2 rows with a number for the name of a slot; numbers stand for names"),
    "B10.1": read("1 Positive | 1 Negative"),
    "B11.1": read("2 Jo Doe = Actor", "2 rows with blanks at the ends of a span, left out of it"),
    # The tokenizer that was asked for does not cut there.
    "B12.1": noted("1 Rome = City", "with --tokenizer word-parts all of them can be read", "3 rows left out"),
    "B13.1": read("1 ", "2 rows with spans of the group 'sc' in place of entities", 'and [6, 19, "City"] overlap'),
    "C1.1": read(
        "1 Bremen = LOC; Uni Bremen = ORG | 1 ", "the words were read from column 2", "those of column 3 were read"
    ),
    "C2.1": read("1 Finn = PER", "CoNLL-U: the words are those of FORM"),
    "C2.2": refused("'nlu.yml' looks like YAML of Rasa (nlu), which is not read here.", "rasa data convert nlu"),
    "C3.1": read("1 10\u00a0000 = NUM", "1 text with a no-break space or another special space inside a word"),
    "C3.2": refused("line 2: has 5 columns, but line 1 has 4"),
    "C3.4": refused("line 2: has 2 columns, but line 1 has 3"),
    "C4.1": read("1 Rome = City | 1 Oslo = City", "2 lines were left out as comment or -DOCSTART- ('# annotator O'"),
    "C5.1": read("1 Rome = LOC; Uni Bremen = ORG", "Columns 2 and 3 hold tags; those of column 2 were read"),
    "C6.1": read("1 Oslo = City", "line 2: the word is empty; one is expected before its tag 'O'"),
    "C7.1": refused("'webanno.tsv' looks like TSV of WebAnno or INCEpTION, which is not read here.", "CoNLL 2002"),
    "C8.1": noted(None, "holds the word -DOCSTART-, which in CoNLL is a border between documents", code=2),
    "D1.1": read("1 pos | 1 neg | 1 -", "label: label, 2 values, 2 of 3 filled"),
    "D2.1": read("1 Rome = city | 1 ", "spans: spans"),
    "D2.3": read("1 Rome = city | 1 ", "spans: entities"),
    "D3.1": noted("2 a | 1 b", "3 texts added", "not read: md5"),
    "D3.3": noted("1 order | 1 refund | 1 greet", "3 texts added", "not read: notes"),
    "D4.1": read("1 a | 1 b", "not read: meta.source"),
    "D5.1": read("1 book (train) | 1 time (dev) | 1 cancel (test)", "split: split (file names)"),
    "D6.1": read("1 order_status"),
    "D7.1": read("1 a | 1 b | 1 -", "not read: score"),
    "E2.1": printed(
        '"text": "q b b", "spans": [{"start": 0, "end": 3,', '"text": "a b", "spans": [{"start": 0, "end": 3,'
    ),
    "E3.1": printed("3 rules for 1 label, no errors.", "4 sentences of 3 rules checked, none failed."),
    "E4.1": printed("1 sentence of 1 rule checked, none failed."),
    "E5.1": printed("rule 'r': needs more than 20,000 states.", "no command can use it", code=1),
    "E6.1": Right(None, ("too many for a drawing.", "Write its largest part as a separate rule and draw that"), 2),
    "E8.1": printed("A class cannot hold itself: @a@ does.", code=1),
}


@pytest.mark.skipif(not CASES, reason=MISSING)
def test_each_reported_case_has_its_right_result() -> None:
    assert [case.name for case in CASES] == [*RIGHT]
    assert [name for name, right in RIGHT.items() if right.named] == ["B2.4", "B8.1", "B12.1", "C8.1", "D3.1", "D3.3"]


@pytest.mark.parametrize(
    "case", CASES or [pytest.param(None, marks=pytest.mark.skip(MISSING))], ids=lambda c: c and c.name
)
def test_reported_case(case: ReportedCase, re2nn: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    right = RIGHT[case.name]
    code, said, exported = _called(case, re2nn) if case.command else _imported(case, re2nn, tmp_path)
    assert code == right.code, said
    assert [part for part in right.reported if part not in said] == [], said
    assert exported == right.imported
    if case.sign and not right.named:
        written = "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("*.jsonl"))
        assert case.sign not in said + written


def _called(case: ReportedCase, re2nn: Call) -> tuple[int, str, None]:
    """The code of the last call, and what all of them printed and wrote."""
    done = [re2nn(*shlex.split(call)) for call in case.calls]
    files = "".join(path.read_text(encoding="utf-8") for path in Path().glob("x.*"))
    return done[-1].code, "".join(one.out + one.err for one in done) + files, None


def _imported(case: ReportedCase, re2nn: Call, folder: Path) -> tuple[int, str, str | None]:
    home = ("--home", str(folder / "home"))
    done = re2nn("import", case.file, "--project", "P", *shlex.split(case.options), *home)
    if done.code:
        return done.code, done.out + done.err, None
    assert re2nn("export", "x.jsonl", "--project", "P", *home).code == 0
    counts = Counter(_annotation(json.loads(line)) for line in Path("x.jsonl").read_text(encoding="utf-8").splitlines())
    return done.code, done.out + done.err, " | ".join(f"{count} {what}" for what, count in counts.items())


def _annotation(row: dict[str, object]) -> str:
    text, split = str(row["text"]), row["split"]
    spans = row.get("spans")
    named = "; ".join(f"{text[begin:end]} = {slot}" for begin, end, slot in spans) if isinstance(spans, list) else "-"
    return f"{row.get('label') or named}{f' ({split})' if split else ''}"


@pytest.mark.skipif(not CASES, reason=MISSING)
def test_20_000_rules_are_checked_within_seconds(re2nn: Call, tmp_path: Path) -> None:
    [program] = [case.file for case in reported_cases() if case.name == MANY_RULES]
    subprocess.run([sys.executable, program], cwd=tmp_path, check=True)
    file = tmp_path / "many_rules.txt"
    assert re2nn("check", file).out.startswith(f"{file}: 20,000 rules for 2,000 labels")
    assert takes_less_than(15, lambda: re2nn("check", file))  # 28 to 52 s where each rule asked for all words
