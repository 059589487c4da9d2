"""Automata and their differences as values, as services give them to pages."""

from re2nn_core.automata.dfa import ExactDfa, PseudoDfa
from re2nn_core.automata.differences.difference import NO_TAG, ArcDifference, MachineDifference, Mark, tags_in_words
from re2nn_core.automata.differences.folding import READABLE_STATES, Folded, fold, unfolded, word_classes, worth_folding
from re2nn_core.automata.differences.plain import PlainMachine
from re2nn_core.automata.explain import Reading
from re2nn_core.automata.independent import AnyTransducer, IndependentTransducer
from re2nn_core.automata.simulate import Step, Trace
from re2nn_core.automata.symbols import show_symbol, show_symbols
from re2nn_core.automata.transducer import Transducer

__all__ = [
    "NO_TAG",
    "READABLE_STATES",
    "AnyTransducer",
    "ArcDifference",
    "ExactDfa",
    "Folded",
    "IndependentTransducer",
    "MachineDifference",
    "Mark",
    "PlainMachine",
    "PseudoDfa",
    "Reading",
    "Step",
    "Trace",
    "Transducer",
    "fold",
    "show_symbol",
    "show_symbols",
    "tags_in_words",
    "unfolded",
    "word_classes",
    "worth_folding",
]
