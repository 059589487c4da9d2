"""What the experiments' commands share: the data set, the seeds, the file of results, and how a run is watched."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.baselines.spec import spec_of
from re2nn_core.commands._common.command_result import CommandResult, show
from re2nn_core.commands._common.inputs import load_system, read_label_texts
from re2nn_core.commands._common.options import (
    PATH,
    ReadingOptions,
    data_options,
    logic_option,
    note,
    tokenization_options,
    with_options,
)
from re2nn_core.commands._common.ray_options import cluster_of, ray_options
from re2nn_core.commands._common.settings import objective_option, setting_options
from re2nn_core.commands._common.splits import joined_splits
from re2nn_core.commands._common.watching import epoch_line, stop_on_interrupt
from re2nn_core.commands._common.written_files import refuse_outputs
from re2nn_core.commands.experiments._common.baseline_settings import (
    baseline_options,
    given_to_baseline,
    refuse_baseline_settings,
)
from re2nn_core.commands.experiments._common.text import setting_text, share
from re2nn_core.errors import Cancelled, InputError
from re2nn_core.experiments.runs.published_systems import MODELS
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.experiments.datasets.classification import DataSet
    from re2nn_core.experiments.result_tables.classification import StoredCell
    from re2nn_core.experiments.runs.baseline_cell import AnyCell, BaselineCell
    from re2nn_core.experiments.runs.classification import LabelRecord
    from re2nn_core.experiments.studies.classification import StudyOutcome
    from re2nn_core.jobs.ray_cluster import RayCluster
    from re2nn_core.training.loop import Epoch

Command = Callable[..., Any]
# Handed on to the command, since a stopped experiment prints its prediction itself.
exposed_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
INTERRUPTED = 130
_SETTINGS = frozenset(
    option.name or "" for option in click.command(baseline_options(setting_options(lambda **_: None))).params
)
MODEL_HELP = (
    f"{', '.join(MODELS)}; or one of the papers' other systems, rnn, gru, lstm, birnn, bigru, bilstm, cnn or dan, "
    "alone or with +i, +o, +io, +kd or +pr, and +u."
)


class Model(click.ParamType):
    """The name of a system: one of MODELS or a baseline."""

    name = "model"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value).strip().lower()
        if text in MODELS:
            return text
        try:
            return spec_of(text, Task.CLASSIFICATION).name
        except InputError as fault:
            self.fail(f"'{value}' is no model; the models of rules are: {', '.join(MODELS)}.\n{fault}", param, ctx)


model_option = click.option(
    "--model", type=click.Choice(list(MODELS)), default="fa-rnn", show_default=True, help="The system to measure."
)
any_model_option = click.option(
    "--model", type=Model(), default="fa-rnn", show_default=True, help=f"The system to measure: {MODEL_HELP}"
)


class Names(click.ParamType):
    """Names with commas between them."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        return tuple(part.strip() for part in str(value).split(",") if part.strip())


class Share(click.ParamType):
    """A share of 1: 0.01 or 1%."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = str(value).strip()
        try:
            found = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            found = -1.0
        if not 0 <= found <= 1:
            self.fail(f"'{value}' is no share: a number from 0 to 1 is expected, such as 0.01 (or 1%).", param, ctx)
        return found


class Shares(click.ParamType):
    """Several shares with commas between them; each only once."""

    name = "shares"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, ...]:
        if isinstance(value, tuple):
            return value
        one = Share()
        return tuple(dict.fromkeys(one.convert(part, param, ctx) for part in str(value).split(",")))


@dataclass(frozen=True)
class DataSource:
    """Where the data set of an experiment is."""

    name: str | None
    folder: Path | None
    rules: Path | None
    logic: Path | None
    train: Path | None
    dev: Path | None
    test: Path | None
    reading: ReadingOptions
    tokenization: Tokenization | None

    @property
    def own(self) -> bool:
        """Whether files of somebody's own were given."""
        return any((self.rules, self.logic, self.train, self.dev, self.test))

    def data(self) -> DataSet:
        """The data set, read. InputError where it is not clear which, or a file cannot be used."""
        from re2nn_core.experiments.datasets.classification import (
            KNOWN,
            benchmark_folder,
            data_set,
            known_data,
            known_name,
        )

        if self.name is not None and self.own:
            raise both_given()
        if self.name is not None:
            known_name(self.name)  # told before a missing folder is
            return known_data(self.name, benchmark_folder(self.folder), self.tokenization)
        if self.rules is None or self.train is None or self.test is None:
            raise none_given(KNOWN)
        system = load_system(self.rules, self.logic, self.tokenization)
        files = {"train": self.train, "dev": self.dev, "test": self.test}
        return data_set(
            self.rules.stem,
            system,
            joined_splits(files, lambda path: read_label_texts(path, self.reading, labelled=True).corpus),
        )


