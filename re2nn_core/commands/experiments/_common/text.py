"""How the figures of experiments read: as tables for people, as plain values for --json. All are in per cent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.command_result import table
from re2nn_core.experiments.datasets.kinds import REST
from re2nn_core.experiments.reproduce.tables.spec import amount_text
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.experiments.result_tables.slot_filling import SlotSummary

if TYPE_CHECKING:
    from re2nn_core.experiments.result_tables.classification import StoredCell
    from re2nn_core.experiments.result_tables.table import Spread, Summary

STD_OF = "of a sample (n - 1)"
_ON_REST = ["rest of train", "rest without training texts"]
_FOOT = "Accuracy on test in per cent, mean ± standard deviation of a sample (n - 1) over seeds."


def summary_figures(summary: Summary) -> dict[str, Any]:
    """The figures of a cell, the main ones first."""
    values = asdict(summary)
    test, zero_shot = values.pop("test"), values.pop("zero_shot")
    return {"mean": test["mean"], "std": test["std"], "zero_shot": zero_shot["mean"], "std_of": STD_OF, **values}


def figures_with_runs(summary: Summary, cell: StoredCell) -> dict[str, Any]:
    """The same with every run."""
    return {**summary_figures(summary), "runs": [asdict(record) for record in cell.runs.values()]}


def cell_text(summary: Summary) -> str:
    """One cell: all that is measured on, and without what stands in train; trained, untrained, published."""
    # Imported here: --help does without what trains.
    from re2nn_core.services.fine_tuning.dev_figures import dev_of_plan

    published = summary.published
    on_rest = summary.data.endswith(REST)
    header = _ON_REST if on_rest else ["test", "test without texts of train"]
    # The recipe tells where all labelled texts took turns at being held out, and the column is another one then.
    dev = dev_of_plan(summary.recipe)
    rows = [
        ["trained", shown(summary.test), shown(summary.without_duplicates), shown(summary.dev)],
        ["untrained", shown(summary.zero_shot), shown(summary.zero_shot_without_duplicates), ""],
    ]
    if published is not None:
        rows.append(["published", shown_published(published), "", ""])
    of_labels = f"precision {shown(summary.precision)}, recall {shown(summary.recall)} (means over labels)"
    return "\n".join(
        [
            f"{summary.data}, {share(summary.portion)} of train, {_named(summary)}, {_over(summary)}",
            "",
            table(["accuracy %", *header, dev], rows),
            "",
            f"{of_labels}; {summary.parameters:,} parameters, word vectors: {summary.vectors}",
            *([f"Against the published figure: {signed_points(summary.difference)}"] if published is not None else []),
            *([f"Settings: {setting_text(summary.settings)}"] if summary.settings else []),
            f"Training plan: {summary.recipe}",
            "Deviations are those of a sample (n - 1).",
        ]
    )


def _named(summary: Summary) -> str:
    return f"{summary.model} with an auxiliary encoder" if summary.auxiliary else summary.model


def _over(summary: Summary) -> str:
    return f"{counted(len(summary.seeds), 'seed')} ({', '.join(map(str, summary.seeds))})"


def cells_text(found: Sequence[Summary]) -> str:
    """All cells of a file, measured beside published."""
    with_settings = any(summary.settings for summary in found)
    header = ["data", "portion", "model", "vectors", "seeds", "measured", "published", "difference"]
    header += ["without duplicates", "untrained", *(["settings"] if with_settings else [])]
    rows = [
        [
            summary.data,
            share(summary.portion),
            _named(summary),
            summary.vectors,
            len(summary.seeds),
            shown(summary.test),
            shown_published(summary.published),
            signed_points(summary.difference),
            shown(summary.without_duplicates),
            f"{summary.zero_shot.mean:.2f}",
            *([setting_text(summary.settings)] if with_settings else []),
        ]
        for summary in found
    ]
    return f"{table(header, rows)}\n\n{_FOOT}\nWithout duplicates: without the test texts that are also in train."


def curve_text(found: Sequence[Summary], label: str | None) -> str:
    """Accuracy, precision and recall against the portion."""
    rows = [
        [
            summary.model,
            share(summary.portion),
            *(shown(spread) for spread in (summary.test, summary.precision, summary.recall)),
            shown_published(summary.published),
        ]
        for summary in found
    ]
    of_what = "means over labels" if label is None else f"of the label {label!r}"
    header = ["model", "portion", "accuracy", "precision", "recall", "published accuracy"]
    return f"{table(header, rows)}\n\n{_FOOT}\nPrecision and recall: {of_what}."


def beta_text(found: Sequence[tuple[float, Summary]]) -> str:
    """What beta costs before training, and what it gives after."""
    rows = [
        [
            f"{beta:g}",
            f"{summary.rules:.2f}",
            shown(summary.zero_shot),
            signed_points(round(summary.zero_shot.mean - summary.rules, 2)),
            shown(summary.test),
        ]
        for beta, summary in found
    ]
    return f"{table(['beta', 'rules', 'untrained', 'difference', 'trained'], rows)}\n\n{_FOOT}"


def parameter_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Numbers of parameters beside the published ones."""
    cells = [[row["data"], row["model"], row["parameters"], row["free_parameters"], row["published"]] for row in rows]
    return (
        f"{table(['data', 'model', 'parameters', 'not held at zero', 'published'], cells)}\n\n"
        "Held at zero: weights between the automata of different rules, where transitions are block-diagonal."
    )


