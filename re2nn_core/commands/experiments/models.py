"""experiment models: systems side by side on a project's own texts, as Compare models on the page Results."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import CommandResult, show, table
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.options import PATH, note
from re2nn_core.commands._common.ray_options import cluster_of, ray_options
from re2nn_core.commands._common.store_options import Database, database_options, opened
from re2nn_core.commands._common.watching import stop_on_interrupt
from re2nn_core.commands._common.written_files import refuse_database, refuse_outputs
from re2nn_core.commands.experiments._common.options import INTERRUPTED, Names, exposed_json_option
from re2nn_core.commands.experiments._common.text import shown
from re2nn_core.errors import InputError
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.experiments.project.model_runs import ComparisonRequest, ModelComparison
    from re2nn_core.jobs.ray_cluster import RayCluster
    from re2nn_core.store import Store

_LOOK_SECONDS = 0.5


@click.command("models", cls=GroupedCommand)
@click.option("--project", "name", required=True, metavar="NAME", help="Name of the project.")
@click.option(
    "--model",
    "systems",
    type=Names(),
    metavar="NAME,...",
    help="Systems to compare: interpretable, accuracy, for labels encoder (the sentence encoder with a linear layer, "
    "where it is installed), and ordinary networks such as bigru. [default: all]",
)
@click.option("--examples", "amounts", type=Names(), metavar="N,...", help="Numbers of texts. [default: four or fewer]")
@click.option("--seeds", type=int, default=2, show_default=True, help="How many, from 0 on.")
@ray_options("What trains: one process, training after training, or Ray, as many at a time as it has cores.")
@click.option("--output", type=PATH, help="Write all training runs to this CSV file.")
@database_options
@exposed_json_option
def models_command(  # noqa: PLR0913 - a command's parameters are its options
    name: str,
    systems: tuple[str, ...] | None,
    amounts: tuple[str, ...] | None,
    seeds: int,
    engine: str,
    address: str | None,
    output: Path | None,
    database: Database,
    as_json: bool,
) -> CommandResult | int:
    """Compare models on the texts of a project.

    Each system is trained on several numbers of texts, drawn at random for each seed, and evaluated on the same texts,
    as are the rules. The comparison is the one of the page Results, which shows it too. The same command continues
    one that was stopped.

    \b
    Example: re2nn experiment models --project Flights --model accuracy,bigru --examples 50,200 --engine ray
    """
    from re2nn_core.exchange.tables.write import write_bytes
    from re2nn_core.experiments.project.model_runs import start_comparison, trainings_csv
    from re2nn_core.services.projects.exchanging import project_named
    from re2nn_core.services.projects.stored_projects import latest_version
    from re2nn_core.services.team.people import AT_THE_MACHINE

    cluster = cluster_of(engine, address)
    refuse_outputs("output")
    if output is not None:
        refuse_database(output, database)
    with opened(database) as store:
        project = project_named(store, name)
        version = latest_version(store, project.id)
        if version is None:
            raise InputError(f"The project {project.name} has no rules yet. Write and save some on Write rules.")
        request = _request(store, project.id, (systems, amounts, seeds), cluster)
        run = start_comparison(store, project.id, version.id, request, person=AT_THE_MACHINE)
        found, stopped = _watched(store, run.id)
        if output is not None:
            write_bytes(output, trainings_csv(found).encode("utf-8"))
    result = CommandResult(_figures(project.name, found, stopped), _text(project.name, found))
    if not stopped:
        return result
    note("Stopped. What is finished is kept; run the same command to continue.")
    show(result, as_json=as_json)
    return INTERRUPTED


def _request(
    store: Store,
    project_id: int,
    asked: tuple[tuple[str, ...] | None, tuple[str, ...] | None, int],
    cluster: RayCluster | None,
) -> ComparisonRequest:
    from re2nn_core.experiments.project.model_runs import ComparisonRequest
    from re2nn_core.experiments.project.models import comparison_texts, systems_for, usual_amounts

    systems, amounts, seeds = asked
    found = comparison_texts(store, project_id, None)
    if wrong := [one for one in amounts or () if not one.isdecimal()]:
        raise InputError(f"--examples: '{wrong[0]}' is no number of texts. Write numbers with commas, as in 50,200.")
    chosen = usual_amounts(len(found.data.train)) if amounts is None else tuple(sorted(set(map(int, amounts))))
    return ComparisonRequest(systems_for(found.task) if systems is None else systems, chosen, seeds, cluster)


def _watched(store: Store, run_id: int) -> tuple[ModelComparison, bool]:
    """The comparison when it is over, and whether Ctrl+C has stopped it. InputError where it has failed."""
    from re2nn_core.experiments.project.model_runs import watch_comparison
    from re2nn_core.services.projects.guarded_writes import request_cancel
    from re2nn_core.services.team.people import AT_THE_MACHINE

    reported, asked = "", False
    with stop_on_interrupt() as should_stop:
        while not (found := watch_comparison(store, run_id)).run.is_over:
            if should_stop() and not asked:
                asked = True
                request_cancel(store, run_id, person=AT_THE_MACHINE)
            if (now := _state(found)) != reported:
                note(now)
                reported = now
            time.sleep(_LOOK_SECONDS)
    if found.run.state in ("failed", "lost"):
        raise InputError(found.run.error or "The process of the comparison ended. Run the same command to continue.")
    return found, found.run.state == "cancelled"


def _state(found: ModelComparison) -> str:
    """How far it is, without the epochs of a training."""
    run = found.run
    if run.state == "queued":
        return "Waiting to start."
    return f"{run.step} of {run.total or '…'} trainings done"


def _figures(project: str, found: ModelComparison, stopped: bool) -> dict[str, Any]:
    rows = [
        {"system": one.system, "texts": one.texts, "seed": one.seed, "value": one.value, "seconds": one.seconds}
        for one in found.trained
    ]
    config = found.run.config
    more = {"stopped": True} if stopped else {}
    return {"project": project, "measure": config["measure"], "rules": found.rules, "trainings": rows, **more}


def _text(project: str, found: ModelComparison) -> str:
    from re2nn_core.experiments.project.model_findings import MeasuredBy, comparison_in_words, curves_of

    config, curves = found.run.config, curves_of(found.trained)
    measure, rules = MeasuredBy(str(config["measure"]), int(config["measured_texts"])), found.rules
    if rules is None or not curves:
        return f"{project}: no training is done yet."
    amounts = sorted({texts for curve in curves for texts in curve.texts})
    rows = [
        [curve.name, *(shown(curve.at(texts)[0]) if texts in curve.texts else "-" for texts in amounts)]
        for curve in curves
    ]
    head = ["texts", *(f"{texts:,}" for texts in amounts)]
    rows = [["the rules alone", *[f"{rules:.2f}"] * len(amounts)], *rows]
    seeds = counted(int(config["seeds"]), "seed")
    about = f"{measure.name} in per cent, mean ± standard deviation over {seeds}. {config['measured']}"
    sentences = comparison_in_words(rules, curves, measure) if found.run.state == "done" else ()
    return "\n".join([table(head, rows), "", about, *sentences])
