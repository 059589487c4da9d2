"""The equality certificate as a file: the untrained network gives the rules' own predictions.

Two halves. State by state: the factors move as the symbolic machines do for every word and every state, which
holds for sentences of any length (tensors/state_certificate.py). Sentence by sentence: on every text of a corpus the
network's prediction is the rule system's. The file names what was compared by its hash, so that it can be checked
again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar, cast

from re2nn_core.errors import InputError
from re2nn_core.files import read_json, write_whole
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.tensors.factors import exact_factors
from re2nn_core.tensors.machines import MachineMode
from re2nn_core.tensors.state_certificate import check_states
from re2nn_core.text.json_text import json_text

FORMAT = 1
SHOWN = 20


class CertificateRecord(Protocol):
    """A dataclass with a verdict."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def equal(self) -> bool:
        """Whether rules and network give the same predictions."""


Kind = TypeVar("Kind", bound=CertificateRecord)


@dataclass(frozen=True)
class Certificate:
    """`equal` is the verdict. Hashes are SHA-256 of the rule text, the logic text and the corpus. `differing` lists
    the first texts on which the predictions differ."""

    equal: bool
    rules_hash: str
    logic_hash: str
    texts_hash: str
    tokenization: dict[str, Any]
    machines: str
    states: int
    rank: int
    words_checked: int
    transitions_checked: int
    max_error: float
    state_faults: tuple[str, ...]
    sentences: int
    agree: int
    differing: tuple[str, ...]
    format: int = FORMAT


def certify(system: RuleSystem, texts: Sequence[str], config: NetworkConfig | None = None) -> Certificate:
    """Compare the rule system with its untrained network, state by state and text by text."""
    bundle = untrained(system, texts, config)
    factors = exact_factors(bundle.machines, bundle.vocabulary)
    states = check_states(bundle.machines, factors)
    by_rules, by_network = system.predictions(texts), predict(bundle, texts).predictions
    pairs = zip(texts, by_rules, by_network, strict=True)
    differing = [text for text, rules, network in pairs if rules != network]
    return Certificate(
        equal=states.equal and not differing,
        rules_hash=hash_of([system.rules_text]),
        logic_hash=hash_of([system.logic_text]),
        texts_hash=hash_of(texts),
        tokenization=system.tokenization.settings,
        machines=bundle.config.machines,
        states=states.states,
        rank=factors.rank,
        words_checked=states.words,
        transitions_checked=states.transitions,
        max_error=states.max_error,
        state_faults=states.faults,
        sentences=len(texts),
        agree=len(texts) - len(differing),
        differing=tuple(differing[:SHOWN]),
    )


def hash_of(texts: Sequence[str]) -> str:
    """SHA-256 of texts and of where each ends."""
    digest = hashlib.sha256()
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.hexdigest()


def write_certificate(path: Path, certificate: CertificateRecord) -> None:
    """Write the certificate as JSON; the file is complete before it gets its name."""
    write_whole(path, json_text(asdict(certificate), indent=2) + "\n")


def read_certificate(path: Path) -> Certificate:
    """Read a certificate of labels. InputError says what is wrong with the file."""
    return read_as(path, Certificate)


def read_as(path: Path, kind: type[Kind]) -> Kind:
    """Read a certificate of a kind. InputError says what is wrong with the file."""
    try:
        values = read_json(path)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such certificate.\nWrite one with re2nn certify -o FILE.") from None
    except IsADirectoryError:
        raise InputError(f"{path}: this is a folder. Give the path of a certificate.") from None
    except OSError as fault:
        raise InputError(f"the certificate {path} cannot be read: {fault.strerror or fault}.") from fault
    except ValueError:
        values = None
    if not isinstance(values, dict) or "format" not in values:
        raise InputError(f"{path} is no certificate. Give a file that was written with re2nn certify -o FILE.")
    expected = {field.name for field in fields(kind)}
    if ("task" in values) != ("task" in expected):
        raise InputError(f"{path} is a certificate for another task: labels and slots have certificates of their own.")
    if set(values) != expected or values["format"] != FORMAT:
        raise InputError(f"{path} is not a certificate of this version.\nWrite it again with re2nn certify.")
    if not isinstance(values["state_faults"], list) or not isinstance(values["differing"], list):
        raise InputError(f"{path} is damaged: its lists are no lists.\nWrite it again with re2nn certify.")
    for name in ("state_faults", "differing"):
        values[name] = tuple(values[name])
    return kind(**values)


def check_certificate(path: Path, system: RuleSystem, texts: Sequence[str]) -> tuple[Certificate, tuple[str, ...]]:
    """Do the comparison of a stored certificate again. The new certificate, and in words what no longer fits the
    stored one (empty: it holds)."""
    stored = read_certificate(path)
    made = certify(system, texts, NetworkConfig(machines=_mode(stored), vectors="none", dropout=0.0))
    names = {
        "rules_hash": "the rules are not the certified ones",
        "logic_hash": "the label logic is not the certified one",
        "texts_hash": "the texts are not the certified ones",
        "tokenization": "the texts are tokenized in another way",
        "states": "the automata have another number of states",
        "rank": "the factors have another rank",
        "agree": "another number of predictions agree",
    }
    return made, no_longer_fitting(stored, made, names)


def no_longer_fitting(stored: Kind, made: Kind, names: Mapping[str, str]) -> tuple[str, ...]:
    """What of a stored certificate does not fit one made now, in the words that `names` has for its fields."""
    faults = [words for name, words in names.items() if _plain(getattr(stored, name)) != _plain(getattr(made, name))]
    if not stored.equal:
        faults.append("the stored certificate says that network and rules differ")
    if not made.equal:
        faults.append("network and rules differ")
    return tuple(faults)


def _plain(value: object) -> object:
    """A value as JSON gives it back."""
    return list(value) if isinstance(value, tuple) else value


def _mode(certificate: Certificate) -> MachineMode:
    return cast(MachineMode, certificate.machines)