def both_given() -> InputError:
    """The error where a published set and files were given."""
    return InputError(
        "--data names a published set with its own rules and texts. "
        "Leave it out for files of your own, or leave out --rules, --logic, --train, --dev and --test."
    )


def none_given(known: Iterable[str]) -> InputError:
    """The error where neither a published set nor all files were given."""
    return InputError(
        f"There is no data set. Write --data NAME ({', '.join(known)}), or for texts of your own "
        "--rules FILE --train FILE --dev FILE --test FILE (--dev and --logic may be left out)."
    )


def data_set_options(sets: str, rules: str, texts: str) -> Callable[[Command], Command]:
    """The options of a data set: its name, or rules and texts of somebody's own; the words say what they are."""
    options = (
        click.option("--data", "name", metavar="NAME", help=f"A published set: {sets}."),
        click.option(
            "--folder",
            type=PATH,
            help="Folder of the published data. [default: $RE2NN_BENCHMARKS, or shared/benchmarks next to the "
            "repository]",
        ),
        click.option("--rules", "rules_path", type=PATH, help=f"Instead of --data: {rules} of your own."),
        logic_option,
        click.option("--train", "train_path", type=PATH, help=f"{texts} for training."),
        click.option("--dev", "dev_path", type=PATH, help=f"{texts} that decide when to stop."),
        click.option("--test", "test_path", type=PATH, help=f"{texts} to measure on."),
    )
    return partial(with_options, options)


def source_options(function: Command) -> Command:
    """The options of a data set, handed on together as `source`."""

    @data_set_options("ATIS, QC or SMS", "the rule file of texts", "Labelled texts")
    @data_options
    @tokenization_options
    @functools.wraps(function)
    def wrapped(
        *, name: str | None, folder: Path | None, reading: ReadingOptions, tokenization: Any, **rest: Any
    ) -> Any:
        paths = {part: rest.pop(f"{part}_path") for part in ("rules", "logic", "train", "dev", "test")}
        source = DataSource(name, folder, **paths, reading=reading, tokenization=tokenization)
        return function(source=source, **rest)

    return wrapped


