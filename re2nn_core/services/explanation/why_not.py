"""Why a label, a slot or a rule does not come for a text: values, and how people say them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.explain.changes import Change, smallest_change
from re2nn_core.explain.death import Death, ending_states, where_it_died
from re2nn_core.explain.needs import Ahead, Names, missing_words, words_ahead
from re2nn_core.services.explanation.text_notes import is_long
from re2nn_core.text.counting import counted
from re2nn_core.text.kinds import spelled_out, spelling

Words = tuple[str, ...]
_SHOWN_NAMES = 8
_SHOWN_NEEDS = 3
_SHOWN_READ = 4
_SIGNS = {"$": "any word ($)", "%": "a number (%)", "&": "a sign (&)"}


@dataclass(frozen=True)
class RuleDeath:
    """Why one rule does not accept a sentence; `death` None where it does. `needs`: sets of words of which every
    sentence that it accepts has one each, and this one none. `why` says all of it. `change`: the smallest one that it
    accepts, None where it accepts nothing, or where it was not `searched` for in a long text; `prediction`: what the
    rules then predict, `network_prediction`: what the trained network predicts, empty for no prediction, None where
    none was asked."""

    rule: str
    label: str
    expression: str
    death: Death | None
    change: Change | None
    prediction: str | None
    needs: tuple[Names, ...] = ()
    why: str = ""
    searched: bool = True
    network_prediction: str | None = None


@dataclass(frozen=True)
class Winner:
    """What the rules predict instead. `rules` are those that predict it; `by_default`: none does, and the default
    label predicts. `in_words` has it in a sentence, empty where the wanted prediction is the one that is given."""

    prediction: str | None
    rules: tuple[str, ...]
    by_default: bool
    in_words: str


@dataclass(frozen=True)
class WhyNot:
    """Why a label or a rule does not speak. `reasons` in sentences, which say who speaks instead too; `winner`: the
    same as values, None where no rule could give what is wanted; `rules`: those that could, the nearest first."""

    wanted: str
    is_rule: bool
    reasons: tuple[str, ...]
    rules: tuple[RuleDeath, ...]
    winner: Winner | None = None


def nearest_first(rules: Sequence[RuleDeath]) -> tuple[RuleDeath, ...]:
    """Rules by how much has to change for them; those last that accept nothing."""
    return tuple(sorted(rules, key=lambda one: (one.change is None, 0 if one.change is None else len(one.change))))


def rule_death(
    rule: str,
    label: str,
    expression: str,
    automaton: PositionAutomaton,
    sentence: Sequence[str],
    prediction_to: Callable[[Words], str | None],
) -> RuleDeath:
    """Why a rule with this automaton does not accept a sentence, and the smallest change that it accepts;
    `prediction_to` says what the rules predict for a sentence."""
    searched = not is_long(sentence)
    death = where_it_died(automaton, sentence)
    change = smallest_change(automaton, sentence) if searched else None
    prediction = None if change is None else prediction_to(change.words)
    if death is None:
        return RuleDeath(rule, label, expression, None, change, prediction, (), "it matches", searched)
    needs = missing_words(automaton, sentence)
    if not ending_states(automaton) & automaton.sentence_start:
        why = "it accepts no sentence at all"
    elif needs:
        why = _needs_in_words(needs)
    else:
        why = death_in_words(death, words_ahead(automaton, sentence, death.read), sentence)
    return RuleDeath(rule, label, expression, death, change, prediction, needs, why, searched)


def _needs_in_words(needs: Sequence[Names]) -> str:
    """Words that are nowhere in the text."""
    alternatives = [_named(names, " or ") for names in needs[:_SHOWN_NEEDS]]
    more = f", and {len(needs) - _SHOWN_NEEDS:,} more of the kind" if len(needs) > _SHOWN_NEEDS else ""
    several = sum(map(len, needs)) > 1
    return f"it needs {', and '.join(alternatives)}{more}; the text has {'none of these' if several else 'it nowhere'}"


def death_in_words(death: Death, ahead: Ahead | None, sentence: Sequence[str]) -> str:
    """Where a run died, as people say it; all words that are needed are in the sentence somewhere."""
    if not sentence:
        return f"the text has no words, and it needs at least {counted(ahead.least if ahead else 1, 'word')}"
    if death.word is None:
        return f"it matches the whole text and then still needs {_ahead_in_words(ahead, sentence)}"
    next_word = f"word {death.read + 1} is “{death.word}”"
    if not death.expected:
        return f"it must end after {_read(sentence, death.read)}, but {next_word}"
    expected = _named(death.expected, " or ") + (" or the end" if death.may_end else "")
    if not death.read:
        return f"it must begin with {expected}, but {next_word}"
    return f"it matches {_read(sentence, death.read)} and expects {expected} next, but {next_word}"


def _ahead_in_words(ahead: Ahead | None, sentence: Sequence[str]) -> str:
    """What is missing at the end of a sentence, and where the sentence has it too early."""
    if ahead is None:
        return "more words"
    more = f" and {counted(ahead.least - 1, 'word')} more" if ahead.least > 1 else ""
    early = [f"“{spelling(word)}” is word {place}" for place, word in enumerate(sentence, 1) if word in ahead.next]
    order = f" after that; {', '.join(early[:_SHOWN_READ])}, too early" if early else ""
    return f"{_named(ahead.next, ' or ')}{more}{order}"


def _named(names: Names, between: str) -> str:
    """Words in a row, the first of many; `between` the last two."""
    shown = [_SIGNS.get(name, f"“{name}”") for name in names[:_SHOWN_NAMES]]
    if len(names) > _SHOWN_NAMES:
        return f"{', '.join(shown)}{between}one of {len(names) - _SHOWN_NAMES:,} more"
    return ", ".join(shown[:-1]) + between + shown[-1] if len(shown) > 1 else shown[0]


def _read(sentence: Sequence[str], read: int) -> str:
    """The end of what was read."""
    return f"“{'… ' if read > _SHOWN_READ else ''}{spelled_out(sentence[max(0, read - _SHOWN_READ) : read])}”"
