"""What the tutorials say of the samples is so: rules, texts, and figures before and after the edits in them."""

from __future__ import annotations

import re

import pytest
from support.networks.tagger_samples import sample_project

from re2nn_core.guide.contents import find_topic
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, analyse
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import analyse_slots


def code_blocks(topic: str) -> list[str]:
    """The code of a tutorial, block by block."""
    return re.findall(r"```\n(.*?)\n```", find_topic(topic).text, flags=re.DOTALL)


def test_the_tutorial_for_labels() -> None:
    files = sample_project("flight_intents")
    text, (written, narrower, priority) = find_topic("tutorial-labels").text, code_blocks("tutorial-labels")[:3]
    examples = files.corpus.examples
    bench = TextBench([example.text for example in examples], files.tokenization)

    def figures(rules: str, logic: str) -> Analysis:
        return analyse(bench, [example.label for example in examples], rules, logic)

    before = figures(files.rules_text, files.logic_text)
    assert f"{before.texts} messages to an airline with ten labels and {len(before.rule_figures)}\nrules" in text
    late = next(rule for rule in before.rule_figures if rule.name == "late")
    assert f"these {late.matches} texts" in text
    assert f"lists the {late.wrong}\n" in text
    after = figures(files.rules_text.replace(written, narrower), files.logic_text)
    assert len(after.correct.nonzero()[0]) > len(before.correct.nonzero()[0])
    sandwiches = [example.text for example in examples].index("Can I bring my own sandwiches?")
    logic = files.logic_text.replace("priorities = [\n", f"priorities = [\n{priority}\n")
    now = figures(files.rules_text, logic)
    assert (before.prediction(sandwiches), now.prediction(sandwiches)) == ("baggage", "meal")


def test_the_tutorial_for_slots() -> None:
    files = sample_project("flight_slots")
    text, (_, added) = find_topic("tutorial-slots").text, code_blocks("tutorial-slots")[:2]
    examples = files.corpus.examples
    bench, gold = SlotBench([one.text for one in examples], files.tokenization), [one.spans for one in examples]
    before = analyse_slots(bench, gold, files.rules_text, "")
    after = analyse_slots(bench, gold, f"{files.rules_text}\n{added}\n", "")
    assert before.counts.f1 is not None
    assert after.counts.f1 == pytest.approx(0.693, abs=5e-4)
    shown = (
        f"finds {after.rule_figures[-1].spans} spans at once, and F1 rises from {100 * before.counts.f1:.1f} to 69.3"
    )
    assert shown in text
