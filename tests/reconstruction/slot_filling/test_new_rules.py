"""Rules that nobody has written: the phrases of a slot, where they stand, what grows from them; and new priorities."""

from __future__ import annotations

import numpy as np
import pytest
from support.networks.tagger_samples import system_of

from re2nn_core.automata.symbols import NUMBER
from re2nn_core.automata.transducer import position_transducer
from re2nn_core.reconstruction.slot_filling.lexicon import LARGEST, Lexicon, find_lexicon_phrases, lexicons
from re2nn_core.reconstruction.slot_filling.mined_rules import Miner
from re2nn_core.reconstruction.slot_filling.new_rules import MIN_NEW_GAIN, GrownRule, learn_rules
from re2nn_core.reconstruction.slot_filling.priorities import learn_priorities
from re2nn_core.reconstruction.slot_filling.vote_table import Ballot, MarkedText, VoteMaterial, material
from re2nn_core.rules.logic.priorities import SlotLogic
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import expand
from re2nn_core.rules.tagging import tagged
from re2nn_core.text.vocabulary import build_vocabulary

TAGS = ("OO", "O", "B-from", "I-from", "B-to", "I-to", "B-time", "I-time")


def marked(text: str, *, labelled: bool = True, dev: bool = False) -> MarkedText:
    """A text as words, those of a slot joined by _ and followed by a colon and the slot."""
    words: list[str] = []
    tags: list[str] = []
    for part in text.split():
        phrase, _, slot = part.partition(":")
        for place, word in enumerate(phrase.split("_")):
            words.append(word)
            tags.append(f"{'I' if place else 'B'}-{slot}" if slot else "O")
    return MarkedText(tuple(words), tuple(tags), labelled, dev, tuple(tags))


def material_of(*texts: str | MarkedText) -> VoteMaterial:
    made = [marked(text) if isinstance(text, str) else text for text in texts]
    return material(made, build_vocabulary([text.words for text in made]), TAGS)


def lexicon_of(texts: VoteMaterial, slot: str) -> list[list[str]]:
    found = lexicons(texts, [text.taught for text in texts.texts])
    return [
        [" ".join("%" if symbol is NUMBER else str(symbol) for symbol in phrase) for phrase in lexicon.phrases]
        for lexicon in found
        if lexicon.slot == slot
    ]


def learned(
    texts: VoteMaterial, logic: str = "", rules: str = "[slots]\nzzz [ zzz ]<from>"
) -> tuple[Ballot, list[GrownRule]]:
    system = system_of(rules, logic)
    ballot = Ballot(texts, [position_transducer(tree) for _, tree in system.trees], system.logic)
    return ballot, learn_rules(ballot, [], lowercase=True)


def printed(rules: list[GrownRule]) -> list[str]:
    return [print_expression(rule.tree) for rule in rules]


FLIGHTS = (
    "from oslo:from to new_york:to",
    "from rome:from to oslo:to please",
    "from new_york:from to rome:to",
    "to rome:to from bern:from",
    "show me oslo",
    "what a new thing",
)


# --- phrases


def test_phrases_are_those_of_the_network() -> None:
    assert lexicon_of(material_of(*FLIGHTS[:2]), "from") == [["oslo", "rome"]]
    found = [MarkedText(("to", "x"), ("O", "B-to"), True, False, ("O", "O"))]
    assert lexicon_of(material_of(*found), "to") == []


def test_slots_that_share_phrases_lend_each_other_theirs() -> None:
    assert lexicon_of(material_of(*FLIGHTS), "from") == [
        ["bern", "new york", "oslo", "rome"],
    ]
    assert lexicon_of(material_of(*FLIGHTS), "to") == [
        ["new york", "oslo", "rome"],
        ["bern", "new york", "oslo", "rome"],
    ]
    apart = material_of("from oslo:from to rome:to", "from bern:from to new_york:to")
    assert lexicon_of(apart, "from") == [["bern", "oslo"]]


def test_phrases_that_differ_in_numbers_alone_are_one() -> None:
    texts = material_of("at 5_pm:time", "at 6_pm:time or 3:time", "at 11_pm:time", "at noon:time")
    assert lexicon_of(texts, "time") == [["3", "% pm", "noon"]]
    assert lexicon_of(material_of("at 5_pm:time", "at 6_pm:time"), "time") == [["5 pm", "6 pm"]]


