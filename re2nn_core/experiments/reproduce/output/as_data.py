"""A table as plain values for JSON, and as CSV with a line for each cell."""

from __future__ import annotations

import csv
import io
from typing import Any

from re2nn_core.experiments.reproduce.measured import Run
from re2nn_core.experiments.reproduce.output.leading import Lead, leads
from re2nn_core.experiments.reproduce.output.results import Filled, Result
from re2nn_core.experiments.reproduce.output.wording import mixed_vectors, other_settings, state

COLUMNS = (
    "table",
    "row",
    "column",
    "measure",
    "published",
    "published_std",
    "mean",
    "std",
    "seeds",
    "difference",
    "state",
    "why_not",
)


def values_of(filled: Filled) -> dict[str, Any]:
    """The whole table, each cell with its runs."""
    table = filled.table
    return {
        "table": table.name,
        "paper": table.paper,
        "number": table.number,
        "title": table.title,
        "unit": table.unit,
        "note": table.note,
        "leads": [_lead(one) for one in leads(filled)],
        "mixed_vectors": list(mixed_vectors(filled)),
        "other_settings": list(other_settings(filled)),
        "cells_run": len(filled.measured),
        "cells_in_all": len(filled.results),
        "left_out": list(filled.left_out),
        "cells": [{**_cell(filled, result), "runs": _runs(result)} for result in filled.results],
    }


def csv_of(filled: Filled) -> str:
    """A line for each cell, under a header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for result in filled.results:
        values = _cell(filled, result)
        writer.writerow({**values, "seeds": len(values["seeds"])})
    return text.getvalue()


def _cell(filled: Filled, result: Result) -> dict[str, Any]:
    measured = result.measured
    return {
        "table": filled.table.name,
        "row": result.cell.row,
        "column": result.cell.column.title,
        "measure": result.cell.measure,
        "published": None if result.published is None else result.published.mean,
        "published_std": None if result.published is None else result.published.std,
        "mean": None if measured is None else measured.mean,
        "std": None if measured is None else measured.std,
        "seeds": [] if measured is None else list(measured.seeds),
        "difference": result.difference,
        "state": state(result),
        "why_not": result.why_not,
    }


def _lead(lead: Lead) -> dict[str, Any]:
    return {
        "column": lead.column,
        "best_of_ours": lead.ours.cell.row,
        "best_of_others": lead.other.cell.row,
        "ahead": lead.ahead,
        "ahead_by_more_than_the_standard_error": lead.beyond_error,
        "all_ahead": lead.all_ahead,
    }


def _runs(result: Result) -> list[dict[str, Any]]:
    if result.measured is None:
        return []
    return [_run(run, result.cell.measure) for run in result.measured.runs]


def _run(run: Run, measure: str) -> dict[str, Any]:
    measured = run.measured
    return {
        "seed": run.seed,
        "value": measured.values[measure],
        "seconds": measured.seconds,
        "texts": measured.texts,
        "epochs": measured.epochs,
        "best_epoch": measured.best_epoch,
        "vectors": measured.vectors,
        "recipe": measured.recipe,
        "machine": run.machine,
        "date": run.date,
        "code": run.code,
        "settings": dict(measured.settings),
    }