@dataclass(frozen=True)
class Running:
    """How cells are run: seeds, file of results, settings that were given, and what is reported meanwhile."""

    seeds: tuple[int, ...]
    output: Path | None
    again: bool
    verbose: bool
    settings: dict[str, Any]
    cluster: RayCluster | None = None

    def cell(self, data: DataSet, portion: float, model: str, **more: Any) -> AnyCell:
        """A cell with the given settings; `more` are further ones of the network."""
        if model not in MODELS:
            return self._baseline(data, portion, model)
        from re2nn_core.experiments.runs.cell import LabelCell
        from re2nn_core.experiments.runs.published_systems import network_of
        from re2nn_core.network.configuration.classification import NetworkConfig
        from re2nn_core.services.fine_tuning.classification.given_settings import config_of, given_of, in_context_by
        from re2nn_core.services.fine_tuning.classification.objectives import settings_for
        from re2nn_core.training.config import TrainConfig

        known = {field.name for field in fields(NetworkConfig)}
        refuse_baseline_settings(self.settings, model)
        given = {name: value for name, value in self.settings.items() if name in known and value is not None}
        examples = round(portion * len(data.train))
        predicted = len(data.train) - examples if self.settings.get("unlabelled") else 0
        begin = settings_for(
            self.settings["objective"],
            examples,
            in_context=in_context_by(self.settings),
            auxiliary=self.settings.get("auxiliary") != "none",
            predicted=predicted,
        )
        if "rule_weight" in more or not (portion or begin.get("auxiliary")):
            # A mixture is of vectors that a word has everywhere; and before training none of them plays a part.
            begin["vectors"] = "auto"
        network = network_of(model, {**given, **more}, begin)
        manual_overrides = tuple(given_of(TrainConfig, self.settings))
        return LabelCell(
            data,
            portion,
            model,
            network,
            config_of(TrainConfig, self.settings, examples, unlabelled=predicted),
            manual_overrides,
        )

    def _baseline(self, data: DataSet, portion: float, model: str) -> BaselineCell:
        from re2nn_core.experiments.runs.baseline_cell import BaselineCell, baseline_cell

        cell = baseline_cell(spec_of(model, Task.CLASSIFICATION), data, portion, given_to_baseline(self.settings))
        assert isinstance(cell, BaselineCell)  # noqa: S101 - the data set is one of labels
        return cell

    def run(self, cells: Sequence[AnyCell]) -> StudyOutcome:
        """Run the cells, each run told on stderr. Cancelled before the first run is done."""
        from re2nn_core.experiments.studies.classification import Watch, run_cells
        from re2nn_core.experiments.studies.ray_seeds import seeds_by

        with stop_on_interrupt() as should_stop, seeds_by(self.cluster, self.settings.get("device")) as spread:
            watch = Watch(self._report_run, _report_epoch if self.verbose else None, should_stop, spread)
            outcome = run_cells(cells, self.seeds, file=self.output, again=self.again, watch=watch)
        if not any(cell.runs for cell in outcome.cells):
            raise Cancelled("the experiment was stopped before its first run was done")
        return outcome

    def prediction_so_far(
        self, prediction: CommandResult, outcome: StudyOutcome, *, as_json: bool
    ) -> CommandResult | int:
        """The result; where the experiment was stopped, what is finished is printed, with the exit code for that."""
        return stopped_result(prediction, self.output, as_json=as_json) if outcome.stopped else prediction

    def _report_run(self, cell: StoredCell, record: LabelRecord, fresh: bool) -> None:
        from re2nn_core.experiments.result_tables.table import changed_cell_settings

        which = ", ".join([cell.model, *filter(None, [setting_text(changed_cell_settings(cell))])])
        what = f"{cell.data}  {share(cell.portion)}  {which}  seed {record.seed}"
        reached = f"test {record.test:.2f}%  untrained {record.zero_shot.test:.2f}%"
        if not fresh:
            note(f"{what}: {reached}  (from {self.output}; --again runs it once more)")
        elif not record.train_size:
            note(f"{what}: {reached}")
        else:
            note(
                f"{what}: {reached}  {record.train_size:,} texts, kept epoch {record.best_epoch} of {record.epochs}, "
                f"{record.seconds:.1f} s"
            )


def _report_epoch(epoch: Epoch, best: int) -> None:
    note(f"  {epoch_line(epoch, best, f'dev {100 * epoch.dev:.2f}%')}")


def stopped_result(prediction: CommandResult, output: Path | None, *, as_json: bool) -> int:
    """Print what is finished of an experiment that was stopped, and say where it is; the exit code for that."""
    if output is None:
        note("Stopped. Finished runs are printed, but not saved, because --output FILE is not given.")
    else:
        note(f"Stopped. Finished runs are in {output}; run the same command to continue.")
    show(CommandResult({**prediction.data, "stopped": True}, prediction.text), as_json=as_json)
    return INTERRUPTED


def run_options(function: Command) -> Command:
    """How an experiment is run: seeds, file of results, settings that both kinds of networks have, --json."""
    options = (
        click.option(
            "--seeds",
            "count",
            type=click.IntRange(min=1),
            default=4,
            show_default=True,
            help="How many, from --seed on.",
        ),
        click.option("--output", type=PATH, help="File of results (JSON): what it has is not run again."),
        click.option("--again", is_flag=True, help="Run what the file of results has, too."),
        click.option("--verbose", is_flag=True, help="Report each epoch; not with --engine ray."),
        ray_options("What trains: this process, seed after seed, or Ray, all seeds at a time."),
        objective_option("accuracy"),
        setting_options,
        baseline_options,
        exposed_json_option,
    )
    return with_options(options, function)


def running_options(function: Command) -> Command:
    """Seeds, file of results and settings, handed on together as `running`; --json as `as_json`."""

    @run_options
    @functools.wraps(function)
    def wrapped(
        *, count: int, output: Path | None, again: bool, verbose: bool, engine: str, address: str | None, **rest: Any
    ) -> Any:
        refuse_outputs("output", "figure")
        own = {name: rest.pop(name) for name in (*_SETTINGS, "objective")}
        first = own.pop("seed", None) or 0
        seeds, cluster = tuple(range(first, first + count)), cluster_of(engine, address)
        return function(running=Running(seeds, output, again, verbose, own, cluster), **rest)

    return wrapped
