"""certify: the equality of rules and untrained network as a file, and checking such a file again. For slots see
slot_filling/certify.py."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.inputs import read_label_texts, rules_and_network
from re2nn_core.commands._common.options import (
    PATH,
    ReadingOptions,
    data_options,
    json_option,
    logic_option,
    machines_option,
    predicting_rules_option,
    refuse_given,
    slot_case_option,
    task_option,
    tokenization_options,
    transducer_option,
)
from re2nn_core.commands._common.sources import Sources, with_sources
from re2nn_core.commands._common.written_files import refuse_outputs
from re2nn_core.commands.models.certificate import Certifying
from re2nn_core.commands.models.slot_filling.certify import certifying_slots
from re2nn_core.errors import InputError
from re2nn_core.task import Task, by_task
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.automaton_views.classification.certification import Certificate


@click.command("certify", cls=GroupedCommand)
@predicting_rules_option
@logic_option
@click.option("--model", type=PATH, help="Folder of a model: its rules, and the network as it was before training.")
@click.option("--data", "data_path", type=PATH, required=True, help="File of texts; labels are not needed.")
@click.option("-o", "--output", type=PATH, help="File for the certificate (JSON).")
@click.option("--check", "checked", type=PATH, help="Check this certificate against the rules and texts instead.")
@machines_option
@transducer_option
@task_option
@slot_case_option
@data_options
@tokenization_options
@json_option
@with_sources
def certify_command(
    sources: Sources,
    data_path: Path,
    output: Path | None,
    checked: Path | None,
    machines: Literal["label", "rule"],
    transducer: Literal["positions", "ifst"] | None,
    reading: ReadingOptions,
) -> CommandResult:
    """Certify that the untrained network equals the rules, or check it.

    All words and states of the automata are compared (for slots also all tags), which covers every possible
    sentence, and the predictions for the texts of --data. Exit code 1 if they differ, or if a checked certificate
    does not hold.

    \b
    Example: re2nn certify --rules rules.txt --data texts.tsv -o certificate.json
             re2nn certify --rules rules.txt --data texts.tsv --check certificate.json
    """
    if output is None and checked is None:
        raise InputError("Write -o FILE to make a certificate, or --check FILE to check one.")
    if output is not None and checked is not None:
        raise InputError("-o makes a certificate and --check checks one. Leave one of the two out.")
    refuse_outputs("output")
    certifying = by_task(
        sources.task,
        classification=lambda: _certifying_labels(sources, data_path, reading, machines),
        slot_filling=lambda: certifying_slots(sources, data_path, reading, transducer or "positions"),
    )()
    return certifying.written(output) if checked is None else certifying.checked(checked)


def _certifying_labels(
    sources: Sources, data_path: Path, reading: ReadingOptions, machines: Literal["label", "rule"]
) -> Certifying:
    refuse_given(Task.CLASSIFICATION, "ignore_slot_case", "transducer")
    system = rules_and_network(sources).system
    texts = read_label_texts(data_path, reading).corpus.texts
    from re2nn_core.network.configuration.classification import NetworkConfig
    from re2nn_core.services.automaton_views.classification.certification import certify, check_certificate

    config = NetworkConfig(machines=machines, vectors="none", dropout=0.0)
    return Certifying(
        make=lambda: certify(system, texts, config),
        check=lambda path: check_certificate(path, system, texts),
        lines=_lines,
        other="prediction",
    )


def _lines(certificate: Certificate) -> dict[str, str]:
    sentences = counted(certificate.sentences, "sentence")
    return {"texts": f"the same prediction on {certificate.agree:,} of {sentences}"}
