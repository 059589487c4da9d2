"""All tables and figures by name, and what of the published figures stands in none of them."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from re2nn_core.errors import InputError
from re2nn_core.experiments.reproduce.tables import emnlp2020, emnlp2021
from re2nn_core.experiments.reproduce.tables.spec import PaperTable, Path

TABLES: Mapping[str, PaperTable] = {table.name: table for table in (*emnlp2020.TABLES, *emnlp2021.TABLES)}
# Beginnings of places in the published file -> why no cell names them.
LEFT_OUT: Mapping[Path, str] = {
    ("farnn", "source"): "words",
    ("farnn", "init_logs"): "words about the authors' logs",
    ("farnn", "reconstructed_rules", "ATIS", "change"): "the difference of two figures that are there",
    ("farnn", "reconstructed_rules", "QC", "change"): "the difference of two figures that are there",
    ("farnn", "reconstructed_rules", "SMS", "change"): "the difference of two figures that are there",
    ("fstrnn", "source"): "words",
    ("fstrnn", "note"): "words",
    ("fstrnn", "contextual_snips", "columns"): "names of columns",
    ("fstrnn", "unlabelled_sentences_for_parity_on_snips"): "read off the curves of figure 4, which is run instead",
}


def find_table(name: str) -> PaperTable:
    """The table of a name, whatever its case. InputError names those that look like it."""
    asked = name.strip().lower()
    if asked in TABLES:
        return TABLES[asked]
    near = [known for known in TABLES if asked and known.endswith(f"-{asked}")]
    near = near or get_close_matches(asked, TABLES, n=3, cutoff=0.6)
    reported = f"Did you mean {' or '.join(near)}?" if near else f"The first is {next(iter(TABLES))}."
    raise InputError(f"'{name}' is no table or figure of the papers. {reported} `re2nn reproduce` lists all of them.")
