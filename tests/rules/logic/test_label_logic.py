"""Label logic: reading, writing, deciding, and every fault at once."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.strategies import formulas

from re2nn_core.errors import InputError, LogicError
from re2nn_core.rules.logic.label_logic import (
    NEVER,
    And,
    Decision,
    Fact,
    Formula,
    LabelLogic,
    Not,
    Or,
    decide_all,
    decide_labels,
    default_logic,
    parse_formula,
    print_formula,
    read_logic,
    read_logic_file,
    write_logic,
)
from re2nn_core.rules.read import read_rules

RULES = read_rules("[flight]\nm1 := a\nm2 := b\n[fare]\nm3 := c\n[city]\nx-1.y/z := d").ruleset
NAMES = tuple(rule.name for rule in RULES.rules)


def faults_of(text: str, format: str = "toml") -> list[tuple[int, int, int, str, str]]:
    with pytest.raises(LogicError) as caught:
        read_logic(text, RULES, format="json" if format == "json" else "toml", file="x")
    return [(f.line, f.column, f.width, f.message, f.advice) for f in caught.value.faults]


def test_default_logic() -> None:
    logic = default_logic(RULES)
    assert logic.labels == ("flight", "fare", "city")
    assert logic.formulas == (Or((Fact("m1"), Fact("m2"))), Fact("m3"), Fact("x-1.y/z"))
    assert read_logic("", RULES, format="toml") == logic
    assert read_logic("{}", RULES, format="json") == logic


def test_toml_and_json_say_the_same() -> None:
    values = {
        "default": "none",
        "labels": ["city", "flight", "fare", "none", "other"],
        "priorities": ["fare > flight > city", "other>flight"],
        "logic": ["(m1 | m2) & !m3 -> flight", "x-1.y/z->other"],
    }
    toml = "\n".join(f"{key} = {json.dumps(value)}" for key, value in values.items())
    logic = read_logic(toml, RULES, format="toml")
    assert logic == read_logic(json.dumps(values), RULES, format="json")
    assert logic.labels == ("city", "flight", "fare", "none", "other")
    flight = And((Or((Fact("m1"), Fact("m2"))), Not(Fact("m3"))))
    assert logic.formulas == (Fact("x-1.y/z"), flight, Fact("m3"), NEVER, Fact("x-1.y/z"))
    assert logic.priorities == (("fare", "flight"), ("flight", "city"), ("other", "flight"))
    assert logic.default == "none"
    assert read_logic(write_logic(logic), RULES, format="toml") == logic


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("m1", Fact("m1")),
        ("m1|m2&m3", Or((Fact("m1"), And((Fact("m2"), Fact("m3")))))),
        ("((m1 | m2)) | m3", Or((Fact("m1"), Fact("m2"), Fact("m3")))),
        ("!!m1", Fact("m1")),
        ("!(m1 & m2)", Not(And((Fact("m1"), Fact("m2"))))),
    ],
)
def test_formulas(text: str, formula: Formula) -> None:
    assert parse_formula(text, NAMES) == (formula, [])


@settings(max_examples=200, deadline=None)
@given(formulas(NAMES))
def test_every_formula_reads_back_as_itself(formula: Formula) -> None:
    assert parse_formula(print_formula(formula), NAMES) == (formula, [])


def test_never_has_no_text() -> None:
    with pytest.raises(ValueError, match="leave its label without a formula"):
        print_formula(NEVER)


@pytest.mark.parametrize(
    ("formula", "column", "width", "message", "advice"),
    [
        ("m1 | m9", 6, 2, "there is no rule 'm9'", "Known here: m1, m2, m3, x-1.y/z"),
        ("x-1.yz", 1, 6, "there is no rule 'x-1.yz'", "Did you mean 'x-1.y/z'?"),
        ("( m1 | m2", 1, 1, "'(' is never closed", "Write the )"),
        ("m1 )", 4, 1, "')' closes nothing", "Remove it"),
        ("m1 & ", 5, 1, "the name of a rule is missing at the end", "(m1 | m2) & !m3"),
        ("| m1", 1, 1, "the name of a rule is missing before '|'", "(m1 | m2) & !m3"),
        ("m1 m2", 4, 2, "'&' or '|' is missing before 'm2'", "(m1 | m2) & !m3"),
        ("m1 && m2", 4, 2, "'&&' is no sign of a formula", "Write & for it"),
        ("m1 || m2", 4, 2, "'||' is no sign of a formula", "Write | for it"),
        ("m1 and m2", 4, 3, "'and' is no sign of a formula", "Write & for it"),
        ("not m2", 1, 3, "there is no rule 'not'", "Write ! for 'not'"),
        ("~m2", 1, 1, "'~' is no sign of a formula", "Write ! for it"),
        ("m1 ; m2", 4, 1, "';' has no place in a formula", "(m1 | m2) & !m3"),
        ("", 1, 1, "the name of a rule is missing at the end", "(m1 | m2) & !m3"),
        ("(" * 2000 + "m1", 51, 1, "more than 50 nested parentheses", "(m1 | m2) & !m3"),
    ],
)
def test_faults_of_formulas(formula: str, column: int, width: int, message: str, advice: str) -> None:
    first = faults_of(f'logic = ["{formula} -> flight"]')[0]
    assert first[:3] == (1, column + 10, width)
    assert message in first[3]
    assert advice in first[4]


def test_every_fault_at_once() -> None:
    text = """defalt = "flight"
