"""export-model: a model for programs that are not this one."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.inputs import read_label_texts
from re2nn_core.commands._common.options import PATH, ReadingOptions, json_option
from re2nn_core.commands._common.slot_filling.data import read_any_texts
from re2nn_core.commands._common.watching import counting_up
from re2nn_core.errors import InputError
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.network.classification.bundle import Bundle
    from re2nn_core.network.slot_filling.bundle import TaggerBundle


@click.command("export-model")
@click.argument("folder", metavar="DIR", type=PATH)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["onnx", "spacy", "folder"]),
    required=True,
    help="A network for onnxruntime, a pipeline for spaCy, or a copy of the model folder with a model card.",
)
@click.option(
    "--data",
    type=PATH,
    help="ONNX: texts on which it must predict what torch does. [default: made of the model's words]",
)
@click.option("-o", "--output", type=PATH, required=True, help="New folder for the exported model.")
@json_option
def export_model_command(folder: Path, kind: str, data: Path | None, output: Path) -> CommandResult:
    """Export the model in the folder DIR, for programs that do without RE2NN's training.

    An ONNX network is kept only where onnxruntime predicts what torch does on all texts of --data; model.json
    has the word numbers and the tokenizer settings.

    \b
    Example: re2nn export-model model --format onnx --data texts.tsv -o exported
    """
    from re2nn_core.services.model_export.new_folder import refuse_filled

    refuse_filled(output)
    if (folder / "bundle.json").exists() and folder.resolve() in output.resolve().parents:
        raise InputError(
            f"{output} lies in the model folder {folder}, which must stay as it is. Give a folder elsewhere."
        )
    if kind == "onnx":
        return _as_onnx(folder, data, output)
    if data is not None:
        raise InputError(f"--data: this option has no effect with --format {kind}. Leave it out.")
    return _as_pipeline(folder, output) if kind == "spacy" else _as_folder(folder, output)


def _as_onnx(folder: Path, data: Path | None, output: Path) -> CommandResult:
    from re2nn_core.services.model_export.onnx_files import export_onnx

    bundle = _bundle_of(folder)
    texts = () if data is None else _texts(bundle, data)
    found = export_onnx(bundle, output, texts, counting_up("text"))
    which = "" if found.given else " made of the model's words"
    lines = [
        f"Written to {output}: model.onnx, model.json, README.md.",
        f"onnxruntime and torch predict the same for {counted(found.texts, 'text')}{which}; "
        f"probabilities differ by {found.difference:.0e} at most.",
    ]
    if found.divided:
        lines.append(
            f"For {counted(found.divided, 'text')} the rules divide neighbouring words into other spans than the "
            "network's tags do; the ONNX file has the network's tags."
        )
    values = {"texts": found.texts, "difference": found.difference, "divided_otherwise": found.divided}
    return CommandResult({"output": str(output), "format": "onnx", **values}, "\n".join(lines))


def _bundle_of(folder: Path) -> Bundle | TaggerBundle:
    from re2nn_core.api.models import load

    bundle = load(folder).bundle
    if bundle is None:  # a folder always holds a network
        raise InputError(f"{folder} holds no network. Give the folder that training wrote.")
    return bundle


def _texts(bundle: Bundle | TaggerBundle, data: Path) -> tuple[str, ...]:
    from re2nn_core.network.classification.bundle import Bundle

    if isinstance(bundle, Bundle):
        return tuple(read_label_texts(data, ReadingOptions()).corpus.texts)
    return tuple(read_any_texts(data, ReadingOptions(), bundle.tokenization)[0].texts)


def _as_pipeline(folder: Path, output: Path) -> CommandResult:
    from re2nn_core.exchange.annotation_tools.docbin import INSTALL
    from re2nn_core.services.model_export.new_folder import new_folder

    if importlib.util.find_spec("spacy") is None:
        raise InputError(f"A spaCy pipeline needs the package spacy. Install it with {INSTALL}.")
    from re2nn_core.spacy import write_pipeline

    with new_folder(output) as part:
        write_pipeline(folder, part)
    return CommandResult(
        {"output": str(output), "format": "spacy"}, f'Written to {output}. Load it with spacy.load("{output}").'
    )


def _as_folder(folder: Path, output: Path) -> CommandResult:
    from re2nn_core.api.models import load
    from re2nn_core.services.model_export.new_folder import new_folder

    model = load(folder)
    with new_folder(output) as part:
        model.save(part / folder.absolute().name)  # the model card has the folder's name as its title
        for path in (part / folder.absolute().name).iterdir():
            path.rename(part / path.name)
        (part / folder.absolute().name).rmdir()
    return CommandResult(
        {"output": str(output), "format": "folder"}, f"Written to {output}. README.md in it is the model card."
    )
