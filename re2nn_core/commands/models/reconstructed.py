"""What reconstruct writes and reports of a network, for labels and for slots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands._common.trained_on import learned_from_dev, trained_on
from re2nn_core.commands.models.reconstruct_json import figures_data
from re2nn_core.files import write_together

if TYPE_CHECKING:
    from re2nn_core.network.classification.bundle import Bundle
    from re2nn_core.network.slot_filling.bundle import TaggerBundle
    from re2nn_core.reconstruction.classification.report import Reconstruction, SplitAccuracy
    from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import SlotReconstruction, SplitScores

Figures = Union["SplitAccuracy", "SplitScores"]


@dataclass(frozen=True)
class OutputFiles:
    """Where the reconstructed rules go, their label logic, and the weights behind them."""

    rules: Path
    logic: Path
    weights: Path | None


@dataclass(frozen=True)
class Reconstructed:
    """A network whose rules were reconstructed, and the report of its task.  `labelled` and `score` are those of the
    figures of a split: how many texts are measured, and how well; `chosen` is what was chosen on dev; the table has a
    `header` and a row for each split; `parts` and `summary` stand below it. `options` are those of the next command;
    `weights_text`: what stands in the file of the weights, if one is asked for;
    `dev_texts`: those that were chosen on."""

    bundle: Bundle | TaggerBundle
    result: Reconstruction | SlotReconstruction
    data: Mapping[str, Any]
    figures: Sequence[Figures]
    labelled: Callable[[Any], int]
    score: Callable[[Any], float | None]
    chosen: str
    title: str
    header: Sequence[str]
    row: Callable[[Any], Sequence[str]]
    parts: Sequence[str]
    summary: str
    options: str
    weights_text: str = ""
    dev_texts: Sequence[str] = ()

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
        learned = learned_from_dev(model, self.bundle.figures, self.dev_texts)
        gains = gains_of(
            (name, self.score(one.original), self.score(one.reconstructed)) for name, one in figures.items()
        )
        moves = {name: SplitMoves(self.labelled(one), one.better, one.worse) for name, one in figures.items()}
        message = split_notes_of(gains, moves, learned_from_dev=learned)
        warnings = (*message.warnings, *not_reconstructed(self.bundle))
        material, learned_texts = trained_on(model)
        data = {
            **self.data,
            **figures_data(headline),
            "split": headline.split,
            "splits": {
                name: {**figures_data(one), **split_data(name, learned_from_dev=learned)}
                for name, one in figures.items()
            },
            "warnings": list(warnings),
            "remarks": list(message.remarks),
            "output": str(files.rules),
            "logic_output": str(files.logic),
            "weights_output": None if files.weights is None else str(files.weights),
            **material,
        }
        below = [*message.remarks, *(f"Warning: {reported}" for reported in warnings)]
        return CommandResult(data, self._report(figures, below, files, learned_from_dev=learned) + learned_texts)

    def _report(
        self, figures: Mapping[str, Figures], below: Sequence[str], files: OutputFiles, *, learned_from_dev: bool
    ) -> str:
        from re2nn_core.services.rule_review.split_roles import figure_name, roles_in_words

        rows = [
            [figure_name(name, learned_from_dev=learned_from_dev), one.texts, *self.row(one)]
            for name, one in figures.items()
        ]
        roles = roles_in_words(tuple(figures), self.chosen, learned_from_dev=learned_from_dev)
        reported = [f"{self.title}{table(['split', 'texts', *self.header], rows)}", roles, *below]
        following = (
            f"{self.summary}Written: {files.rules} and {files.logic}. Next:\n"
            f"    re2nn evaluate --rules {files.rules} --logic {files.logic} --data FILE{self.options}"
        )
        return "\n\n".join(["\n".join(reported), *self.parts, following])
