"""What is to be said of labels: which may stand for none, differ in spelling alone, join several or were changed by a
spreadsheet."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from html import unescape

from re2nn_core.exchange.tables.cells import is_date_of_sheet, is_sheet_error
from re2nn_core.exchange.tables.signs.joined_labels import MOST_LABELS, joined_labels, may_be_joined
from re2nn_core.exchange.tables.signs.look_alikes import look_alikes
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names

_FEWEST, _FEWEST_JOINED = 3, 2
NO_LABEL = frozenset(
    (
        *("\\n", "na", "n/a", "n.a.", "n.a", "nan", "null", "none", "nil", "#n/a", "undef", "undefined", "missing"),
        *("unlabeled", "unlabelled", "not labeled", "not labelled", "no label", "no labels", "nolabel", "no_label"),
        *("unannotated", "not annotated", "untagged", "not tagged", "no tag", "no class", "no category"),
        *("unassigned", "not assigned", "uncategorized", "uncategorised", "unclassified", "unspecified", "blank"),
        *("not available", "not applicable", "not set", "empty", "empty cell", "tbd", "to do", "todo", "n. a."),
        *("k.a.", "k. a.", "keine angabe", "ohne angabe", "kein label", "keine", "nicht gelabelt", "leer"),
        *("aucun", "aucune", "sans étiquette", "non étiqueté", "vide", "ninguno", "ninguna", "sin etiqueta", "vacío"),
        *("nessuno", "nessuna", "senza etichetta", "vuoto", "nenhum", "nenhuma", "sem rótulo", "vazio", "geen", "leeg"),
    )
)
_BRACKETS = "()[]<>{}"
_WITH_POINT = re.compile(r"-?\d+\.0+")
_NUMBER = re.compile(r"\s*-?\d{1,3}(?:\.0)?\s*")


def remarks_on_labels(values: Sequence[str]) -> tuple[str, ...]:
    """What is to be said of labels of these distinct values: the only one there is, those that may stand for none, that
    differ in spelling alone, that join several, that a spreadsheet made, or whole numbers with a decimal point."""
    if len(values) > MOST_LABELS:
        return ()
    if len(values) == 1:
        return (
            f"{values[0]!r} is the only label of these texts: training needs texts of two labels at least. If "
            "another column has the labels, choose it with --label-column; else add texts of other labels before you "
            "train.",
        )
    notes = []
    missing = [value for value in values if _stands_for_none(value.strip(), values)]
    # Among numbers of classes data sets write -1 for a text without a label.
    negative = [value for value in values if value.strip().startswith("-")]
    if len(values) > _FEWEST and all(map(_NUMBER.fullmatch, values)) and [v.strip()[:2] for v in negative] == ["-1"]:
        missing += negative
    if missing and len(values) > len(missing):
        named = join_names([repr(value) for value in missing])
        notes.append(f"{named} became a label; if it means that there is none, empty these cells in the file.")
    notes += look_alikes(values)
    if escaped := [value for value in values if unescape(value) != value]:
        others = f" and {counted(len(escaped) - 1, 'more label')} have" if len(escaped) > 1 else " has"
        notes.append(
            f"{escaped[0]!r}{others} escapes of HTML, which stand for signs ({unescape(escaped[0])!r}), and became a "
            "label as it is. Export the labels again without them."
        )
        values = [unescape(value) for value in values]
    joined = joined_labels(values)
    if joined:
        others = f" and {counted(len(joined) - 1, 'more label')} join" if len(joined) > 1 else " joins"
        notes.append(
            f"{joined[0]!r}{others} several labels in one cell. A text has one label here: keep one in each cell, or "
            "make a project for each."
        )
    elif barred := may_be_joined(values):
        others = f" and {counted(len(barred) - 1, 'more label')}" if len(barred) > 1 else ""
        notes.append(
            f"{barred[0]!r}{others} became one label each; if the sign in between is for several labels, keep one in "
            "each cell."
        )
    dates = [value.strip() for value in values if is_date_of_sheet(value.strip())]
    if dates:
        others = f" and {counted(len(dates) - 1, 'more label')} look" if len(dates) > 1 else " looks"
        notes.append(
            f"{dates[0]!r}{others} like a date, which spreadsheets make of values such as 2-3. If it was not one, "
            "write the values again there, in cells of the kind text, and import the file again."
        )
    if values and all(_WITH_POINT.fullmatch(value.strip()) for value in values):
        notes.append(f"The labels are numbers and were kept as they are written, such as {values[0].strip()!r}.")
    return tuple(notes)


def _stands_for_none(value: str, values: Sequence[str]) -> bool:
    """True for a word that people or programs write where there is no label, in brackets or without ("N/A", "(none)",
    "not labeled"), and for marks alone ("-", "??"), unless they are ratings: "+" and "-", "*" and "**"."""
    if value.strip(_BRACKETS).casefold() in NO_LABEL or is_sheet_error(value):
        return True
    marks = bool(value) and all(unicodedata.category(character)[0] == "P" for character in value)
    return marks and "*" not in value and "+" not in map(str.strip, values)


def remarks_on_tags(values: Sequence[str]) -> tuple[str, ...]:
    """The same of the values of a column called tags, in which a blank may stand between several: "bug vip" where bug
    is a label too."""
    alone = {value.strip() for value in values if len(value.split()) == 1}
    several = [value for value in values if len(value.split()) > 1 and not alone.isdisjoint(value.split())]
    if len(values) > MOST_LABELS or len(several) < _FEWEST_JOINED:
        return remarks_on_labels(values)
    return (
        *remarks_on_labels(values),
        f"{several[0]!r} and {counted(len(several) - 1, 'more label')} became one label each; if the blanks are "
        "between several labels of a text, keep one in each cell.",
    )