default = 3
labels = [
    "fare",
    "a<b",
    "fare",
]
priorities = ["fare > fligt", "fare", "fare > flight", "flight > fare", " > fare"]
logic = ["m1 -> flight", "m2 -> flight", "m1 & m7", "m1 -> a[b]", "m1 -> "]
"""
    found = faults_of(text)
    assert [fault[:4] for fault in found] == [
        (1, 1, 6, "there is no setting 'defalt'"),
        (2, 1, 7, "the default is no label"),
        (3, 1, 6, "'labels' leaves out flight, city, a[b]"),
        (5, 6, 3, "'a<b' cannot be a label"),
        (6, 6, 4, "the label 'fare' is in the list twice"),
        (8, 1, 10, "the priorities form a cycle: flight > fare > flight"),
        (8, 23, 5, "there is no label 'fligt'"),
        (8, 32, 4, "this is no priority"),
        (8, 75, 1, "a label is missing here"),
        (9, 33, 6, "the label 'flight' has a formula already"),
        (9, 43, 7, "the formula does not say which label it is for"),
        (9, 60, 4, "'a[b]' cannot be a label"),
        (9, 68, 6, "the formula does not say which label it is for"),
    ]
    assert found[0][4].startswith("Did you mean 'default'?")
    assert found[6][4].startswith("Did you mean 'flight'?")


@pytest.mark.parametrize(
    ("text", "format", "place", "message", "advice"),
    [
        ("default = flight", "toml", (1, 11), "this is no TOML: Invalid value", 'default = "flight"'),
        ('default = "a', "toml", (1, 12), "this is no TOML", "Texts need quotes"),
        (
            'default = "a"\ndefault = "b"',
            "toml",
            (2, 13),
            "this is no TOML: Cannot overwrite a value",
            "Texts",
        ),
        ('{"default": }', "json", (1, 13), "this is no JSON: Expecting value", "double quotes"),
        ('{"logic": [],\n "logic": []}', "json", (1, 3), "'logic' is in the file twice", "Join the two"),
        ("[]", "json", (1, 1), "the file holds no keys", "Write an object"),
        ("[" * 100_000, "json", (1, 1), "the file is not label logic", "Its keys are default"),
        ("labels = 3", "toml", (1, 1), "'labels' is no list of texts", 'labels = ["a", "b"]'),
        ("x = 1\npriorities = [1]", "toml", (2, 1), "'priorities' is no list of texts", '["a > b"]'),
        ('{"logic": {"a": "m1"}}', "json", (1, 3), "'logic' is no list of texts", '["m1 & !m2 -> a"]'),
        ('logic = ["""m9\\\n -> x"""]', "toml", (1, 1), "there is no rule 'm9' (in 'm9", "Known here"),
    ],
)
def test_faults_of_files(text: str, format: str, place: tuple[int, int], message: str, advice: str) -> None:
    found = [fault for fault in faults_of(text, format) if message in fault[3]]
    assert found
    assert found[0][:2] == place
    assert advice in found[0][4]


def test_a_priority_over_itself_is_a_circle() -> None:
    assert "flight > flight" in faults_of('priorities = ["flight > flight"]')[0][3]


def test_files(tmp_path: Path) -> None:
    for name, text in (("a.toml", 'default = "none"'), ("a.json", '{"default": "none"}')):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert read_logic_file(tmp_path / name, RULES).default == "none"
    (tmp_path / "a.yaml").write_text("default: none", encoding="utf-8")
    with pytest.raises(InputError, match=r"label logic must be a \.toml or \.json file"):
        read_logic_file(tmp_path / "a.yaml", RULES)
    with pytest.raises(InputError, match="there is no such file. Give the path of a file of label logic"):
        read_logic_file(tmp_path / "b.toml", RULES)
    (tmp_path / "bad.toml").write_text('logic = ["m9 -> x"]', encoding="utf-8")
    with pytest.raises(LogicError, match=r"bad\.toml:1:11: there is no rule 'm9'"):
        read_logic_file(tmp_path / "bad.toml", RULES)


@pytest.mark.parametrize(
    ("matched", "decision"),
    [
        ([], Decision("city", (), ())),
        (["m1"], Decision("flight", ("flight",), ())),
        (["m1", "m3"], Decision("fare", ("fare",), ("flight",))),
        (["m3", "x-1.y/z"], Decision("fare", ("fare", "city"), ())),
        (["m1", "x-1.y/z"], Decision("flight", ("flight",), ("city",))),
        # flight is beaten itself, and beats city all the same: its formula is true.
        (["m2", "m3", "x-1.y/z"], Decision("fare", ("fare",), ("flight", "city"))),
    ],
)
def test_decide(matched: list[str], decision: Decision) -> None:
    logic = read_logic('default = "city"\npriorities = ["fare > flight > city"]', RULES, format="toml")
    assert decide_labels(logic, matched) == decision


def logics() -> st.SearchStrategy[LabelLogic]:
    labels = ("flight", "fare", "city", "other")
    forward = st.sampled_from(list(itertools.combinations(labels, 2)))
    return st.builds(
        lambda logic, pairs, default: LabelLogic(labels, tuple(logic), tuple(pairs), default),
        st.lists(formulas(NAMES), min_size=4, max_size=4),
        st.lists(forward, unique=True, max_size=4),
        st.sampled_from([None, *labels]),
    )


@settings(max_examples=60, deadline=None)
@given(logics())
def test_decide_all_is_decide_for_every_sentence(logic: LabelLogic) -> None:
    matched = np.array(list(itertools.product([False, True], repeat=len(NAMES))))
    predictions = decide_all(logic, NAMES, matched)
    assert predictions.dtype == np.int64
    for row, prediction in zip(matched, predictions, strict=True):
        label = decide_labels(logic, [name for name, true in zip(NAMES, row, strict=True) if true]).label
        assert prediction == (-1 if label is None else logic.labels.index(label))


@settings(max_examples=60, deadline=None)
@given(logics())
def test_written_logic_reads_as_the_same(logic: LabelLogic) -> None:
    assert read_logic(write_logic(logic), RULES, format="toml") == logic


def test_decide_all_without_labels_or_sentences() -> None:
    assert decide_all(LabelLogic((), ()), [], np.zeros((2, 0), dtype=bool)).tolist() == [-1, -1]
    assert decide_all(default_logic(RULES), NAMES, np.zeros((0, 4), dtype=bool)).tolist() == []


def test_decide_all_needs_a_column_for_each_rule() -> None:
    with pytest.raises(ValueError, match=r"got shape \(2, 3\), missing: x-1.y/z"):
        decide_all(default_logic(RULES), NAMES[:3], np.zeros((2, 3), dtype=bool))
    with pytest.raises(ValueError, match=r"got shape \(2, 3\), missing: none"):
        decide_all(default_logic(RULES), NAMES, np.zeros((2, 3), dtype=bool))


def test_labels_without_rules_may_be_known_from_elsewhere() -> None:
    with pytest.raises(LogicError, match="there is no label 'other'"):
        read_logic('priorities = ["other > fare"]', RULES, format="toml")
    logic = read_logic(f'priorities = ["other > {RULES.labels[0]}"]', RULES, format="toml", labels=("other",))
    assert logic.labels == ("other", *RULES.labels)
    assert logic.formulas[0] == NEVER
    with pytest.raises(LogicError, match="'labels' leaves out other"):
        read_logic('labels = ["fare"]', RULES, format="toml", labels=("other",))


@pytest.mark.parametrize(
    ("logic", "message"),
    [
        ({"labels": ("a",), "formulas": ()}, "1 labels need as many formulas"),
        ({"labels": ("a", "a"), "formulas": (NEVER, NEVER)}, "each label must be listed once"),
        ({"labels": ("a",), "formulas": (NEVER,), "default": "b"}, "not among the labels: b"),
        ({"labels": ("a",), "formulas": (NEVER,), "priorities": (("a", "c"),)}, "not among the labels: c"),
        ({"labels": ("a",), "formulas": (NEVER,), "priorities": (("a", "a"),)}, "cycle .got a > a"),
    ],
)
def test_label_logic_is_checked(logic: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LabelLogic(**logic)  # type: ignore[arg-type]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["m1", "m9", "x-1.y/z", *"()&|!~;> ", "->", "&&", "and"]), max_size=14).map("".join))
def test_any_formula_is_read_or_its_faults_have_places(text: str) -> None:
    formula, problems = parse_formula(text, NAMES)
    for problem in problems:
        assert 0 <= problem.offset <= len(text)
        assert problem.advice
    if not problems:
        assert parse_formula(print_formula(formula), NAMES) == (formula, [])
