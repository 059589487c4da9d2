"""The words that a rule learned and those that it lost, in a line of plain words above the rule."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from re2nn_core.plots.review.change_html import RulePiece, Side, escape, plain_order
from re2nn_core.plots.review.condition_lines import ChangedCondition
from re2nn_core.plots.review.grouped_words import grouped_words, is_common, is_seen_once, plain_word
from re2nn_core.plots.review.listed_items import ANY_BUT, SIGNS, ListedItem, listed_items, plain, quoted
from re2nn_core.plots.review.new_places import items_by_place
from re2nn_core.plots.scene_geometry import shown_of
from re2nn_core.text.counting import counted
from re2nn_core.text.word_groups import KIND_NAMES

_SHOWN = 8
_BRIEF = 3
_PLURAL = KIND_NAMES - {"punctuation"}
_ONCE = "Rare (in one text at most)"
_PATTERN = re.compile(r"(?:^|\s)(?:[()|%&]|[$@]\S*)|\S[?*+](?:\s|$)")  # more than words
_ENDS = ("BOS",), ("EOS",)
_SIDES: tuple[Side, ...] = ("kept", "added", "removed", "rewritten")


@dataclass(frozen=True)
class WordFacts:
    """What is known of the words of a rule.

    seen       those of several texts: the others are named apart, nothing where it is None
    in_texts   those of any text: the others, which came by their vectors, are named apart, nothing where it is None
    matches    what expressions inside words match, in words
    elsewhere  those that other rules had before: of a new rule they stand behind the others
    around     of a rule for slots those that stand `before`, `after` or `around` a slot, which are named apart; of
               other rules None
    conditions what stood in the place of any word before is not learned, and neither is any word where some are refused
               now
    leaves     whether anything is left of the rule without some words, which else are not dropped at once
    """

    seen: Collection[str] | None = None
    in_texts: Collection[str] | None = None
    matches: Mapping[str, str] = field(default_factory=dict)
    elsewhere: Collection[str] = ()
    around: Mapping[str, str] | None = None
    conditions: Sequence[ChangedCondition] = ()
    leaves: Callable[[Collection[str]], bool] = lambda _: True


_NO_FACTS = WordFacts()


def learned_as_html(
    pieces: Sequence[RulePiece],
    weights: Mapping[str, float],
    known: WordFacts = _NO_FACTS,
    *,
    verb: str = "Learned",
    droppable: bool = False,
) -> str:
    """`Learned: “refund”, “money back”. Removed: “please”.`: what is marked in the rule, without words that the rule
    had before, in whatever place. Those of the largest of the `weights` are in front. `droppable`: each that came has
    a button that drops it."""
    items = {side: tuple(listed_items(pieces, side)) for side in _SIDES}
    words = {side: _words_of(found) for side, found in items.items()}
    learned = _but_narrowed(_came(items, known.matches), known.conditions)
    # A sign or a number is not lost where any word but some is read.
    there = words["rewritten"] | words["added"] | (SIGNS.keys() if ANY_BUT in words["added"] else set())
    removed = [item for item in items["removed"] if not there >= set(item.words)]
    is_new = not any(items[side] for side in _SIDES if side != "added")
    # Of a new rule with one expression nothing would be left.
    droppable = droppable and not (is_new and len(learned) == 1 and learned[0].asks_letters)
    inside = [item for item in learned if not _place_of(item, known)]
    context, moved = _by_side(learned, items_by_place(_in_new_place(items), pieces), pieces, known)
    if is_new:
        title = "Matches" if known.around is None else "In the slot"
        came = _by_worth(inside, weights, (), title, known, droppable=droppable)
        beside = _around_slot(context, weights, droppable=droppable)
        return f'<div class="re2-learned">New rule. {" ".join(filter(None, (came, beside)))}</div>'
    came = _by_worth(inside, weights, words["kept"], verb, known, droppable=droppable)
    beside = _around_slot(context, weights, "" if came else f"{verb} ", droppable=droppable)
    also = _in_new_places(moved, weights, droppable=droppable)
    if not learned and not removed and not also and known.conditions:
        return ""  # the conditions say it
    if not learned and not removed and not also:
        return f'<div class="re2-learned">{verb}: no new word; words of the rule in another order or place.</div>'
    went = f"Removed: {_in_words(_ordered(removed, weights, words['kept']), weights, 're2-down')}." if removed else ""
    return f'<div class="re2-learned">{" ".join(filter(None, (came, beside, also, went)))}</div>'


def learned_in_brief(pieces: Sequence[RulePiece], weights: Mapping[str, float], known: WordFacts = _NO_FACTS) -> str:
    """The first things that are listed by `learned_as_html`: `“refund”, “money back” …`; where words only went,
    `without “please”`, and where the rule only became narrower `only “home”` or `no longer “all”`."""
    items = {side: tuple(listed_items(pieces, side)) for side in _SIDES}
    came = _but_narrowed(_came(items, known.matches), known.conditions)
    listed = _ordered(came, weights, _words_of(items["kept"]))

    def worth(item: ListedItem) -> tuple[bool, ...]:
        is_known = set(item.words) <= frozenset(known.elsewhere)
        return bool(_place_of(item, known)), _was_seen_once(item, known.seen), _is_common(item), is_known

    first = [_called(item).partition(": ")[0] for item in sorted(listed, key=worth)]
    removed = [] if first else [item.shown for item in items["removed"]]
    if not first and not removed:
        return _narrowed_in_brief(known.conditions) or _loosened_in_brief(known.conditions)
    more = " …" if len(first or removed) > _BRIEF else ""
    return f"{'without ' if removed else ''}{', '.join((first or removed)[:_BRIEF])}{more}"


def _but_narrowed(items: Sequence[ListedItem], conditions: Sequence[ChangedCondition]) -> list[ListedItem]:
    """What came, without words that only make the place of any word narrower."""
    only = frozenset[str]().union(*(one.only for one in conditions))
    refused = any(one.without for one in conditions)
    return [item for item in items if not (set(item.words) <= only or (refused and item.words == (ANY_BUT,)))]


def _narrowed_in_brief(conditions: Sequence[ChangedCondition]) -> str:
    """`only “home”`, `no longer “all”, “class” …`; empty where nothing became narrower."""
    for begin, found in (
        ("only", [word for one in conditions for word in _letters_first(one.only)]),
        ("no longer", [word for one in conditions for word in _letters_first(one.without)]),
    ):
        if found:
            shown = ", ".join(quoted([word]) for word in found[:_BRIEF])
            return f"{begin} {shown}{' …' if len(found) > _BRIEF else ''}"
    return ""


def _loosened_in_brief(conditions: Sequence[ChangedCondition]) -> str:
    """`no longer required: “class” after “economy”`; empty where no condition changed."""
    shown = conditions[0].in_words if conditions else ""
    return shown[:1].lower() + shown[1:]


def _letters_first(words: Collection[str]) -> list[str]:
    return sorted(words, key=lambda word: (not word[:1].isalpha(), word))


def _place_of(item: ListedItem, known: WordFacts) -> str:
    """On which side of a slot it stands; empty for what fills one, and in rules without slots."""
    places = {(known.around or {}).get(plain_word(word), "") for word in item.words}
    return places.pop() if len(places) == 1 else "" if "" in places else "around"


def _by_side(
    learned: Sequence[ListedItem],
    moved: Mapping[str, Sequence[ListedItem]],
    pieces: Sequence[RulePiece],
    known: WordFacts,
) -> tuple[dict[str, list[ListedItem]], dict[str, Sequence[ListedItem]]]:
    """What came by the side of a slot on which it stands, with the known words that came into the same brackets; and
    the known words in other places."""
    sides: dict[str, list[ListedItem]] = {}
    for item in learned:
        if side := _place_of(item, known):
            sides.setdefault(side, []).append(item)
    left = dict(moved)
    for own in sides.values():
        for place in items_by_place(tuple(own), pieces):
            own.extend(left.pop(place, ()) if place else ())
    return sides, left


def _around_slot(
    sides: Mapping[str, Sequence[ListedItem]], weights: Mapping[str, float], lead: str = "", *, droppable: bool
) -> str:
    """`Before the slot: “to”.`; with a `lead`, `Learned before the slot: “to”.`"""
    sentences = []
    for place in ("before", "after", "around"):
        if own := sides.get(place):
            title = f"{lead}{place} the slot"
            title = title[0].upper() + title[1:]
            sentences.append(_named_apart(title, own, weights, droppable=droppable))
            lead = ""
    return " ".join(sentences)


def _came(items: Mapping[Side, Sequence[ListedItem]], matches: Mapping[str, str]) -> list[ListedItem]:
    own = _words_of((*items["kept"], *items["rewritten"], *items["removed"]))
    return [_with_matches(item, matches) for item in items["added"] if not own >= set(item.words)]


def _in_new_place(items: Mapping[Side, Sequence[ListedItem]]) -> list[ListedItem]:
    """What the rule has where it had it, and in another place in addition."""
    kept, removed = _words_of(items["kept"]), _words_of((*items["rewritten"], *items["removed"]))
    return [item for item in items["added"] if set(item.words) <= kept and removed.isdisjoint(item.words)]


def _in_new_places(places: Mapping[str, Sequence[ListedItem]], weights: Mapping[str, float], *, droppable: bool) -> str:
    """`Known words, now also: “june” in place of “back”; “friday” after “the”.` Where no word is near them the drawing
    shows them."""
    drops = frozenset[str]() if droppable else None
    shown = [
        f"{_in_words(_ordered(items, weights, ()), weights, 're2-muted', drops)} {escape(place)}"
        for place, items in places.items()
        if place
    ]
    return f"Known words, now also: {'; '.join(shown)}." if shown else ""


def _words_of(items: Iterable[ListedItem]) -> frozenset[str]:
    return frozenset(word for item in items for word in item.words)


def _named_apart(title: str, items: Sequence[ListedItem], weights: Mapping[str, float], *, droppable: bool) -> str:
    drops = frozenset[str]() if droppable else None
    return f"{title}: {_in_words(_ordered(items, weights, ()), weights, 're2-muted', drops)}." if items else ""


def _by_worth(
    items: Sequence[ListedItem],
    weights: Mapping[str, float],
    known: Collection[str],
    verb: str,
    facts: WordFacts,
    *,
    droppable: bool,
) -> str:
    """What came, in sentences: words that say something, those that only hold sentences together, those seen once, and
    those that no text has. Words of one kind stay together: where some of them were seen more often, all of them say
    something."""
    elsewhere = frozenset(facts.elsewhere)
    listed = _ordered(items, weights, elsewhere.union(known))
    drops = frozenset(known) if droppable else None
    few = [item for item in listed if _was_seen_once(item, facts.seen) and not elsewhere.issuperset(item.words)]
    absent = [item for item in few if _was_seen_once(item, facts.in_texts)]
    once = [item for item in few if item not in absent]
    common = [item for item in listed if item not in few and _is_common(item)]
    rest = [item for item in listed if item not in few and item not in common]
    sentences = (
        (verb, "re2-up", rest),
        ("Common words" if rest else f"{verb}: only common words", "", common),
        (_ONCE, "re2-muted", once),
        (f"In no text, {counted(sum(item.count for item in absent), 'word')} of like meaning", "re2-muted", absent),
    )
    return " ".join(
        f"{title}{_all_dropped([] if own is rest else own, drops, facts)}: {_in_words(own, weights, tone, drops)}."
        for title, tone, own in sentences
        if own
    )


def _is_common(item: ListedItem) -> bool:
    return _is_word(item) and is_common(item.words[0])


def _was_seen_once(item: ListedItem, seen: Collection[str] | None) -> bool:
    return (
        (_is_word(item) or item.many) and not item.asks_letters and all(is_seen_once(word, seen) for word in item.words)
    )


def _is_word(item: ListedItem) -> bool:
    """Whether an item is a single word, or words that are written as one member of a class, and neither a sign of
    rules nor a class or a pattern."""
    if item.asks_letters or _PATTERN.search(item.alternative):
        return False
    return len(item.words) == 1 and item.words[0] not in SIGNS and item.shown.strip("“”") == plain_word(item.words[0])


def _ordered(items: Sequence[ListedItem], weights: Mapping[str, float], known: Collection[str]) -> list[ListedItem]:
    """Each once: what the rule had nowhere in front, of these the largest of the `weights`; many words of one kind as
    one, in front of all others."""
    by_text = {item.shown: item for item in items}

    def order(item: ListedItem) -> tuple[bool, tuple[bool, float]]:
        return set(item.words) <= set(known), min(plain_order(word, weights) for word in item.words)

    ordered = sorted(by_text.values(), key=order)
    return _in_groups(ordered) if len(ordered) > _SHOWN + 1 else ordered


def _in_words(
    items: Sequence[ListedItem], weights: Mapping[str, float], tone: str, drops: frozenset[str] | None = None
) -> str:
    """The first items, and the others, in the order of the alphabet, behind a click that says how many words they are;
    see `_dropped_with`."""
    shown = items if len(items) <= _SHOWN + 1 else items[:_SHOWN]
    rest = sorted(
        items[len(shown) :], key=lambda item: (not item.shown.strip("“")[:1].isalpha(), item.shown.casefold())
    )
    behind = ", ".join(_item(item, weights, None, drops) for item in rest)
    more = _opened(sum(item.count for item in rest), behind) if rest else ""
    return ", ".join(_item(item, weights, tone, drops) for item in shown) + more


def _item(item: ListedItem, weights: Mapping[str, float], tone: str | None, drops: frozenset[str] | None) -> str:
    called = _called(item)
    name = escape(called) if tone is None else f'<b class="{tone}">{escape(called)}</b>'
    if drop := _drop(_dropped_with(item, drops), f"Drop {item.shown}, accept the rest", "×"):
        name = f'<span class="re2-dropped-by">{name}{drop}</span>'
    if not item.many:
        return name
    words = [escape(plain(word)) for word in sorted(item.words, key=lambda word: plain_order(word, weights))]
    shown = shown_of(words)
    more = _opened(len(words) - len(shown), ", ".join(words[len(shown) :])) if len(words) > len(shown) else ""
    count = f"{counted(len(words), 'word')}: " if called == item.shown else ""
    return f"{name} ({count}{', '.join(shown)}{more})"


def _called(item: ListedItem) -> str:
    """Words of a kind with their number, since they are not all of the kind: `7 ordinals`."""
    return f"{len(item.words):,} {item.shown}" if item.many and item.shown in _PLURAL else item.shown


def _dropped_with(item: ListedItem, drops: frozenset[str] | None) -> list[str]:
    """The words without which nothing of an item is left; of words that follow each other the alternative that they
    are, else those that the rule has nowhere else (`drops` are the others). None where nothing can be dropped; signs of
    rules stay, the start and the end of a text where they are no alternative."""
    if drops is None:
        return []
    if item.asks_letters:
        return list(item.words)
    if item.alternative and (" " in item.alternative or item.words in _ENDS):
        return [item.alternative]
    words = [word for word in item.words if word not in SIGNS and word != ANY_BUT]
    plain = len(item.words) == 1 or item.many
    return sorted({plain_word(word) for word in words if plain or word not in drops})


def _all_dropped(items: Sequence[ListedItem], drops: frozenset[str] | None, facts: WordFacts) -> str:
    """A button for all of several items at once, where anything is left without them."""
    found = [words for item in items if (words := _dropped_with(item, drops))]
    words = sorted({word for words in found for word in words})
    button = _drop(words, "Drop all of these, accept the rest", "drop all", len(found) > 1 and facts.leaves(words))
    return f' <span class="re2-drops">({button})</span>' if button else ""


def _drop(words: Sequence[str], title: str, shown: str, offered: bool = True) -> str:
    if not words or not offered:
        return ""
    data, title = escape(json.dumps(words, ensure_ascii=False)), escape(title)
    named = f'title="{title}" aria-label="{title}"'
    return f'<button type="button" class="re2-drop" data-drop="{data}" {named}>{shown}</button>'


def _opened(count: int, words: str) -> str:
    """`and 5 more`, which opens these words."""
    return f' <details class="re2-inline"><summary>and {count:,} more</summary> {words}</details>'


def _in_groups(items: Sequence[ListedItem]) -> list[ListedItem]:
    """Words that have a name in common as one, in front."""
    found = grouped_words(item.words[0] for item in items if _is_word(item))
    groups = [ListedItem(one.name, one.words, many=True) for one in found.groups]
    left = frozenset(found.rest)
    return [*groups, *(item for item in items if not _is_word(item) or item.words[0] in left)]


def _with_matches(item: ListedItem, matches: Mapping[str, str]) -> ListedItem:
    reported = matches.get(item.words[0]) if item.asks_letters else None
    return item if reported is None else replace(item, shown=reported)
