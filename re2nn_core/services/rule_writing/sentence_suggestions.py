"""Sentences that a rule could be held to, found from its automaton.

To match: for a place of the rule the shortest sentence that it accepts and that it would refuse without that place, so
that each one guards another branch. To refuse: sentences one edit away from one that it accepts, texts of the project
in front.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from re2nn_core.automata.inclusion import shortest_escape
from re2nn_core.automata.positions import PositionAutomaton, accepts
from re2nn_core.automata.symbols import ANY, END, START
from re2nn_core.errors import StateBudgetError
from re2nn_core.explain.changes import smallest_change
from re2nn_core.rules.marked_text import read_marked
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.sentences import RuleSentences
from re2nn_core.services.rule_writing.rule_sentences import RuleReader, SlotRuleReader, System, rule_reader
from re2nn_core.text.tokenization import Tokenization, words

MOST = 5
_PLACES = 60
_BUDGET = 20_000
_USUAL = 100  # states; of larger automata less is looked at (478 states took 40 seconds)
_LOOKED_AT, _TEXTS = 2_000, 300
_LONGEST_TEXT = 25
# A word that no rule names, for a near miss.
_FOREIGN = "something"


def suggest_sentences(
    system: System, rule: Rule, present: RuleSentences, texts: Sequence[str] = (), *, most: int = MOST
) -> RuleSentences:
    """Sentences to choose from that the rule matches and refuses now, as the rules stand; none that are there already.
    `texts` are those of the project that it should rather refuse."""
    reader = rule_reader(system, rule)
    kept = [reader_words(reader, sentence) for sentence in present.must]
    branches = list(branch_sentences(reader.automaton, kept, most=most))
    near = _real_misses(reader, texts, most) + _made_misses(reader, [*kept, *branches], most)
    must = (reader.as_sentence(text_of_words(found, reader.tokenization)) for found in branches)
    return RuleSentences(rule.name, _new(must, present.must, most), _new(near, present.must_not, most))


def branch_sentences(
    automaton: PositionAutomaton, kept: Sequence[Sequence[str]] = (), *, most: int = MOST
) -> Iterator[tuple[str, ...]]:
    """Shortest sentences for the branches that no sentence of `kept`, and none given before, depends on."""
    there = [*kept]
    places = [state for state, symbols in enumerate(automaton.symbols) if symbols - {START, END, ANY}]
    larger = max(1, len(automaton) // _USUAL)
    for state in places[: _PLACES // larger]:
        without = without_state(automaton, state)
        if any(accepts(automaton, sentence) and not accepts(without, sentence) for sentence in there):
            continue
        try:
            found = shortest_escape(automaton, without, budget=_BUDGET // larger)
        except StateBudgetError:
            continue
        if found is None:
            continue
        there.append(found)
        yield found
        if len(there) - len(kept) >= most:
            return


def without_state(automaton: PositionAutomaton, state: int) -> PositionAutomaton:
    """The automaton that never enters a state."""
    stays = ~(1 << state)
    return replace(automaton, follow=tuple(follow & stays for follow in automaton.follow))


def near_misses(automaton: PositionAutomaton, sentence: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What one edit of an accepted sentence makes that the rule refuses: a word left out, exchanged with its neighbour,
    or another one in its place. Only what still holds a word that the rule names."""
    sentence = tuple(sentence)
    foreign = next(word for word in (_FOREIGN, *(f"{_FOREIGN}{n}" for n in range(9))) if word not in automaton.words)
    for place in range(len(sentence)):
        before, behind = sentence[:place], sentence[place + 1 :]
        for made in (
            before + behind,
            (*before, foreign, *behind),
            before + behind[:1] + sentence[place : place + 1] + behind[1:],
        ):
            if automaton.words.intersection(made) and not accepts(automaton, made):
                yield made


def text_of_words(found: Sequence[str], tokenization: Tokenization) -> str:
    """Words as a text that is cut into them again; without blanks where these are not needed between Chinese words."""
    together = "".join(found)
    if not together.isascii() and words(together, tokenization) == tuple(found):
        return together
    return " ".join(found)


def reader_words(reader: RuleReader | SlotRuleReader, sentence: str) -> tuple[str, ...]:
    """The words of a sentence, of one with marks those of its text."""
    text = read_marked(sentence)[0] if isinstance(reader, SlotRuleReader) else sentence
    return words(text, reader.tokenization)


def _real_misses(reader: RuleReader | SlotRuleReader, texts: Sequence[str], most: int) -> list[str]:
    """Texts that one change would make the rule accept, those in front that hold most of the words it names."""
    automaton = reader.automaton
    held = [
        (sum(word in automaton.words for word in words(text, reader.tokenization)), text) for text in texts[:_LOOKED_AT]
    ]
    likely = sorted(
        (pair for pair in held if pair[0] and len(pair[1].split()) <= _LONGEST_TEXT), key=lambda p: (-p[0], len(p[1]))
    )
    found: list[str] = []
    for _, text in likely[:_TEXTS]:
        change = smallest_change(automaton, words(text, reader.tokenization), most=1)
        if change is not None and len(change) == 1:
            found.append(text)
            if len(found) == (most + 1) // 2:
                break
    return found


def _made_misses(reader: RuleReader | SlotRuleReader, sentences: Sequence[Sequence[str]], most: int) -> list[str]:
    """One of each sentence in turn, so that they differ."""
    found: dict[str, None] = {}
    rows = [list(near_misses(reader.automaton, sentence)) for sentence in sentences]
    for place in range(max(map(len, rows), default=0)):
        found |= dict.fromkeys(text_of_words(row[place], reader.tokenization) for row in rows if place < len(row))
        if len(found) >= most:
            break
    return list(found)


def _new(found: Iterable[str], present: Sequence[str], most: int) -> tuple[str, ...]:
    return tuple(one for one in dict.fromkeys(found) if one not in present)[:most]
