"""What the threshold explorer for labels found out, kept beside the network as slot_filling/threshold_file.py does for
slots: the explorer opens at once the next time, also behind a restart.

`thresholds.json` in the run's folder holds, with a fingerprint of the texts, the network's predictions, and of each
machine its forms with the texts that they accept. Symbols and sets of them are written once and named by their number;
a symbol that is no word stands in a list of its own, so that no word can be taken for it. Rows of yes and no are
hexadecimal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from re2nn_core.automata.arcs import Arc
from re2nn_core.automata.dfa import PseudoDfa, moves_of_table, table_of_moves
from re2nn_core.automata.symbols import ANY, END, NUMBER, PUNCTUATION, START, Complement, Special, Symbol, symbol_order
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.reconstruction.classification.learned_weight import LearnedWeight
from re2nn_core.reconstruction.classification.threshold_choice import THRESHOLDS, Candidate, KeptMachines
from re2nn_core.reconstruction.weights.class_names import Strongest
from re2nn_core.reconstruction.weights.thresholded_arcs import ThresholdedMachine
from re2nn_core.services.fine_tuning.result_file import Numbers, kept_or_made
from re2nn_core.services.fine_tuning.runs import fingerprint
from re2nn_core.services.rule_reconstruction.classification.reconstruction import OnProgress
from re2nn_core.services.rule_review.classification.thresholds import (
    Bools,
    LabelledTexts,
    SweepReadings,
    ThresholdSweep,
    labelled_texts,
    sweep_thresholds,
)
from re2nn_core.store import TextRecord
from re2nn_core.text.corpus import Corpus, Example

FILE = "thresholds.json"
FORMAT = 1
_SPECIALS = {symbol.text: symbol for symbol in (ANY, NUMBER, PUNCTUATION, START, END)}


def stored_sweep(
    bundle: Bundle, folder: Path, records: Sequence[TextRecord], *, on_progress: OnProgress | None = None
) -> ThresholdSweep:
    """The explorer of the network in a run's folder on a project's texts: from what is kept there, where texts and
    labels are those of then; else made, as `sweep_thresholds` does, and kept."""
    stamp = {"format": FORMAT, "texts": fingerprint(records), "thresholds": list(THRESHOLDS)}
    corpus = Corpus(tuple(Example(record.text, record.label, record.split) for record in records))

    def read(values: Mapping[str, Any]) -> ThresholdSweep:
        if [machine["name"] for machine in values["machines"]] != list(bundle.machines.names):
            raise ValueError("other machines")
        texts = labelled_texts(bundle, corpus)
        return ThresholdSweep(bundle, _Reading(values, texts).explored(), texts)

    def make() -> ThresholdSweep:
        return sweep_thresholds(bundle, corpus, on_progress=on_progress)

    return kept_or_made(folder / FILE, stamp, read=read, make=make, values_of=lambda made: _Writing().values(made))


def _as_value(symbol: Symbol) -> str | list[Any]:
    """A symbol as `_as_symbol` reads it; what a complement leaves out stands behind its base."""
    if isinstance(symbol, Complement):
        return [symbol.base.text, list(map(_as_value, sorted(symbol.but, key=symbol_order)))]
    return [symbol.text] if isinstance(symbol, Special) else symbol


def _as_symbol(value: str | list[Any]) -> Symbol:
    if not isinstance(value, list):
        return str(value)
    base = _SPECIALS[value[0]]
    return Complement(map(_as_symbol, value[1]), base) if len(value) > 1 else base


class _Writing:
    """Writes what `_Reading` reads."""

    def __init__(self) -> None:
        self.symbols: Numbers[Symbol] = Numbers()
        self.sets: Numbers[frozenset[Symbol]] = Numbers()

    def values(self, explorer: ThresholdSweep) -> dict[str, Any]:
        found = explorer.explored
        names = explorer.bundle.machines.names
        parts = zip(names, found.read, found.learned, found.strongest, found.written.T, strict=True)
        machines = [self._machine(*part) for part in parts]
        sets = [self._numbers(sorted(symbols, key=symbol_order)) for symbols in self.sets.known]
        return {
            "network": found.network.tolist(),
            "machines": machines,
            "sets": sets,
            "symbols": list(map(_as_value, self.symbols.known)),
        }

    def _machine(
        self,
        name: str,
        read: Mapping[float, Candidate | KeptMachines],
        learned: LearnedWeight,
        strongest: Strongest,
        written: Bools,
    ) -> dict[str, Any]:
        forms = {id(one): one for one in read.values() if isinstance(one, Candidate)}
        numbers = {own: number for number, own in enumerate(forms)}
        return {
            "name": name,
            "learned": [learned.weight, learned.what],
            "written": _packed(written),
            "strongest": [[*states, self._numbers(words)] for states, words in strongest.items()],
            "at": [
                one.name if isinstance(one, KeptMachines) else numbers[id(one)] for one in map(read.get, THRESHOLDS)
            ],
            "forms": list(map(self._form, forms.values())),
        }

    def _form(self, form: Candidate) -> dict[str, Any]:
        machine, dfa = form.machine, form.dfa
        return {
            "threshold": form.threshold,
            "size": form.size,
            "fired": _packed(form.matched),
            "arcs": [[arc.source, arc.target, self.sets.number(arc.symbols)] for arc in machine.arcs],
            "starts": sorted(machine.starts),
            "finals": sorted(machine.finals),
            "minimal": [
                list(map(self.sets.number, dfa.alphabet)),
                table_of_moves(dfa.moves, len(dfa.alphabet)),
                sorted(dfa.finals),
            ],
        }

    def _numbers(self, symbols: Iterable[Symbol]) -> list[int]:
        return [self.symbols.number(symbol) for symbol in symbols]


class _Reading:
    """Reads what `_Writing` writes."""

    def __init__(self, values: Mapping[str, Any], texts: LabelledTexts) -> None:
        self.values, self.texts = values, len(texts.gold)
        self.symbols = list(map(_as_symbol, values["symbols"]))
        self.sets = [frozenset(map(self.symbols.__getitem__, numbers)) for numbers in values["sets"]]

    def explored(self) -> SweepReadings:
        machines = self.values["machines"]
        return SweepReadings(
            tuple(map(self._read, machines)),
            tuple(LearnedWeight(float(weight), str(what)) for weight, what in (own["learned"] for own in machines)),
            tuple(map(self._strongest, machines)),
            np.stack([self._unpacked(machine["written"]) for machine in machines], axis=1),
            np.asarray(self.values["network"], dtype=np.int64).reshape(self.texts),
        )

    def _read(self, machine: Mapping[str, Any]) -> dict[float, Candidate | KeptMachines]:
        forms = list(map(self._form, machine["forms"]))
        at = zip(THRESHOLDS, machine["at"], strict=True)
        return {threshold: KeptMachines[one] if isinstance(one, str) else forms[one] for threshold, one in at}

    def _strongest(self, machine: Mapping[str, Any]) -> Strongest:
        words = self.symbols
        return {
            (int(source), int(target)): tuple(str(words[number]) for number in numbers)
            for source, target, numbers in machine["strongest"]
        }

    def _form(self, form: Mapping[str, Any]) -> Candidate:
        arcs = tuple(Arc(source, target, self.sets[number]) for source, target, number in form["arcs"])
        alphabet, table, finals = form["minimal"]
        return Candidate(
            float(form["threshold"]),
            ThresholdedMachine(arcs, frozenset(form["starts"]), frozenset(form["finals"])),
            PseudoDfa(tuple(self.sets[number] for number in alphabet), moves_of_table(table), frozenset(finals)),
            self._unpacked(form["fired"]),
            int(form["size"]),
        )

    def _unpacked(self, row: str) -> Bools:
        packed = np.frombuffer(bytes.fromhex(row), dtype=np.uint8)
        if len(packed) != (self.texts + 7) // 8:
            raise ValueError("other texts")
        return np.unpackbits(packed, count=self.texts).astype(np.bool_)


def _packed(row: Bools) -> str:
    """A row of yes and no, eight to a byte."""
    return np.packbits(row).tobytes().hex()
