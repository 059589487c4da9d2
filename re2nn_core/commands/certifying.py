"""certify: the equality of rules and untrained network as a file, and checking such a file again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from re2nn_core.commands.answer import Answer, counted
from re2nn_core.commands.inputs import load_system, read_texts
from re2nn_core.commands.options import (
    PATH,
    Reading,
    data_options,
    json_option,
    logic_option,
    machines_option,
    refuse_folders,
    rules_option,
    tokenization_options,
)
from re2nn_core.errors import InputError
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.certification import Certificate


@click.command("certify")
@rules_option
@logic_option
@click.option("--data", "data_path", type=PATH, required=True, help="File of texts; labels are not needed.")
@click.option("-o", "--output", type=PATH, help="File for the certificate (JSON).")
@click.option("--check", "checked", type=PATH, help="Check this certificate against the rules and texts instead.")
@machines_option
@data_options
@tokenization_options
@json_option
def certify_command(
    rules_path: Path,
    logic_path: Path | None,
    data_path: Path,
    output: Path | None,
    checked: Path | None,
    machines: Literal["label", "rule"],
    reading: Reading,
    tokenization: Tokenization | None,
) -> Answer:
    """Certify that the untrained network equals the rules, or check it.

    Compared are all words and states of the machines, which covers every sentence there can be, and the
    answers for the texts of --data. Exit code 1 if they differ, or if a checked certificate does not hold.

    \b
    Example: re2nn certify --rules rules.txt --data texts.tsv -o certificate.json
             re2nn certify --rules rules.txt --data texts.tsv --check certificate.json
    """
    if (output is None) == (checked is None):
        raise InputError("Write -o FILE to make a certificate, or --check FILE to check one.")
    if output is not None:
        refuse_folders(output)
    system = load_system(rules_path, logic_path, tokenization)
    texts = read_texts(data_path, reading).corpus.texts
    from re2nn_core.network.config import NetworkConfig
    from re2nn_core.services.certification import certify, check_certificate, write_certificate

    if checked is not None:
        certificate, faults = check_certificate(checked, system, texts)
        return _checked(certificate, faults, checked)
    certificate = certify(system, texts, NetworkConfig(machines=machines, vectors="none", dropout=0.0))
    if output is not None:
        write_certificate(output, certificate)
    return Answer(_shape(certificate, (), output), f"{_found(certificate)}\nWritten to {output}.", ok=certificate.equal)


def _checked(certificate: Certificate, faults: Sequence[str], path: Path) -> Answer:
    if faults:
        reasons = "\n".join(f"  - {fault}" for fault in faults)
        text = f"{path} does not hold:\n{reasons}\nIf the change is meant, write it again with -o {path}"
    else:
        text = f"{path} holds.\n{_found(certificate)}"
    return Answer(_shape(certificate, faults, path), text, ok=not faults)


def _shape(certificate: Certificate, faults: Sequence[str], path: Path | None) -> dict[str, Any]:
    """`holds` is the answer: equal, and like the stored certificate where one was checked."""
    holds = certificate.equal and not faults
    return {"holds": holds, "faults": list(faults), **asdict(certificate), "file": str(path)}


def _found(certificate: Certificate) -> str:
    verdict = "The untrained network equals the rules" if certificate.equal else "Network and rules differ"
    moves, words = certificate.transitions_checked, certificate.words_checked
    sentences = counted(certificate.sentences, "sentence")
    lines = [
        f"{verdict}.",
        f"  states: {moves:,} moves of {words:,} words compared, at most {certificate.max_error:g} apart",
        f"  texts:  the same answer on {certificate.agree:,} of {sentences}",
        *(f"  - {fault}" for fault in certificate.state_faults),
        *(f"  - other answer: {text!r}" for text in certificate.differing),
    ]
    return "\n".join(lines)
