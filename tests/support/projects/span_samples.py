"""A small project with slots whose figures can be counted by hand, for tests of services and pages."""

from __future__ import annotations

from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, analyse_slots
from re2nn_core.store import ProjectRecord, Store, create_project
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

RULES = """\
@city@=( rome | oslo | new york )
to := $* to [ $ $? ]<to_city> $*                  // one word or two: "to oslo on", says the rule
from_to := $* from [ @city@ ]<from_city> to [ @city@ ]<to_city> $*
day := $* [ monday | friday ]<day> $*
"""
PLAIN = Tokenization()


def marked(text: str, *slots: tuple[str, str]) -> Example:
    """A text with the first place of each of these words marked."""
    spans = sorted(Span(text.index(words), text.index(words) + len(words), slot) for words, slot in slots)
    return Example(text, spans=tuple(spans))


EXAMPLES = (
    marked("fly to oslo", ("oslo", "to_city")),
    marked("from rome to new york on friday", ("rome", "from_city"), ("new york", "to_city"), ("friday", "day")),
    marked("to bergen monday", ("bergen", "to_city"), ("monday", "day")),
    marked("no flights on monday"),
    marked("leaving tromso soon", ("tromso", "from_city")),
    Example("to rome please"),
)


def system(rules: str = RULES, logic: str = "") -> SlotSystem:
    """The system of RULES."""
    return read_slot_system(rules, logic, PLAIN)[0]


def analysis(rules: str = RULES, logic: str = "", bench: SlotBench | None = None) -> SlotAnalysis:
    """RULES on EXAMPLES."""
    used = bench or SlotBench([example.text for example in EXAMPLES], PLAIN)
    return analyse_slots(used, [example.spans for example in EXAMPLES], rules, logic)


def annotated_project(store: Store, *, rules: str = RULES, logic: str = "", name: str = "Trips") -> ProjectRecord:
    """A project of EXAMPLES."""
    return create_project(
        store,
        name=name,
        task=Task.SLOT_FILLING,
        examples=Corpus(EXAMPLES),
        rules_text=rules,
        logic_text=logic,
        author="tester",
        tokenization=PLAIN,
    )
