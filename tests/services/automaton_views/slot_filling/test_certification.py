"""The certificate for slots: made, checked again, and no longer true when rules, texts or network are others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from support.networks.small_system import small_system
from support.tagging_command_line import SLOT_RULES, SLOT_TEXTS

from re2nn_core.errors import InputError
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.services.automaton_views.classification.certification import certify, write_certificate
from re2nn_core.services.automaton_views.slot_filling import certification
from re2nn_core.services.automaton_views.slot_filling.certification import (
    SlotCertificate,
    certify_slots,
    check_slot_certificate,
)
from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.tensors.tagged_factors import TransducerKind
from re2nn_core.text.tokenization import Tokenization

TEXTS = [text for text, _ in SLOT_TEXTS]


def system(rules: str = SLOT_RULES, logic: str = "", known: tuple[str, ...] = ()) -> SlotSystem:
    return read_slot_system(rules, logic, Tokenization(), known_slots=known)[0]


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "certificate.json"
    write_certificate(path, certify_slots(system(), TEXTS))
    return path


@pytest.mark.parametrize("kind", ["positions", "ifst"])
def test_network_and_rules_are_equal(kind: TransducerKind) -> None:
    found = certify_slots(system(), TEXTS, kind)
    assert (found.equal, found.max_error, found.state_faults, found.differing) == (True, 0.0, (), ())
    assert (found.sentences, found.agree, found.transducer, found.task) == (6, 6, kind, "slots")
    assert found.transitions_checked == found.words_checked * found.states
    assert found.outputs_checked > 20


def test_a_certificate_holds_again(stored: Path) -> None:
    certificate, faults = check_slot_certificate(stored, system(), TEXTS)
    assert faults == ()
    assert certificate == SlotCertificate(**{**json.loads(stored.read_text()), **lists_of(certificate)})


def lists_of(certificate: SlotCertificate) -> dict[str, object]:
    """The fields that JSON gives back as lists."""
    return {name: value for name, value in vars(certificate).items() if isinstance(value, tuple)}


@pytest.mark.parametrize(
    ("other", "texts", "fault"),
    [
        (lambda: system(SLOT_RULES + "$* [ rome ]<to_city> $*\n"), TEXTS, "the rules are not the certified ones"),
        (lambda: system(logic="longest = true\n"), TEXTS, "the priorities are not the certified ones"),
        (system, TEXTS[:-1], "the texts are not the certified ones"),
        (lambda: system(known=("To_City",)), TEXTS, "the slots of the rules are spelt otherwise"),
    ],
)
def test_what_changed_is_named(stored: Path, other: Callable[[], SlotSystem], texts: list[str], fault: str) -> None:
    _, faults = check_slot_certificate(stored, other(), texts)
    assert fault in faults


def test_a_network_that_differs(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(given: SlotSystem, texts: list[str], kind: TransducerKind) -> TaggerBundle:
        bundle = untrained_tagger(given, texts, kind)
        network = bundle.network
        with torch.no_grad():
            network.head[:, network.tags.index("B-day")] = 9
        return bundle

    monkeypatch.setattr(certification, "untrained_tagger", faulty)
    found = certify_slots(system(), TEXTS)
    assert not found.equal
    assert found.agree < found.sentences
    assert found.differing[0] == TEXTS[0]
    assert "the network scores state 0 as another tag than None" in found.state_faults
    assert "network and rules differ" in check_slot_certificate(stored, system(), TEXTS)[1]


def test_a_certificate_of_labels(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    write_certificate(path, certify(small_system(), ["how much"]))
    with pytest.raises(InputError, match="is a certificate for another task: labels and slots have certificates"):
        check_slot_certificate(path, system(), TEXTS)


def test_a_damaged_certificate(stored: Path) -> None:
    values = json.loads(stored.read_text(encoding="utf-8"))
    stored.write_text(json.dumps({**values, "transducer": "fst"}), encoding="utf-8")
    with pytest.raises(InputError, match="transducer must be 'positions' or 'ifst' \\(got 'fst'\\)"):
        check_slot_certificate(stored, system(), TEXTS)
    del values["rank"]
    stored.write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(InputError, match="is not a certificate of this version"):
        check_slot_certificate(stored, system(), TEXTS)