def test_the_most_frequent_phrases_are_taken() -> None:
    texts = material_of(*[f"from w{number}:from" for number in range(LARGEST + 5)], *["from z:from"] * 2)
    (found,) = lexicon_of(texts, "from")
    assert len(found) == LARGEST
    assert "z" in found


def test_every_place_of_a_phrase_is_found() -> None:
    texts = material_of("new york new york", "york 5 pm 7", "pm")
    phrases = [("new", "york"), ("york",), (NUMBER, "pm"), (NUMBER,)]
    matches = find_lexicon_phrases(texts, phrases)
    found = {
        (int(sentence), int(start - texts.sentences.offsets[sentence]), phrases[phrase], int(end - start))
        for sentence, start, end, phrase in zip(
            matches.sentence, matches.start, matches.end, matches.phrase, strict=True
        )
    }
    assert found == {
        (0, 0, ("new", "york"), 2),
        (0, 2, ("new", "york"), 2),
        (0, 1, ("york",), 1),
        (0, 3, ("york",), 1),
        (1, 0, ("york",), 1),
        (1, 1, (NUMBER, "pm"), 2),
        (1, 1, (NUMBER,), 1),
        (1, 3, (NUMBER,), 1),
    }
    assert len(matches.of_phrases([("york",)])) == 3


# --- growing


def grown_conditions(texts: VoteMaterial, slot: str) -> dict[str, list[str]]:
    ballot, _ = Ballot(texts, [], SlotLogic()), None
    (lexicon, *_) = [found for found in lexicons(texts, [t.taught for t in texts.texts]) if found.slot == slot]
    taught = np.asarray([texts.numbers[tag] for text in texts.texts for tag in text.taught])
    matches = find_lexicon_phrases(texts, lexicon.phrases)
    grown = Miner(ballot, taught).grow(Lexicon(slot, lexicon.phrases), matches)
    words = (*texts.vocabulary.words, "EDGE")
    return {
        place: sorted(
            " ".join(map(str, lexicon.phrases[number])) if place == "phrase" else words[number] for number in numbers
        )
        for place, numbers in grown.conditions.items()
    }


def test_a_rule_names_the_words_beside_its_phrases() -> None:
    texts = material_of(*FLIGHTS * 2)
    assert grown_conditions(texts, "from") == {"left1": ["from"]}
    assert grown_conditions(texts, "to") == {"left1": ["to"]}


@pytest.mark.parametrize(
    ("texts", "place", "words"),
    [
        (["oslo:from here", "go oslo"], "left1", ["EDGE"]),
        (["oslo:from goes out", "oslo stays out"], "right1", ["goes"]),
        (["in oslo:from", "in oslo there"], "right1", ["EDGE"]),
        (["oslo:from a go", "oslo:from b go", "oslo a stay", "oslo b stay"], "right2", ["go"]),
        (["oslo:from", "go oslo please"], "left1", ["EDGE"]),
    ],
)
def test_places_around_a_phrase(texts: list[str], place: str, words: list[str]) -> None:
    assert grown_conditions(material_of(*texts * 6), "from") == {place: words}


def test_words_anywhere_before_or_after() -> None:
    before = [f"arriving {filler} oslo:to x" for filler in "abcde"] + [f"leaving {filler} oslo x" for filler in "abcde"]
    assert grown_conditions(material_of(*before), "to") == {"left2": ["arriving"]}
    far = [f"arriving {w} {v} oslo:to x" for w in "ab" for v in "cd"] + [
        f"go {w} {v} oslo x" for w in "ab" for v in "cd"
    ]
    assert grown_conditions(material_of(*far), "to") == {"before": ["arriving"]}
    # The word has to stand on the right side of the phrase.
    behind = [f"{w} {u} oslo:to {w} {v} arriving" for u in "pq" for w in "ab" for v in "cd"]
    wrong = [f"arriving {w} {u} oslo {v} x" for u in "pq" for w in "ab" for v in "cd"]
    assert grown_conditions(material_of(*behind, *wrong), "to") == {"after": ["arriving"]}


