"""certify for slots: the equality of rules and untrained tagger as a file, and checking such a file again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from re2nn_core.commands._common.options import ReadingOptions, refuse_given
from re2nn_core.commands._common.slot_filling.data import read_any_texts, read_slot_texts
from re2nn_core.commands._common.slot_filling.inputs import load_tagger_of, rules_and_tagger
from re2nn_core.commands._common.sources import Sources
from re2nn_core.commands.models.certificate import Certifying
from re2nn_core.task import Task
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.automaton_views.slot_filling.certification import SlotCertificate


def certifying_slots(
    sources: Sources, data_path: Path, reading: ReadingOptions, transducer: Literal["positions", "ifst"]
) -> Certifying:
    """What `re2nn certify` makes and checks for slots."""
    refuse_given(Task.SLOT_FILLING, "machines")
    bundle = load_tagger_of(sources)
    cut = sources.tokenization_of(bundle)
    if sources.ignore_slot_case:  # slots are looked at
        corpus = read_slot_texts(data_path, reading, cut).corpus.spelt_alike()
    else:
        corpus, _ = read_any_texts(data_path, reading, cut)
    system = rules_and_tagger(sources, bundle, corpus.slots if sources.ignore_slot_case else ()).system
    from re2nn_core.services.automaton_views.slot_filling.certification import certify_slots, check_slot_certificate

    return Certifying(
        make=lambda: certify_slots(system, corpus.texts, transducer),
        check=lambda path: check_slot_certificate(path, system, corpus.texts),
        lines=_lines,
        other="tags",
    )


def _lines(certificate: SlotCertificate) -> dict[str, str]:
    sentences, tokens = counted(certificate.sentences, "sentence"), counted(certificate.tokens, "word")
    return {
        "outputs": f"tags of {counted(certificate.outputs_checked, 'transition')} compared",
        "texts": f"the same tags on {certificate.agree:,} of {sentences} ({tokens})",
    }
