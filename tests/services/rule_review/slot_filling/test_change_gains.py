"""What changes of rules for slots gain behind each other, and the order that comes of it."""

from __future__ import annotations

from itertools import permutations

import pytest
from support.projects.finished_tagger_run import marked, slot_corpus

from re2nn_core.reconstruction.slot_filling.predicted_texts import PredictedTags
from re2nn_core.services.rule_review.sizes import gain_first
from re2nn_core.services.rule_review.slot_filling.change_gains import ChangeGains
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.span_scores import spans_in

WORDS = Tokenization()
TO, FROM = "$* to [ oslo ]<to> $*", "$* from [ oslo ]<from> $*"
TO_ANYWHERE, FROM_MORE = "$* [ oslo | rome ]<to> $*", "$* from [ oslo | rome ]<from> $*"


def _system(rules: dict[str, str]) -> SlotSystem:
    text = "@city@ = ( boston | oslo | paris | rome )\n" + "".join(
        f"{name} := {rule}\n" for name, rule in rules.items()
    )
    return read_slot_system(text, "", WORDS)[0]


def _texts(examples: list[Example]) -> PredictedTags:
    texts = tuple(tagged_texts(examples, WORDS))
    return PredictedTags(Corpus(tuple(examples)), texts, tuple(text.tags or ("O",) * len(text.words) for text in texts))


def test_a_change_that_costs_spans_until_another_one_is_made_comes_behind_it() -> None:
    """A destination that is read anywhere takes the origins, until the rule of origins knows these cities, too. It
    names as many words and corrects more texts in the end, so measured behind all others it would come first."""
    examples = [marked(f"from {{c:from}} number {n}", "train", c="rome") for n in range(4)]
    examples += [marked(f"{{c:to}} please {n}", "dev", c="rome") for n in range(3)]
    examples += [marked(f"{{c:to}} again {n}", "dev", c="oslo") for n in range(3)]
    # The test texts alone would have it the other way round.
    examples += [marked(f"{{c:to}} in test {n}", "test", c="rome") for n in range(30)]
    written = _system({"origin": FROM, "destination": TO})
    new = _system({"origin": FROM_MORE, "destination": TO_ANYWHERE})
    changes = ("destination", "origin")
    gains = ChangeGains(_texts(examples), written, new, changes)
    assert gains.of("destination") == 6 - 4
    gains.make("origin")
    assert gains.of("destination") == 6
    gains = ChangeGains(_texts(examples), written, new, changes)
    assert gain_first(dict.fromkeys(changes, ("rome",)), gains.of, gains.make) == ("origin", "destination")


@pytest.mark.parametrize("order", list(permutations(("to", "from_to", "day", "more"))))
def test_gains_are_those_of_the_rules_with_the_changes_made_so_far(order: tuple[str, ...]) -> None:
    """Against rules that are read and predict anew after each change, one of which is a new rule."""
    rules = {
        "to": "$* to [ @city@ ]<to_city> $*",
        "from_to": "$* from [ @city@ ]<from_city> to $*",
        "day": "$* on [ monday | friday | foot ]<day> $*",
    }
    changed = {
        "to": "$* [ @city@ | vienna | lisbon ]<to_city> $*",
        "from_to": "$* from [ @city@ | vienna | cairo ]<from_city> $*",
        "day": "$* on [ monday | friday ]<day> $*",
        "more": "$* to [ cairo ]<to_city> on $*",
    }
    texts = _texts(list(slot_corpus().examples))
    whole = _system(rules | changed)
    gains = ChangeGains(texts, _system(rules), whole, tuple(changed))
    now = dict(rules)
    before = _errors(texts, _system(now))
    for place, name in enumerate(order):
        known = {one: gains.of(one) for one in order[place:]}  # what is kept of the later ones is right by then, too
        now[name] = changed[name]
        after = _errors(texts, _system(now))
        assert known[name] == before - after
        gains.make(name)
        before = after


def _errors(texts: PredictedTags, system: SlotSystem) -> int:
    chosen = [(text.words, text.tags) for text in texts.annotated_texts()]
    given = system.tags_of_words([words for words, _ in chosen])
    return sum(len(spans_in(tags) ^ spans_in(own)) for (_, tags), own in zip(chosen, given, strict=True))
