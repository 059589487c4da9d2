"""What reconstruct writes and reports of a network, for labels and for slots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from re2nn_core.commands._common.command_result import CommandResult, percent, table
from re2nn_core.commands._common.trained_on import learned_from_dev, trained_on
from re2nn_core.commands._common.watching import counting_parts
from re2nn_core.commands.models.reconstruct_json import figures_data
from re2nn_core.commands.models.reconstruct_sizes import sizes_data, sizes_table
from re2nn_core.errors import StateBudgetError
from re2nn_core.files import write_together

if TYPE_CHECKING:
    from re2nn_core.network.classification.bundle import Bundle
    from re2nn_core.network.slot_filling.bundle import TaggerBundle
    from re2nn_core.reconstruction.classification.report import Reconstruction, SplitAccuracy
    from re2nn_core.reconstruction.progress import OnProgress
    from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import SlotReconstruction, SplitScores
    from re2nn_core.services.rule_review.evidence.measured_split import MeasuredSplit
    from re2nn_core.services.rule_review.model_review import ModelReview, Recommended
    from re2nn_core.services.rule_review.sizes import ReconstructionSize

Figures = Union["SplitAccuracy", "SplitScores"]
# Changes times texts: each change is measured alone on all of them, which for more takes as long as the reconstruction.
MOST_MEASURED = 20_000


def cut_short(text: str, most: int = 60) -> str:
    """So much of an expression for a table."""
    return text if len(text) <= most else f"{text[:most]}…"


@dataclass(frozen=True)
class OutputFiles:
    """Where the reconstructed rules go, their label logic, and the weights behind them."""

    rules: Path
    logic: Path
    weights: Path | None


@dataclass(frozen=True)
class Reconstructed:
    """A network whose rules were reconstructed, and the report of its task. `labelled`, `score`, `measured` are those
    of the figures of a split: how many texts are measured, how well by the `measure`, and with which intervals;
    `chosen` is what was chosen on dev; the table has a `header` and a row for each split; `parts` and `summary` stand
    below it. `options` are those of the next command; `weights_text`: what stands in the file of the weights, if one is
    asked for; `dev_texts`: those that were chosen on; `sizes`: with some of the changes; `stopped`: what to say where
    the time was up; `review`: the review of the changes, told whether dev texts were used for training, too;
    `figures_of`: the figures with other rules and label logic."""

    bundle: Bundle | TaggerBundle
    result: Reconstruction | SlotReconstruction
    data: Mapping[str, Any]
    figures: Sequence[Figures]
    labelled: Callable[[Any], int]
    score: Callable[[Any], float | None]
    measured: Callable[[Any], MeasuredSplit | None]
    measure: str
    chosen: str
    header: Sequence[str]
    row: Callable[[Any], Sequence[str]]
    parts: Sequence[str]
    summary: str
    options: str
    review: Callable[[bool, OnProgress], ModelReview]
    figures_of: Callable[[str, str], Iterable[Any]]
    weights_text: str = ""
    dev_texts: Sequence[str] = ()
    sizes: Sequence[ReconstructionSize[Any]] = ()
    stopped: str = ""

    def prediction(self, model: Path, files: OutputFiles) -> CommandResult:
        """Write rules and logic; the prediction of the command."""
        from re2nn_core.services.rule_reconstruction.not_reconstructed import not_reconstructed
        from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
        from re2nn_core.services.rule_review.split_roles import (
            gains_of,
            split_data,
            split_notes_of,
        )

        texts = {files.rules: self.result.rules_text, files.logic: self.result.logic_text}
        write_together(texts if files.weights is None else {**texts, files.weights: self.weights_text})
        # The figures that count are those of texts that chose nothing: test where there is one.
        figures = {one.split: one for one in self.figures}
        headline = figures.get("test") or figures["dev"]
        measured = self.measured(headline)
        learned = learned_from_dev(model, self.bundle.figures, self.dev_texts)
        gains = gains_of(
            (name, self.score(one.original), self.score(one.reconstructed)) for name, one in figures.items()
        )
        moves = {name: SplitMoves(self.labelled(one), one.better, one.worse) for name, one in figures.items()}
        message = split_notes_of(gains, moves, learned_from_dev=learned)
        warnings = (
            *message.warnings,
            *not_reconstructed(
                self.bundle, changed=bool(self.result.changed or self.stopped), new=bool(self.result.new_rules)
            ),
        )
        recommended = self._recommended(learned)
        material, learned_texts = trained_on(model)
        data = {
            **self.data,
            **figures_data(headline),
            "interval": None if measured is None else measured.interval,
            "gain_interval": None if measured is None else measured.gain_interval,
            "split": headline.split,
            "splits": {
                name: {**figures_data(one), **split_data(name, learned_from_dev=learned)}
                for name, one in figures.items()
            },
            "recommended": None if recommended is None else list(recommended.names),
            "curve": sizes_data(self.sizes),
            "stopped": bool(self.stopped),
            "warnings": list(warnings),
            "remarks": list(message.remarks),
            "output": str(files.rules),
            "logic_output": str(files.logic),
            "weights_output": None if files.weights is None else str(files.weights),
            **material,
        }
        certain = [] if measured is None else [f"{headline.split.capitalize()}: {measured.in_words}."]
        below = [*certain, *message.remarks, *(f"Warning: {reported}" for reported in warnings)]
        sizes = sizes_table(self.sizes, headline.split, self.measure, lambda one: self.score(one.reconstructed))
        parts = [
            self._figures(figures, below, learned_from_dev=learned),
            *sizes,
            *self.parts,
            self._next(model, files, recommended, headline),
        ]
        return CommandResult(data, "\n\n".join([*filter(None, [self.stopped]), *parts]) + learned_texts)

    def _recommended(self, learned_from_dev: bool) -> Recommended | None:
        """The changes that are recommended; None where the time was up, where many changes would be measured on many
        texts, and where one cannot be told by itself."""
        from re2nn_core.services.rule_review.model_review import recommended_changes

        changes, texts = self.result.changed + len(self.result.new_rules), sum(one.texts for one in self.figures)
        if self.stopped or changes * texts > MOST_MEASURED:
            return None
        try:
            report = counting_parts()
            found = recommended_changes(self.review(learned_from_dev, partial(report, "recommended changes")))
            report("recommended changes", 1, 1)  # it may have ended early
            return found
        except StateBudgetError:
            return None

    def _compared(self, recommended: Recommended, headline: Figures) -> str:
        """The figures with the recommended changes alone and with all; empty where nothing is measured."""
        own = next(one for one in self.figures_of(*recommended.files) if one.split == headline.split)
        alone, every = self.score(own.reconstructed), self.score(headline.reconstructed)
        if alone is None or every is None:
            return ""
        chose = "; test texts had a part in recommending them" if headline.split == "test" else ""
        figures = f"{percent(alone)}, with all changes {percent(every)}"
        return f"{headline.split.capitalize()} {self.measure} with these alone: {figures}{chose}.\n"

    def _figures(self, figures: Mapping[str, Figures], below: Sequence[str], *, learned_from_dev: bool) -> str:
        from re2nn_core.services.rule_review.split_roles import figure_name, roles_in_words

        rows = [
            [figure_name(name, learned_from_dev=learned_from_dev), one.texts, *self.row(one)]
            for name, one in figures.items()
        ]
        roles = roles_in_words(tuple(figures), self.chosen, learned_from_dev=learned_from_dev)
        title = "" if self.measure == "accuracy" else f"{self.measure} of spans:\n"
        return "\n".join([f"{title}{table(['split', 'texts', *self.header], rows)}", roles, *below])

    def _next(self, model: Path, files: OutputFiles, recommended: Recommended | None, headline: Figures) -> str:
        advice = alone = every = review = ""
        if self.stopped or self.result.changed or self.result.new_rules:
            review = f"    re2nn review {model} --data FILE    (each change, with the texts that it fixes and breaks)\n"
        if recommended is not None:
            advice = f"{recommended.in_words}\n"
            if 0 < len(recommended.names) < recommended.changes:
                advice += self._compared(recommended, headline)
                every = ", with all changes"
                alone = (
                    f"    re2nn review {model} --data FILE --patch PATCH    (the recommended changes alone, as a patch "
                    "of the written rules)\n"
                )
        return (
            f"{self.summary}{advice}Written{every}: {files.rules} and {files.logic}. Next:\n"
            f"{review}{alone}    re2nn evaluate --rules {files.rules} --logic {files.logic} --data FILE{self.options}"
        )
