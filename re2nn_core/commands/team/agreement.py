"""agreement: how well the people of a project agree, with each other and with its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import CommandResult, percent, table
from re2nn_core.commands._common.options import json_option
from re2nn_core.commands._common.store_options import Database, database_options, opened
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.team.agreement import Coefficient
    from re2nn_core.services.team.team_agreement import TeamAgreement

_NAMES = {
    "percent": "same annotation",
    "f1": "F1 of spans",
    "cohen": "Cohen",
    "fleiss": "Fleiss",
    "alpha": "alpha",
    "ac1": "AC1",
}


@click.command("agreement")
@click.option("--project", "name", required=True, metavar="NAME", help="Name of the project.")
@click.option("--rules/--no-rules", default=True, help="With the rule set and each rule as raters. [default: rules]")
@database_options
@json_option
def agreement_command(name: str, rules: bool, database: Database) -> CommandResult:
    """Report the agreement of a project's annotators: coefficients of all labels together and of each label (for
    slots: F1 of spans and alpha over words), then of each pair of raters: annotators, the newest rules together, and
    each rule, which rates the texts that it accepts. An undefined coefficient is listed with its reason.

    \b
    Example: re2nn agreement --project Flights
             re2nn agreement --project Flights --json
    """
    from re2nn_core.services.projects.exchanging import project_named
    from re2nn_core.services.team.team_agreement import team_agreement

    with opened(database) as store:
        project = project_named(store, name)
        found = team_agreement(store, project, rules=rules)
    return CommandResult({"project": project.name, **_data(found)}, f"{project.name}\n\n{_text(found)}")


def _data(found: TeamAgreement) -> dict[str, Any]:
    return {
        "judged_by": found.annotated_by,
        "together": asdict(found.together),
        "labels": {label: asdict(one) for label, one in found.labels.items()},
        "pairs": [
            {
                "one": one,
                "other": other,
                "texts": cell.texts,
                "percent": asdict(cell.percent),
                found.beyond: asdict(cell.beyond),
            }
            for one, other, cell in found.pairs
        ],
    }


def _text(found: TeamAgreement) -> str:
    annotated = ", ".join(f"{counted(texts, 'text')} by {people}" for people, texts in found.annotated_by.items())
    parts = [f"Annotated: {annotated or 'nothing yet'}."]
    measures = [name for name in _NAMES if hasattr(found.together, name)]
    rows = [["all", *_figures(asdict(found.together), measures)]]
    rows += [[label, *_figures(asdict(one), measures)] for label, one in found.labels.items()]
    parts.append(table(["", "texts", *(_NAMES[name] for name in measures)], rows))
    reasons = {
        f"{_NAMES[name]} is undefined: {value.why}."
        for name in measures
        if (value := getattr(found.together, name)).value is None
    }
    parts += sorted(reasons)
    shown = [(one, other, cell) for one, other, cell in found.pairs if cell.texts]
    if shown:
        pairs = [[one, other, cell.texts, _share(cell.percent), _plain(cell.beyond)] for one, other, cell in shown]
        parts.append(table(["one", "other", "texts", "same annotation", _NAMES[found.beyond]], pairs))
    return "\n\n".join(parts)


def _figures(values: Mapping[str, Any], measures: list[str]) -> list[object]:
    cells: list[object] = [values["texts"]]
    for name in measures:
        value = values[name]["value"]
        cells.append(percent(value) if name == "percent" else "-" if value is None else f"{value:.3f}")
    return cells


def _share(coefficient: Coefficient) -> str:
    return percent(coefficient.value)


def _plain(coefficient: Coefficient) -> str:
    return "-" if coefficient.value is None else f"{coefficient.value:.3f}"
