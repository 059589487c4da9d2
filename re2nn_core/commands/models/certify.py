"""certify: the equality of rules and untrained network as a file, and checking such a file again. For slots see
slot_filling/certify.py."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from re2nn_core.commands._common.answer import Answer
from re2nn_core.commands._common.inputs import load_speakers, read_texts
from re2nn_core.commands._common.options import (
    PATH,
    Reading,
    data_options,
    json_option,
    logic_option,
    machines_option,
    refuse_given,
    slot_case_option,
    speaking_rules_option,
    task_option,
    tokenization_options,
    transducer_option,
)
from re2nn_core.commands._common.slot_filling.inputs import SlotSources, find_task
from re2nn_core.commands._common.written_files import refuse_outputs
from re2nn_core.commands.models.slot_filling.certify import certificate_shape, certify_slot_files, holds_or_not
from re2nn_core.errors import InputError
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.automaton_views.classification.certification import Certificate


@click.command("certify")
@speaking_rules_option
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
def certify_command(
    rules_path: Path | None,
    logic_path: Path | None,
    model: Path | None,
    data_path: Path,
    output: Path | None,
    checked: Path | None,
    machines: Literal["label", "rule"],
    transducer: Literal["positions", "ifst"] | None,
    task: Task | None,
    ignore_slot_case: bool,
    reading: Reading,
    tokenization: Tokenization | None,
) -> Answer:
    """Certify that the untrained network equals the rules, or check it.

    Compared are all words and states of the machines (of slots also what each word is given), which covers
    every sentence there can be, and the answers for the texts of --data. Exit code 1 if they differ, or if a
    checked certificate does not hold.

    \b
    Example: re2nn certify --rules rules.txt --data texts.tsv -o certificate.json
             re2nn certify --rules rules.txt --data texts.tsv --check certificate.json
    """
    if output is None and checked is None:
        raise InputError("Write -o FILE to make a certificate, or --check FILE to check one.")
    if output is not None and checked is not None:
        raise InputError("-o makes a certificate and --check checks one. Leave one of the two out.")
    refuse_outputs("output")
    if find_task(task, rules_path, model, tokenization) == Task.SLOT_FILLING:
        refuse_given(Task.SLOT_FILLING, "machines")
        given = SlotSources(rules_path, logic_path, model, data_path, None, tokenization, reading, ignore_slot_case)
        return certify_slot_files(given, transducer or "positions", output, checked)
    refuse_given(Task.CLASSIFICATION, "ignore_slot_case", "transducer")
    system = load_speakers(rules_path, logic_path, model, tokenization).system
    texts = read_texts(data_path, reading).corpus.texts
    from re2nn_core.network.configuration.classification import NetworkConfig
    from re2nn_core.services.automaton_views.classification.certification import (
        certify,
        check_certificate,
        write_certificate,
    )

    if checked is not None:
        certificate, faults = check_certificate(checked, system, texts)
        return _checked(certificate, faults, checked)
    certificate = certify(system, texts, NetworkConfig(machines=machines, vectors="none", dropout=0.0))
    if output is not None:
        write_certificate(output, certificate)
    return Answer(
        certificate_shape(certificate, (), output), f"{_found(certificate)}\nWritten to {output}.", ok=certificate.equal
    )


def _checked(certificate: Certificate, faults: Sequence[str], path: Path) -> Answer:
    text = holds_or_not(faults, path) if faults else f"{holds_or_not(faults, path)}\n{_found(certificate)}"
    return Answer(certificate_shape(certificate, faults, path), text, ok=not faults)


def _found(certificate: Certificate) -> str:
    verdict = "The untrained network equals the rules" if certificate.equal else "Network and rules differ"
    moves, words = certificate.transitions_checked, certificate.words_checked
    sentences = counted(certificate.sentences, "sentence")
    lines = [
        f"{verdict}.",
        f"  states: {counted(moves, 'move')} of {counted(words, 'word')} compared, at most "
        f"{certificate.max_error:g} apart",
        f"  texts:  the same answer on {certificate.agree:,} of {sentences}",
        *(f"  - {fault}" for fault in certificate.state_faults),
        *(f"  - other answer: {text!r}" for text in certificate.differing),
    ]
    return "\n".join(lines)
