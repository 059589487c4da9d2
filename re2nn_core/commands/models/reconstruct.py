"""reconstruct: read a trained network back as rules. For slots see slot_filling/reconstruct.py."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.answer import Answer, percent, sentence, table
from re2nn_core.commands._common.inputs import read_texts, unlike_defaults
from re2nn_core.commands._common.options import PATH, Reading, data_options, json_option, refuse_given
from re2nn_core.commands._common.slot_filling.inputs import find_task
from re2nn_core.commands._common.splits import ChoosingTexts, ToldOfSplits, told_of_splits
from re2nn_core.commands._common.trained_on import trained_on
from re2nn_core.commands._common.watching import counting_up
from re2nn_core.commands._common.written_files import refuse_outputs
from re2nn_core.commands.models.reconstruct_json import figures_data, labels_data
from re2nn_core.commands.models.slot_filling.reconstruct import reconstruct_slot_files
from re2nn_core.task import Task
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.network.classification.bundle import Bundle
    from re2nn_core.services.rule_reconstruction.classification.reconstruction import Reconstruction


@click.command("reconstruct")
@click.option("--model", type=PATH, required=True, help="Folder of a trained model.")
@click.option("--dev", "dev_path", type=PATH, help="Texts with labels or spans on which is chosen what is read back.")
@click.option("--train", "train_path", type=PATH, help="Such texts that help to choose; dev never gets worse.")
@click.option("--test", "test_path", type=PATH, help="Such texts to measure on, once, at the end.")
@click.option("--data", "data_path", type=PATH, help="All of them in one file that names their splits, instead.")
@click.option("--split", type=click.Choice(["train", "dev"]), help="Choose on this split of --data alone.")
@click.option("-o", "--output", type=PATH, required=True, help="File for the reconstructed rules.")
@click.option("--logic-output", type=PATH, help="File for their label logic (TOML). [default: beside the rules]")
@click.option("--weights-output", type=PATH, help="File for the weights behind the rules (JSON lines; labels alone).")
@data_options
@json_option
def reconstruct_command(
    model: Path,
    data_path: Path | None,
    split: str | None,
    output: Path,
    logic_output: Path | None,
    weights_output: Path | None,
    reading: Reading,
    **paths: Path | None,
) -> Answer:
    """Read a trained network back as a rule file with label logic.

    A rule that training left as it was, or whose reading would lose accuracy on --dev, stays as written. Of a model
    for slots, rules that nobody has written are learned too.

    --json has the same keys for labels and for slots, null where a task has no such thing. Of the split that counts,
    and under splits of each: original, network, changed and reconstructed, each with accuracy or with precision, recall
    and f1; agreement; how many texts the rules read back answer better and worse than the written ones. Under rules:
    name, label (or slot), kept, original, reconstructed, threshold, edges, words and more; under new_rules: name,
    label, text; under counts how many there are.

    \b
    Example: re2nn reconstruct --model model --dev dev.tsv --test test.tsv -o new_rules.txt
             re2nn reconstruct --model model --data texts.jsonl -o new_rules.txt
    """
    logic_path = logic_output or output.with_suffix(".logic.toml")
    beside = {} if logic_output else {"logic_output": logic_path}
    refuse_outputs("output", "logic_output", "weights_output", **beside)
    sources = ChoosingTexts(data_path, split, {name: paths[f"{name}_path"] for name in ("dev", "train", "test")})
    if find_task(None, None, model) == Task.SLOT_FILLING:
        refuse_given(Task.SLOT_FILLING, "weights_output")
        return reconstruct_slot_files(model, sources, output, logic_path, reading)
    from re2nn_core.network.classification.bundle import load_bundle
    from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct
    from re2nn_core.services.rule_reconstruction.not_reconstructed import not_reconstructed
    from re2nn_core.services.rule_review.split_chance import SplitMoves
    from re2nn_core.services.rule_review.split_roles import (
        gains_of,
        network_learned_from_dev,
        split_data,
        split_notes_of,
    )

    bundle = load_bundle(model)
    corpus = sources.read(lambda path: read_texts(path, reading, labelled=True, model=model).corpus)
    tell = counting_up("reading back")
    result = reconstruct(bundle, corpus, on_progress=tell)
    tell(1, 1)  # it may have ended early
    output.write_text(result.rules_text, encoding="utf-8")
    logic_path.write_text(result.logic_text, encoding="utf-8")
    if weights_output is not None:
        _write_weights(weights_output, bundle, result)
    # The figures that count are those of texts that chose nothing: test where there is one.
    figures = {accuracy.split: accuracy for accuracy in result.accuracy}
    headline = figures.get("test") or figures["dev"]
    learned = network_learned_from_dev(bundle.figures)
    gains = gains_of((split, one.original, one.reconstructed) for split, one in figures.items())
    moves = {split: SplitMoves(one.labelled, one.better, one.worse) for split, one in figures.items()}
    said = split_notes_of(gains, moves, learned_from_dev=learned)
    warnings = (*said.warnings, *not_reconstructed(bundle))
    data = {
        **labels_data(result),
        **figures_data(headline),
        "split": headline.split,
        "splits": {
            split: {**figures_data(accuracy), **split_data(split, learned_from_dev=learned)}
            for split, accuracy in figures.items()
        },
        "warnings": list(warnings),
        "remarks": list(said.remarks),
        "output": str(output),
        "logic_output": str(logic_path),
        "weights_output": None if weights_output is None else str(weights_output),
    }
    told = told_of_splits(tuple(figures), "thresholds", warnings, said.remarks, learned_from_dev=learned)
    material, learned_texts = trained_on(model)
    report = _report(result, told, output, logic_path, unlike_defaults(bundle.tokenization))
    return Answer(data | material, report + learned_texts)


def _write_weights(path: Path, bundle: Bundle, result: Reconstruction) -> None:
    from re2nn_core.reconstruction.classification.weights_file import weight_lines
    from re2nn_core.reconstruction.weights.weighted import weighted_machines

    thresholds = {rule.name: rule.threshold for rule in result.rules if rule.threshold is not None}
    lines = weight_lines(weighted_machines(bundle.network, bundle.vocabulary), thresholds)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _shortened(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _report(result: Reconstruction, told: ToldOfSplits, output: Path, logic: Path, options: str) -> str:
    """`options` are those that the next command needs."""
    rows = [
        [
            told.names[a.split],
            a.texts,
            *(percent(share) for share in (a.original, a.network, a.reconstructed, a.agreement)),
        ]
        for a in result.accuracy
    ]
    changed = [rule for rule in result.rules if not rule.kept_original]
    parts = [table(["split", "texts", "written rules", "network", "read back", "agreement"], rows) + told.below]
    if changed:
        header = ["rule", "only the written rule accepts", "only the new one accepts"]
        witnesses = [
            [rule.name, sentence(rule.witness_only_original), sentence(rule.witness_only_reconstructed)]
            for rule in changed
        ]
        parts.append(table(header, witnesses))
    if result.new_rules:
        rows = [[rule.name, rule.label, len(rule.texts), _shortened(rule.text)] for rule in result.new_rules]
        parts.append(table(["new rule", "label", "accepts", ""], rows))
    if result.logic_in_words:
        parts.append(result.logic_in_words)
    parts.append(
        f"{counted(len(changed), 'rule')} of {len(result.rules):,} changed: {result.in_words}\n"
        f"Written: {output} and {logic}. Next:\n"
        f"    re2nn evaluate --rules {output} --logic {logic} --data FILE{options}"
    )
    return "\n\n".join(parts)
