"""experiment slots: the published slot tables, run again (Jiang et al., EMNLP 2021, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.baselines.spec import spec_of
from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.options import (
    DATA_OPTIONS,
    ReadingOptions,
    data_options,
    given_options,
    note,
    slot_case_option,
    tokenization_options,
)
from re2nn_core.commands._common.ray_options import cluster_of
from re2nn_core.commands._common.slot_filling.settings import slot_configs, slot_setting_options
from re2nn_core.commands._common.watching import epoch_line, stop_on_interrupt
from re2nn_core.commands._common.written_files import refuse_outputs
from re2nn_core.commands.experiments._common.baseline_settings import given_to_baseline, refuse_baseline_settings
from re2nn_core.commands.experiments._common.options import (
    both_given,
    data_set_options,
    none_given,
    run_options,
    stopped_result,
)
from re2nn_core.commands.experiments._common.text import slot_summary_figures, slot_text
from re2nn_core.errors import Cancelled, InputError
from re2nn_core.experiments.reproduce.tables.spec import amount_text
from re2nn_core.experiments.runs.published_systems import OWN_MODEL
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.experiments.datasets.slot_filling import SlotDataSet
    from re2nn_core.experiments.result_tables.slot_filling import StoredSlotCell
    from re2nn_core.experiments.runs.baseline_cell import AnySlotCell
    from re2nn_core.experiments.runs.slot_filling import SlotRecord
    from re2nn_core.training.loop import Epoch


class Amount(click.ParamType):
    """A share of the training texts (10%, 0.1, 100%) or a number of them (10)."""

    name = "amount"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        text = str(value).strip()
        try:
            is_share = text.endswith("%") or "." in text
            found = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1) if is_share else float(int(text))
        except ValueError:
            is_share, found = False, -1.0
        if not (0 <= found <= 1 if is_share else found == 0 or found > 1):
            message = "give a number of texts such as 10, or a share such as 10% (0 is zero-shot)."
            self.fail(f"'{value}' is no amount: {message}", param, ctx)
        return found


class SlotModelName(click.ParamType):
    """The name of a system for slots: the rules' own network or a baseline."""

    name = "model"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value).strip().lower()
        try:
            return text if text == OWN_MODEL else spec_of(text, Task.SLOT_FILLING).name
        except InputError as fault:
            self.fail(f"{fault} The rules' own network is {OWN_MODEL}.", param, ctx)


@click.command("slots", cls=GroupedCommand)
@data_set_options("ATIS or SNIPS", "capture rules for texts", "Texts with spans")
@click.option(
    "--examples",
    type=Amount(),
    default="100%",
    show_default=True,
    help="A number (10), or a share (10%, 0.1); 0 for none.",
)
@click.option(
    "--model",
    type=SlotModelName(),
    default=OWN_MODEL,
    show_default=True,
    help=f"{OWN_MODEL}: the rules' network. Or one of the papers' other systems, birnn, bigru, bilstm or encoder, each "
    "with -crf or without, alone or with +i, +o, +io, +kd or +pr, and +u.",
)
@slot_case_option
@data_options
@tokenization_options
@run_options
@slot_setting_options
def slots_command(  # noqa: PLR0913 - a command's parameters are its options
    name: str | None,
    folder: Path | None,
    examples: float,
    model: str,
    count: int,
    output: Path | None,
    again: bool,
    verbose: bool,
    engine: str,
    address: str | None,
    as_json: bool,
    ignore_slot_case: bool,
    reading: ReadingOptions,
    tokenization: Tokenization | None,
    **settings: Any,
) -> CommandResult | int:
    """Report the F1 of spans of a tagger trained on some examples.

    They are drawn again for each seed. Below 10% of train as many dev texts are drawn; from 10% on all of dev is
    used. 0 trains nothing. The rules, the untrained network and the best published figure are listed for comparison.

    \b
    Example: re2nn experiment slots --data SNIPS --examples 50 --seeds 4 --output slots.json
    """
    from re2nn_core.experiments.result_tables.slot_filling import summarise_slots
    from re2nn_core.experiments.studies.ray_seeds import seeds_by
    from re2nn_core.experiments.studies.slot_filling import run_slot_cell

    refuse_outputs("output")
    paths = {part: settings.pop(f"{part}_path") for part in ("rules", "logic", "train", "dev", "test")}
    if name is None:
        data = _own_data(paths, reading, tokenization, ignore_case=ignore_slot_case)
    else:
        data = _published_data(name, folder, paths)
    first = settings.pop("seed", None) or 0
    cell = _cell(data, examples, model, settings)
    cluster = cluster_of(engine, address)
    with stop_on_interrupt() as should_stop, seeds_by(cluster, settings.get("device")) as spread:
        stored, stopped = run_slot_cell(
            cell,
            range(first, first + (count if examples or model != OWN_MODEL else 1)),
            file=output,
            again=again,
            on_run=_report_run,
            on_epoch=_report_epoch if verbose else None,
            should_stop=should_stop,
            spread=spread,
        )
    summary = summarise_slots(stored)
    if summary is None:
        raise Cancelled("the experiment was stopped before its first run was done")
    prediction = CommandResult(
        {**slot_summary_figures(summary), "runs": [asdict(r) for r in stored.runs.values()]}, slot_text([summary])
    )
    return stopped_result(prediction, output, as_json=as_json) if stopped else prediction