# --- rules


def test_rules_are_learned_and_say_what_the_texts_say() -> None:
    ballot, rules = learned(material_of(*FLIGHTS * 2))
    assert printed(rules) == [
        "$* from [ bern | new york | oslo | rome ]<from> $*",
        "$* to [ new york | oslo | rome ]<to> $*",
    ]
    assert [rule.name for rule in rules] == ["learned.from.1", "learned.to.1"]
    assert [rule.gain for rule in rules] == [8, 8]
    assert ballot.errors() == 0


def test_what_is_added_to_the_votes_is_what_is_written() -> None:
    ballot, rules = learned(material_of(*FLIGHTS * 2, *[f"on w{n}:time w{n}" for n in range(9)]))
    assert any(rule.classes for rule in rules)
    classes = {entry.name: entry.tree for rule in rules for entry in rule.classes}
    for rule, machine in zip(rules, ballot.machines[1:], strict=True):
        assert position_transducer(tagged(expand(rule.tree, classes, True))) == machine


def test_long_lists_are_named_once() -> None:
    texts = [f"{how} w{number}:time" for number in range(9) for how in ("on", "by")]
    wrong = [f"at w{number}" for number in range(9)]
    _, rules = learned(material_of(*texts, *wrong))
    assert printed(rules) == ["$* ( by | on ) [ @learned.time.w0_9@ ]<time> $*"]
    assert [entry.name for entry in rules[0].classes] == ["learned.time.w0_9"]


def test_the_edges_of_a_sentence_are_written() -> None:
    _, rules = learned(material_of(*["oslo:from x", "go oslo x"] * 6, *["a rome:to", "a rome b"] * 6))
    assert printed(rules) == ["BOS [ oslo ]<from> $*", "$* [ rome ]<to> EOS"]


def test_few_errors_are_not_worth_a_rule() -> None:
    assert learned(material_of(*["from oslo:from"] * (MIN_NEW_GAIN - 1)))[1] == []
    assert len(learned(material_of(*["from oslo:from"] * MIN_NEW_GAIN))[1]) == 1


def test_a_rule_that_dev_texts_lose_by_is_not_added() -> None:
    texts = [marked("from oslo:from") for _ in range(9)]
    other = MarkedText(("from", "oslo"), ("O", "O"), True, True, ("O", "B-from"))
    assert learned(material_of(*texts, other))[1] == []


def test_texts_without_marks_help_to_find_rules_that_marked_ones_bear_out() -> None:
    unannotated = [marked(f"from {city}:from", labelled=False) for city in ("oslo", "rome", "bern") for _ in range(3)]
    assert learned(material_of(*unannotated))[1] == []
    _, rules = learned(material_of(*unannotated, *["from oslo:from"] * MIN_NEW_GAIN))
    assert printed(rules) == ["$* from [ bern | oslo | rome ]<from> $*"] or printed(rules) == [
        "$* [ bern | oslo | rome ]<from> $*"
    ]


# --- priorities


def test_priorities_are_read_off_contradictions() -> None:
    rules = "[slots]\n$* [ oslo ]<from> $*\n$* to [ oslo ]<to> $*"
    system = system_of(rules)
    texts = material_of(*["to oslo:to"] * 2, "oslo:from")
    ballot = Ballot(texts, [position_transducer(tree) for _, tree in system.trees], system.logic)
    assert ballot.errors() == 4
    assert learn_priorities(ballot) == (("to", "from"),)
    assert ballot.errors() == 0
    assert ballot.logic.priorities == (("to", "from"),)


def test_no_priority_contradicts_those_there_are() -> None:
    rules = "[slots]\n$* [ oslo ]<from> $*\n$* to [ bern ]<to> $*\n$* at [ oslo ]<time> $*"
    texts = material_of(*["at oslo:time"] * 4)
    free = system_of(rules)
    ballot = Ballot(texts, [position_transducer(tree) for _, tree in free.trees], free.logic)
    assert learn_priorities(ballot) == (("time", "from"),)
    system = system_of(rules, 'priorities = ["from > to", "to > time"]')
    ballot = Ballot(texts, [position_transducer(tree) for _, tree in system.trees], system.logic)
    assert learn_priorities(ballot) == ()
