"""Which changes are made to rules: those that weights propose and texts bear out, and none that dev texts lose by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.networks.small_votes import (
    CITIES,
    FROM,
    RULE,
    TAGS,
    TO_CITY,
    WORDS,
    Small,
    into_city,
    replace_head,
    texts_of,
    vocabulary_of,
    weights_of,
)
from support.networks.tagger_samples import system_of

from re2nn_core.automata.symbols import ANY
from re2nn_core.reconstruction.expressions.expression import symbols_node
from re2nn_core.reconstruction.slot_filling import machine_changes as changes
from re2nn_core.reconstruction.slot_filling import proposed_changes
from re2nn_core.reconstruction.slot_filling.change_choice import choose_changes
from re2nn_core.reconstruction.slot_filling.change_text import changes_in_words
from re2nn_core.reconstruction.slot_filling.machine_changes import RuleMachine, rule_machine
from re2nn_core.reconstruction.slot_filling.proposed_changes import (
    LARGEST,
    ProposedChange,
    ProposedMove,
    holding,
    moves_of,
)
from re2nn_core.reconstruction.slot_filling.vote_table import ANYWHERE, PARTS, Ballot, material
from re2nn_core.rules.logic.priorities import SlotLogic
from re2nn_core.rules.printer import print_expression
from re2nn_core.text.vocabulary import build_vocabulary

# --- thresholds


@pytest.mark.parametrize(
    ("weights", "gains", "expected"),
    [
        ([9, 8, 7, 6], [3, 3, -1, -5], [0, 1]),  # the sum is greatest behind the second
        ([6, 7, 8, 9], [3, 3, -1, -5], []),  # the same gains behind what harms
        ([9, 8, 7, 6], [3, -1, 5, -9], [0, 2]),  # what harms above the threshold is left out
        ([9, 8, 7, 6], [3, -5, 2, 0], [0]),  # a gain below the threshold does not count
        ([9, 8, 7, 6], [-1, -1, 0, 0], []),
        ([9, 8, 7, 6], [3, 0, 3, 0], [0, 2]),  # a word that no text shows
    ],
)
def test_the_threshold_is_where_most_is_gained(weights: list[float], gains: list[float], expected: list[int]) -> None:
    shifted = [np.asarray([9.0, 9.0, 9.0, *values]) for values in (weights, gains)]  # unknown words stand in front
    found = holding(shifted[0], np.stack([shifted[1]] * PARTS), np.ones(7, dtype=np.bool_))
    assert [int(number) - 3 for number in found] == expected


def test_words_that_are_not_meant_are_not_taken() -> None:
    among = np.asarray([True] * 3 + [False, True])
    gains = np.stack([np.asarray([0, 0, 0, 5.0, 5.0])] * PARTS)
    assert holding(np.zeros(5), gains, among).tolist() == [4]


# --- moves


def test_a_place_reads_more_words() -> None:
    small = Small(texts_of(*CITIES))
    change = small.best(ProposedMove(0, "words", TO_CITY), into_city(paris=0.9, london=0.8, bern=0.7, table=0.2))
    assert change.words == ("bern", "london", "paris")
    assert change.machine.symbols[TO_CITY] == {"oslo", "rome", "paris", "london", "bern"}
    assert (change.gain, change.value) == (3, 3 - 0.75)
    assert list(changes_in_words(small.machine, [change])) == [
        "also matches ( bern | london | paris ) where it matches ( oslo | rome ), beginning x (3 errors fewer)"
    ]


def test_words_of_test_texts_are_not_named() -> None:
    """Without them the others come in as before."""
    words = into_city(paris=0.9, london=0.8, bern=0.7, table=0.2)
    texts = texts_of(*CITIES, "from table", "from table", "from london:B-x to")
    change = Small(texts).best(ProposedMove(0, "words", TO_CITY), words, hidden={"bern"})
    assert change.words == ("london", "paris")


def test_a_place_is_not_told_by_words_that_came_just_before() -> None:
    small = Small(texts_of(*CITIES))
    first = small.best(ProposedMove(0, "words", TO_CITY), into_city(paris=0.9, london=0.8, bern=0.7, table=0.2))
    second = ProposedChange(ProposedMove(0, "words", TO_CITY), first.machine, 1, 1.0, ("table",))
    assert list(changes_in_words(small.machine, [first, second]))[1] == (
        "also matches table where it matches ( oslo | rome ), beginning x (1 error fewer)"
    )


def test_the_order_of_weights_counts_not_the_texts_alone() -> None:
    weights = into_city(table=0.9, paris=0.1, london=0.1, bern=0.1)
    harm = texts_of(*CITIES, *["from table"] * 3)
    assert Small(harm).best(ProposedMove(0, "words", TO_CITY), weights) is None


def test_a_place_reads_any_word_where_that_is_as_good() -> None:
    change = Small(texts_of(*CITIES[:2], *CITIES[3:])).best(ProposedMove(0, "words", TO_CITY), {})
    assert change.machine.symbols[TO_CITY] == {ANY}
    assert change.words is None


def test_a_place_reads_fewer_words() -> None:
    small = Small(texts_of("from oslo", "from oslo to", "from oslo please", "from rome:B-x"))
    change = small.best(ProposedMove(0, "fewer", TO_CITY), {("oslo", FROM, TO_CITY): 0.3})
    assert (change.words, change.machine.symbols[TO_CITY]) == (("oslo",), {"rome"})


SHORT = ("from paris:B-x", "from london:B-x", "from table", "from please", "from to")
LONG = ("from london:B-x to", "from paris:B-x to", "from please to", "from to to", "from table to")  # in other parts


def test_a_wildcard_becomes_the_words_of_greatest_weight() -> None:
    small = Small(texts_of(*LONG, *SHORT), "$* from [ $ ]<x> $*")
    change = small.best(ProposedMove(0, "fewer", TO_CITY), into_city(paris=1.2, london=1.1))
    assert change.machine.symbols[TO_CITY] == {"paris", "london"}
    assert list(changes_in_words(small.machine, [change])) == [
        "matches only ( london | paris ) where it matched $, beginning x (6 errors fewer)"
    ]


def test_a_word_that_one_text_shows_is_not_left_out() -> None:
    """`to_city` of Flight slots did not match after *better but long story*, the words of one text."""
    small = Small(texts_of(*SHORT), "$* from [ $ ]<x> $*")
    assert small.best(ProposedMove(0, "fewer", TO_CITY), into_city(paris=1.2, london=1.1)) is None


def test_no_list_is_longer_than_people_read() -> None:
    many = [f"w{number}" for number in range(LARGEST - 1)]  # the rule names two
    texts = texts_of(*(f"from {word}:B-x" for word in many), *["from table"] * 120)
    small = Small(texts)
    small.vocabulary = build_vocabulary([tuple(many), WORDS], always=("from", "oslo", "rome"))
    small.ballot = Ballot(material(texts, small.vocabulary, TAGS), [small.machine.transducer], SlotLogic())
    weights = {(word, FROM, TO_CITY): 1.0 for word in many}
    assert small.best(ProposedMove(0, "words", TO_CITY), weights) is None
    del weights[many[0], FROM, TO_CITY]
    assert len(small.best(ProposedMove(0, "words", TO_CITY), weights).words) == LARGEST - 2


def test_a_place_gives_another_tag() -> None:
    small = Small(texts_of("from oslo:B-y", "from oslo:B-y to", "from rome:B-y"))
    change = small.best(ProposedMove(0, "tag", TO_CITY, tag="B-y"), {})
    assert change.machine.outputs[TO_CITY] == "B-y"
    assert change.gain == 6  # three missed, three invented


def test_some_words_of_a_place_get_another_tag() -> None:
    small = Small(texts_of("from oslo:B-y", "from oslo:B-y to", *["from rome:B-x"] * 2))
    change = small.best(ProposedMove(0, "tag", TO_CITY, tag="B-y"), {("oslo", FROM, TO_CITY): 2.0})
    assert change.words == ("oslo",)
    assert (change.machine.symbols[TO_CITY], change.machine.outputs[TO_CITY]) == ({"rome"}, "B-x")
    assert (change.machine.symbols[-1], change.machine.outputs[-1]) == ({"oslo"}, "B-y")
    assert list(changes_in_words(small.machine, [change])) == [
        "oslo among ( oslo | rome ), beginning x: now begins y (4 errors fewer)"
    ]


def test_an_arc_that_was_not_there() -> None:
    small = Small(texts_of("oslo:B-x", "to oslo:B-x", "table rome:B-x"))
    change = small.best(ProposedMove(0, "arc", 1, TO_CITY), {})
    assert change.machine.follows(0, TO_CITY)
    assert change.machine.follows(1, TO_CITY)
    assert (change.gain, change.words) == (3, None)
    learned = Small(texts_of("oslo:B-x", "to oslo:B-x", "bern oslo:B-x", "rome", "table rome", "from rome:B-x"))
    change = learned.best(ProposedMove(0, "arc", 1, TO_CITY), {("oslo", 0, TO_CITY): 0.5, ("oslo", 1, TO_CITY): 0.5})
    assert (change.gain, change.words) == (3, ("oslo",))


def test_an_arc_on_which_every_word_has_lost() -> None:
    small = Small(texts_of("oslo:B-x", "to oslo:B-x"))
    below = {(word, source, TO_CITY): -0.5 for word in small.vocabulary.words for source in (0, 1)}
    small.best(ProposedMove(0, "arc", 1, TO_CITY), below)  # no word at all is tried, where none is the strongest


@pytest.mark.parametrize(
    ("kind", "place", "rule", "texts"),
    [
        ("end", 3, "from [ $ ]<x> to", ("from oslo:B-x", "from rome:B-x")),
        ("begin", 1, "from [ $ ]<x>", ("oslo:B-x", "rome:B-x")),
    ],
)
def test_a_sentence_may_end_or_begin_elsewhere(kind: str, place: int, rule: str, texts: tuple[str, ...]) -> None:
    rule = rule.replace("$", "( oslo | rome )")
    place -= kind == "end"
    change = Small(texts_of(*texts), rule).best(ProposedMove(0, kind, place), {})  # type: ignore[arg-type]
    assert change.gain == 2


def test_weights_propose_what_has_grown_and_nothing_else() -> None:
    small = Small(texts_of(*CITIES))
    weights = weights_of(small.machine, small.vocabulary, {("paris", 4, TO_CITY): 0.4})
    replace_head(weights, {(TO_CITY, "B-y"): 0.3, (FROM, "B-y"): 0.01})
    weights.blocks[0].final[TO_CITY] = 0.5
    weights.blocks[0].final[FROM] = 0.5
    weights.blocks[0].start[FROM] = 0.2
    found = [move for move in moves_of(0, small.machine, weights, TAGS) if move.kind not in ("words", "fewer")]
    assert ProposedMove(0, "arc", 4, TO_CITY) in found
    assert ProposedMove(0, "arc", TO_CITY, TO_CITY) not in found
    assert [move.tag for move in found if move.kind == "tag" and move.place == TO_CITY] == ["B-y", "OO"]
    assert not [move for move in found if move.kind == "tag" and move.place == FROM and move.tag == "B-y"]
    ends = [(move.kind, move.place) for move in found if move.kind in ("begin", "end")]
    assert ends == [("end", FROM), ("begin", FROM)]  # a sentence may end behind the city already


def test_of_many_arcs_those_of_greatest_weight_are_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    small = Small(texts_of(*CITIES))
    weights = weights_of(small.machine, small.vocabulary, {("paris", 4, TO_CITY): 0.4, ("paris", 4, FROM): 0.3})

    def arcs() -> list[ProposedMove]:
        return [move for move in moves_of(0, small.machine, weights, TAGS) if move.kind == "arc"]

    assert arcs() == [ProposedMove(0, "arc", 4, FROM), ProposedMove(0, "arc", 4, TO_CITY)]
    monkeypatch.setattr(proposed_changes, "MOST_ARCS", 1)
    assert arcs() == [ProposedMove(0, "arc", 4, TO_CITY)]


# --- choice


def test_the_best_changes_are_made_until_none_gains() -> None:
    small = Small(texts_of(*CITIES, "oslo:B-x", "rome:B-x", "to oslo"))
    chosen = small.chosen({**into_city(paris=0.9, london=0.8, bern=0.7), ("oslo", 0, 3): 0.2})
    assert small.ballot.errors() == 2
    assert [change.move.kind for change in chosen.changes[0]] == ["words"]
    block = weights_of(small.machine, small.vocabulary, {})
    block.blocks[0].start[FROM] = 0.1
    again = choose_changes(small.ballot, chosen.machines, [block], lambda rule, machine: 1)
    assert [change.move.kind for change in again.changes[0]] == ["begin"]
    assert small.ballot.errors() == 0
    chosen = again
    assert chosen.changed == (0,)
    assert chosen.machines[0].transducer == small.ballot.machines[0]


def test_no_rule_is_bent_for_a_single_text() -> None:
    small = Small(texts_of("from paris:B-x", "from oslo:B-x"))
    assert small.chosen(into_city(paris=0.9)).changed == ()


def test_a_gain_on_train_that_costs_dev_is_left() -> None:
    weights = into_city(paris=0.9)
    written = ("from paris", *["from paris:B-x"] * 4)
    assert Small(texts_of(*written, dev=1)).chosen(weights).changed == ()
    assert Small(texts_of(*written, dev=0)).chosen(weights).changed == (0,)
    move = ProposedMove(0, "words", TO_CITY)
    assert Small(texts_of(*written, dev=1)).best(move, weights) is None
    assert Small(texts_of(*written, dev=0)).best(move, weights) is not None


def test_a_rule_that_grows_has_to_gain_more() -> None:
    weights = into_city(paris=0.9)
    texts = texts_of(*["from table"] * 3, *["from paris:B-x"] * 4)

    def size(rule: int, machine: RuleMachine) -> int:
        return 3 * len(machine.symbols[TO_CITY])

    assert Small(texts).chosen(weights).changed == (0,)
    assert Small(texts).chosen(weights, size).changed == (0,)
    assert Small(texts[:6]).chosen(weights, size).changed == ()


def test_a_form_that_cannot_be_written_is_left() -> None:
    small = Small(texts_of(*CITIES))
    assert small.chosen(into_city(paris=0.9, london=0.8, bern=0.7), lambda rule, machine: None).changed == ()


# --- votes


def test_a_trial_tells_what_taking_brings() -> None:
    small = Small(texts_of(*CITIES))
    other = changes.machine_reading(small.machine, TO_CITY, frozenset({"paris", "table"}))
    rows = np.arange(len(CITIES))
    trial = small.ballot.trial(0, other.transducer, rows)
    assert trial is not None
    before, f1 = small.ballot.errors(), small.ballot.f1(small.ballot.texts.labelled, trial)
    small.ballot.take(0, other.transducer)
    assert before - small.ballot.errors() == trial.gain == -1  # paris right, table wrong, oslo missed
    assert small.ballot.f1(small.ballot.texts.labelled) == pytest.approx(f1)
    assert small.ballot.trial(0, other.transducer, rows) is None


def test_a_trial_on_parts_of_the_texts_is_that_on_all() -> None:
    small = Small(texts_of(*CITIES))
    other = changes.machine_reading(small.machine, TO_CITY, frozenset({"paris", "table"})).transducer
    wrong = small.ballot.wrong
    assert 0 < wrong.sum() < len(wrong)
    first, second = (small.ballot.trial(0, other, np.nonzero(part)[0]) for part in (wrong, ~wrong))
    whole = small.ballot.trial(0, other, np.arange(len(wrong)))
    assert first is not None
    assert second is not None
    assert whole is not None
    joined = first.joined(second)
    for column in ("rows", "found", "right", "gains"):
        assert getattr(joined, column).tolist() == getattr(whole, column).tolist()


def test_texts_without_marks_count_for_nothing() -> None:
    unannotated = texts_of("from paris:B-x", "from london:B-x", labelled=False)
    small = Small([*texts_of("from oslo:B-x"), *unannotated])
    assert small.ballot.errors() == 0
    more = changes.machine_reading(small.machine, TO_CITY, frozenset({"oslo", "paris", "london"}))
    trial = small.ballot.trial(0, more.transducer, np.arange(3))
    assert trial is not None
    assert (len(trial.rows), trial.gain) == (2, 0)


def test_a_rule_may_be_added() -> None:
    small = Small(texts_of("to paris:B-y"))
    new = rule_machine(system_of("[slots]\nto [ paris ]<y>").trees[0][1], "new", "positions")
    trial = small.ballot.trial(ANYWHERE, new.transducer, np.asarray([0]))
    assert trial is not None
    assert trial.gain == 1
    small.ballot.take(ANYWHERE, new.transducer)
    assert small.ballot.errors() == 0


def test_other_priorities_are_tried_before_they_are_taken() -> None:
    rule = "from ( a<:>B-x | a<:>B-y )"
    small = Small(texts_of("from a:B-y"), rule)
    small.vocabulary = vocabulary_of(rule)
    assert small.ballot.errors() == 2
    logic = replace(small.ballot.logic, priorities=(("y", "x"),))
    trial = small.ballot.logic_trial(logic)
    assert trial is not None
    assert trial.gain == 2
    small.ballot.set_logic(logic)
    assert small.ballot.errors() == 0
    assert small.ballot.logic_trial(logic) is None


# --- words that rules tell apart by their letters


def test_words_that_share_letters_are_learned_as_the_expression_that_matches_them() -> None:
    rule = RULE + ' ( re"p[aio].*" hotel )?'
    small = Small(texts_of("from porto:B-x", "from paris:B-x please", "from pisa:B-x", "from bern"), rule)
    like = next(word for word in small.vocabulary.words if word.startswith("like "))
    weights = {(word, FROM, TO_CITY): 0.9 for word in (like, "paris")}
    change = small.best(ProposedMove(0, "words", TO_CITY), weights)
    assert change is not None
    assert print_expression(symbols_node(change.machine.symbols[TO_CITY])) == 're"p[aio].*" | oslo | rome'
    assert next(changes_in_words(small.machine, [change])).startswith('also matches re"p[aio].*" where it matches')