def _cell(data: SlotDataSet, examples: float, model: str, settings: Mapping[str, Any]) -> AnySlotCell:
    """The cell of a model with the settings that were given. InputError."""
    from re2nn_core.experiments.datasets.slot_filling import count_of
    from re2nn_core.experiments.runs.baseline_cell import SlotBaselineCell, baseline_cell
    from re2nn_core.experiments.runs.slot_filling import SlotCell

    if model != OWN_MODEL:
        cell = baseline_cell(spec_of(model, Task.SLOT_FILLING), data, examples, given_to_baseline(settings))
        assert isinstance(cell, SlotBaselineCell)  # noqa: S101 - the data set is one of slots
        return cell
    refuse_baseline_settings(settings, model)
    network, train = slot_configs(settings, count_of(examples, data))
    return SlotCell(data, examples, network, train)


def _published_data(name: str, folder: Path | None, paths: Mapping[str, Path | None]) -> SlotDataSet:
    """The published set of a name. InputError."""
    from re2nn_core.experiments.datasets.classification import benchmark_folder
    from re2nn_core.experiments.datasets.slot_filling import KNOWN_SLOTS, known_slot_data

    if any(paths.values()):
        raise both_given()
    if given := given_options("tokenizer", "no_lowercase", "ignore_slot_case", *DATA_OPTIONS):
        raise InputError(
            f"{given}: a published set is tokenized at white space in lower case, and slots are spelt as in its "
            "texts. Leave it out, or give files of your own."
        )
    if name.upper() not in KNOWN_SLOTS:
        raise InputError(f"'{name}' is no published set with slots; {', '.join(KNOWN_SLOTS)} are.")
    return known_slot_data(name, benchmark_folder(folder))


def _own_data(
    paths: Mapping[str, Path | None], reading: ReadingOptions, tokenization: Tokenization | None, *, ignore_case: bool
) -> SlotDataSet:
    """The data set of somebody's own files. InputError."""
    from re2nn_core.commands._common.slot_filling.data import read_slot_texts, report_each
    from re2nn_core.commands._common.slot_filling.inputs import load_slot_system
    from re2nn_core.commands._common.splits import joined_splits
    from re2nn_core.experiments.datasets.slot_filling import KNOWN_SLOTS, slot_data_set
    from re2nn_core.services.fine_tuning.slot_filling.training import slots_apart

    rules = paths["rules"]
    if rules is None or paths["train"] is None or paths["test"] is None:
        raise none_given(KNOWN_SLOTS)
    files = {split: paths[split] for split in ("train", "dev", "test")}
    corpus = joined_splits(files, lambda path: read_slot_texts(path, reading, tokenization).corpus)
    corpus = corpus.spelt_alike() if ignore_case else corpus
    system = load_slot_system(rules, paths["logic"], tokenization, corpus.slots if ignore_case else ())
    data = slot_data_set(rules.stem, system, corpus)
    report_each(slots_apart(system, data.train), system.slots, corpus.slots)
    return data


def _report_run(cell: StoredSlotCell, record: SlotRecord, fresh: bool) -> None:
    model = "" if cell.model == OWN_MODEL else f"{cell.model}  "
    what = f"{cell.data}  {amount_text(cell.amount)}  {model}seed {record.seed}: test F1 {record.test.f1:.2f}"
    if not fresh:
        note(f"{what}  (from the file of results; --again runs it once more)")
        return
    note(
        f"{what}  untrained {record.zero_shot.f1:.2f}  {record.train_size:,} texts, kept epoch {record.best_epoch} of "
        f"{record.epochs}, {record.seconds:.1f} s"
    )


def _report_epoch(epoch: Epoch, best: int) -> None:
    note(f"  {epoch_line(epoch, best, f'dev F1 {100 * epoch.dev:.2f}')}")
