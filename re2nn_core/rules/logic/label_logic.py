"""Label logic: which label a sentence gets from the rules that accept it. This module gathers its parts:

formulas.py         formulas over rule names
formula_parser.py   from text to formula
decisions.py        label logic, and the label of a sentence
first.py            formulas that predict before all others
logic_read.py       TOML and JSON files
"""

from __future__ import annotations

from re2nn_core.rules.logic.decisions import Decision, LabelLogic, decide_all, decide_labels, default_logic
from re2nn_core.rules.logic.formula_parser import parse_formula
from re2nn_core.rules.logic.formulas import NEVER, And, Fact, Formula, Not, Or, evaluate_formula, facts, print_formula
from re2nn_core.rules.logic.logic_read import LogicFormat, read_logic, read_logic_file, write_logic

__all__ = [
    "NEVER",
    "And",
    "Decision",
    "Fact",
    "Formula",
    "LabelLogic",
    "LogicFormat",
    "Not",
    "Or",
    "decide_labels",
    "decide_all",
    "default_logic",
    "evaluate_formula",
    "facts",
    "parse_formula",
    "print_formula",
    "read_logic",
    "read_logic_file",
    "write_logic",
]
