"""What a cell holds by its looks: a number, a date, words."""

from __future__ import annotations

import re

# How people name the three splits, in English, German, Spanish, French, Italian, Portuguese and Dutch; a cell is
# compared in lower case and without blanks around it.
SPLIT_ALIASES = {
    **dict.fromkeys(
        (
            *("train", "training", "trainset", "train set", "training set", "train_set", "training_set", "trn"),
            *("trainingsdaten", "trainingssatz", "trainingsset", "trainingsmenge", "lerndaten"),
            *("entrenamiento", "entreno", "entraînement", "entrainement", "apprentissage"),
            *("addestramento", "allenamento", "treino", "treinamento", "trainingsdata"),
        ),
        "train",
    ),
    **dict.fromkeys(
        (
            *("dev", "development", "valid", "validation", "val", "eval", "devset", "dev set", "dev_set"),
            *("validation set", "validation_set", "val_set", "valset"),
            *("validierung", "validierungsdaten", "validierungsset", "validierungsmenge", "entwicklungsdaten"),
            *("validación", "validacion", "desarrollo", "développement", "developpement", "convalida"),
            *("validazione", "sviluppo", "validação", "validacao", "desenvolvimento", "validatie"),
        ),
        "dev",
    ),
    **dict.fromkeys(
        (
            *("test", "testing", "testset", "test set", "test_set", "testing set", "tst"),
            *("testdaten", "testsatz", "testmenge", "prueba", "pruebas", "evaluación", "evaluacion"),
            *("évaluation", "teste", "testes", "avaliação", "avaliacao", "collaudo", "testdata"),
        ),
        "test",
    ),
}
_NUMBER = re.compile(r"[-+]?[$€£]?\d[\d.,' ]*(?:e[-+]?\d+)?\s?[%€$£]?", re.IGNORECASE)
_FRACTION = re.compile(r"[-+]?(?!0*[1-9]\d{0,2}[.,]\d{3}$)\d*[.,]\d+(?:e[-+]?\d+)?\s?%?", re.IGNORECASE)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_WEEKDAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
_DATE = re.compile(
    rf"(?:\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}|\d{{1,2}}[ -]{_MONTH}[ -]\d{{2,4}}|{_MONTH} \d{{1,2}},? \d{{4}})"
    r"(?:[T ,]+\d{1,2}:\d{2}.{0,20})?|\d{1,2}:\d{2}(?::\d{2})?"
    rf"|{_WEEKDAY},? (?:{_MONTH} \d{{1,2}}|\d{{1,2}} {_MONTH}).{{0,30}}",
    re.IGNORECASE,
)
# 02. Mrz, 3-Feb, Mar-05: the day and month, or month and year, that spreadsheets show in the languages of people.
_SHEET_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|mrz|mär|mai|okt|dez|janv|févr|mars|avr|juin|juil|août"
    r"|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|mrt|mei|fev|out)"
)
_SHEET_DATE = re.compile(
    rf"\d{{1,2}}(?:-|\. ?| ){_SHEET_MONTH}\.?|{_SHEET_MONTH}\.?[- ]\d{{2}}|\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}",
    re.IGNORECASE,
)
_LONGEST = 60
# Words in names of columns: cut at signs and where a capital follows a small letter, or begins a word behind others.
# Marks above and below letters, which \w leaves out, are part of a word (Hindi, Thai, Arabic).
_MARKS = (
    r"\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f"
    r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
)
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_MARKS}])*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s\b)[a-z])")
# Byte order marks, blanks without a width, marks of a direction, soft hyphens. Joiners belong to words of some scripts.
_UNSEEN = re.compile("[\ufeff\u200b\u2060\u200e\u200f\u202a-\u202e\u00ad]")
_SHEET_ERROR = re.compile(r"#(?:[A-ZÄÖÜÉÈ]{2,12}[?!]|N/A|DIV/0!)")


def is_numeric_cell(cell: str) -> bool:
    """True for 12, -3.5, 1,200, 80 %, € 5."""
    return len(cell) <= _LONGEST and _NUMBER.fullmatch(cell.strip()) is not None


def has_fraction(cell: str) -> bool:
    """True for a number such as 0.93 or 3,5, in contrast to 12 and to 1,200."""
    return _FRACTION.fullmatch(cell.strip()) is not None


def is_date(cell: str) -> bool:
    """True for a day or a time of day: 2024-01-31, 31.1.2024 12:30, Jan 31, 2024, 12:30,
    Mon Apr 06 22:19:45 PDT 2009."""
    return len(cell) <= _LONGEST and _DATE.fullmatch(cell.strip()) is not None


def bare_name(cell: str) -> str:
    """The name of a column without blanks around it and without characters that nobody sees."""
    return _UNSEEN.sub("", cell).strip()


def words_in(name: str) -> list[str]:
    """The words of a column's name in lower case: customer_comment and customerComment have two."""
    return [word.casefold() for word in _WORD.findall(_CAMEL.sub(" ", name))]


def is_sheet_error(cell: str) -> bool:
    """True for what spreadsheets write in the place of a cell that they could not read: #NAME?, #REF!, #BEZUG!."""
    return cell[:1] == "#" and _SHEET_ERROR.fullmatch(cell) is not None


def is_date_of_sheet(cell: str) -> bool:
    """True for a day as spreadsheets show it where 2-3 or 3/2 was typed: 02. Mrz, 3-Feb, Mar-05, 03.02.2024."""
    return len(cell) <= _LONGEST and _SHEET_DATE.fullmatch(cell) is not None