def share(portion: float) -> str:
    """`1%`."""
    return f"{100 * portion:g}%"


def shown(spread: Spread | None) -> str:
    """`94.70 ± 1.25`."""
    return "-" if spread is None else _plus_minus(spread.mean, spread.std)


def shown_published(published: Mapping[str, float | None] | None) -> str:
    """The same of a published figure."""
    if published is None or published["mean"] is None:
        return "-"
    return _plus_minus(published["mean"], published["std"])


def _plus_minus(mean: float, std: float | None) -> str:
    return f"{mean:.2f}" if std is None else f"{mean:.2f} ± {std:.2f}"


def signed_points(difference: float | None) -> str:
    """`+1.60`."""
    return "-" if difference is None else f"{difference:+.2f}"


def setting_text(settings: Mapping[str, Any]) -> str:
    """`rule_weight=0.7, dropout=0`."""
    return ", ".join(
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}" for name, value in settings.items()
    )


def slot_summary_figures(summary: SlotSummary) -> dict[str, Any]:
    """The figures of a cell, the main ones first."""
    values = asdict(summary)
    f1 = values.pop("f1")
    return {"mean": f1["mean"], "std": f1["std"], "std_of": STD_OF, **values}


def slot_text(found: Sequence[SlotSummary]) -> str:
    """Cells as a table, measured beside published."""
    rows = [
        [
            summary.data,
            amount_text(summary.amount),
            summary.model,
            summary.vectors,
            counted(len(summary.seeds), "seed"),
            shown(summary.f1),
            shown(summary.dev),
            f"{summary.rules:.2f}",
            f"{summary.zero_shot:.2f}",
            "-" if summary.published is None else f"{summary.published:.2f}",
            signed_points(summary.difference),
        ]
        for summary in found
    ]
    header = [
        "data",
        "examples",
        "model",
        "vectors",
        "over",
        "test F1",
        "dev F1",
        "rules",
        "untrained",
        "published",
        "above",
    ]
    reported = "\n".join(dict.fromkeys(f"{s.data} {amount_text(s.amount)} {s.model}: {s.recipe}" for s in found))
    return (
        f"{table(header, rows)}\n\nMicro F1 of spans in per cent, mean ± standard deviation of a sample (n - 1) over "
        "seeds; published: the best of the paper's own systems for as many examples; of a baseline its own row.\n"
        f"{reported}"
    )
