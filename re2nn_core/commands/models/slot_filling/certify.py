"""certify for slots: the equality of rules and untrained tagger as a file, and checking such a file again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from re2nn_core.commands._common.answer import Answer
from re2nn_core.commands._common.slot_filling.data import read_any_texts, read_slot_texts
from re2nn_core.commands._common.slot_filling.inputs import SlotSources, load_tagger_of, slot_speakers
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.automaton_views.classification.certification import Certificate
    from re2nn_core.services.automaton_views.slot_filling.certification import SlotCertificate


def certify_slot_files(
    given: SlotSources, transducer: Literal["positions", "ifst"], output: Path | None, checked: Path | None
) -> Answer:
    """The answer of `re2nn certify` for slots."""
    bundle = None if given.model is None else load_tagger_of(given.model, given.tokenization)
    cut = given.tokenization if bundle is None else bundle.tokenization
    if given.ignore_case:  # slots are looked at
        corpus = read_slot_texts(given.data_path, given.reading, cut).corpus.spelt_alike()
    else:
        corpus, _ = read_any_texts(given.data_path, given.reading, cut)
    known = corpus.slots if given.ignore_case else ()
    system = slot_speakers(given.rules_path, given.logic_path, bundle, cut, known).system
    from re2nn_core.services.automaton_views.classification.certification import write_certificate
    from re2nn_core.services.automaton_views.slot_filling.certification import certify_slots, check_slot_certificate

    if checked is not None:
        certificate, faults = check_slot_certificate(checked, system, corpus.texts)
        text = holds_or_not(faults, checked) + ("" if faults else f"\n{_found(certificate)}")
        return Answer(certificate_shape(certificate, faults, checked), text, ok=not faults)
    certificate = certify_slots(system, corpus.texts, transducer)
    if output is not None:
        write_certificate(output, certificate)
    text = f"{_found(certificate)}\nWritten to {output}."
    return Answer(certificate_shape(certificate, (), output), text, ok=certificate.equal)


def holds_or_not(faults: Sequence[str], path: Path) -> str:
    """The verdict on a certificate that was checked, with the reasons where it does not hold."""
    if not faults:
        return f"{path} holds."
    reasons = "\n".join(f"  - {fault}" for fault in faults)
    return f"{path} does not hold:\n{reasons}\nIf the change is meant, write it again with -o {path}"


def certificate_shape(
    certificate: Certificate | SlotCertificate, faults: Sequence[str], path: Path | None
) -> dict[str, Any]:
    """`holds` is the answer: equal, and like the stored certificate where one was checked."""
    holds = certificate.equal and not faults
    return {"holds": holds, "faults": list(faults), **asdict(certificate), "file": str(path)}


def _found(certificate: SlotCertificate) -> str:
    verdict = "The untrained network equals the rules" if certificate.equal else "Network and rules differ"
    moves, words = certificate.transitions_checked, certificate.words_checked
    sentences, tokens = counted(certificate.sentences, "sentence"), counted(certificate.tokens, "word")
    lines = [
        f"{verdict}.",
        f"  states:  {counted(moves, 'move')} of {counted(words, 'word')} compared, at most "
        f"{certificate.max_error:g} apart",
        f"  outputs: what words are given compared on {counted(certificate.outputs_checked, 'arc')}",
        f"  texts:   the same tags on {certificate.agree:,} of {sentences} ({tokens})",
        *(f"  - {fault}" for fault in certificate.state_faults),
        *(f"  - other tags: {text!r}" for text in certificate.differing),
    ]
    return "\n".join(lines)
