"""The words that a rule learned, in plain words above it."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from re2nn_core.plots.review.change_html import rule_as_html
from re2nn_core.plots.review.learned_words import WordFacts, learned_as_html, learned_in_brief
from re2nn_core.services.rule_review.conditions import Condition
from re2nn_core.services.rule_systems.inline_difference import InlinePiece as Piece

_KEPT, _CAME, _WENT = "kept", "added", "removed"
_NAMES = ("january", "march", "april", "june", "july", "september", "october", "november", "december")
_MONTHS = tuple((word, _CAME) for word in _NAMES)
CASES = {
    "a word": ((("late", _KEPT), (" | delayed", _CAME)), "Learned: “delayed”."),
    "words that follow each other": (
        (("a | ", _KEPT), ("money back", _CAME)),
        "Learned: “money back”.",
    ),
    "a word went and none came": ((("late | ", _KEPT), ("tardy", _WENT)), "Removed: “tardy”."),
    "a word that went": ((("please", _WENT), ("now", _CAME)), "Learned: “now”. Removed: “please”."),
    "signs have names": ((("( % | & )", _CAME),), "New rule. Matches: any number, any sign."),
    "repeats and wildcards are no words": ((("$* on? $+ the+ $?", _CAME),), "New rule. Matches: “on … the”."),
    "a gap between words": ((("$* ( i $* and | $* late $+ )", _CAME),), "New rule. Matches: “i … and”, “late”."),
    "words with a sign": ((("% days", _CAME),), "New rule. Matches: any number “days”."),
    "a tag is no word": ((("oslo<:>B-city", _CAME),), "New rule. Matches: “oslo”."),
    "a repeat of a bracket is no word": (
        (("( oslo | ", _KEPT), ("rome", _CAME), (" )", _KEPT), (")?", _CAME), ("]<date>?", _CAME)),
        "Learned: “rome”.",
    ),
    "any word but some, as a further word of a slot": (
        (("oslo", _KEPT), ("[^ . may or prague ]<:>I-city", _CAME)),
        "Learned: any word, with exceptions.",
    ),
    "brackets are no words": ((("[ ( oslo ) ]<city>", _CAME),), "New rule. Matches: “oslo”."),
    "any words but some are no word": ((("[^ born land ]* oslo", _CAME),), "New rule. Matches: “oslo”."),
    "any one word but some": (
        (("[^ born land ] oslo", _CAME),),
        "New rule. Matches: “oslo”, any word, with exceptions.",
    ),
    "a quotation mark and a word in quotes": (
        (('late | "\\"" | "?" | "a-b"', _CAME),),
        "New rule. Matches: “late”, “a-b”. Common words: “&quot;”, “?”.",
    ),
    "a word that moved": (
        (("$+ from home | ", _WENT), ("( from | get ) home", _CAME)),
        "Learned: “get”.",
    ),
    "a known word in another place is no new word": (
        (("on june | ( back | ", _KEPT), ("june | home", _CAME), (" )", _KEPT)),
        "Learned: “home”. Known words, now also: “june” in place of “back”.",
    ),
    "a place is named by the word before it, or behind it, from the brackets outwards": (
        (
            ("on june | friday | late | the ( ( % ", _KEPT),
            ("| june | friday", _CAME),
            (" ) ) | ", _KEPT),
            ("late", _CAME),
            (" oslo", _KEPT),
        ),
        "Known words, now also: “june”, “friday” after “the”; “late” before “oslo”.",
    ),
    "known words without a word near them are drawn": (
        (("loan | now home $* ( $ ", _KEPT), ("| ( loan | home )", _CAME), (" ) $*", _KEPT)),
        "Learned: no new word; words of the rule in another order or place.",
    ),
    "nothing new": (
        (("a b", _WENT), ("b a", _CAME)),
        "Learned: no new word; words of the rule in another order or place.",
    ),
}


@pytest.mark.parametrize(("pieces", "expected"), CASES.values(), ids=list(CASES))
def test_the_words_are_named(pieces: tuple[tuple[str, str], ...], expected: str) -> None:
    assert text(*(Piece(*piece) for piece in pieces)) == expected  # type: ignore[arg-type]


def test_the_strongest_stand_in_front_and_the_rest_is_counted() -> None:
    words = " | ".join(f"w{chr(97 + number)}" for number in range(12))
    shown = text(Piece(f"{words} | 00", "added"), weights={"wh": 0.9, "00": 1.0})
    assert shown.startswith("New rule. Matches: “wh”, “wa”, ")
    assert shown.endswith(" and 5 more [“wi”, “wj”, “wk”, “wl”, “00”].")  # numbers behind words


def test_a_class_of_one_kind_goes_by_its_name_and_another_by_its_words() -> None:
    months = Piece("@when.months_9<:>B-date@", "added", _MONTHS)  # type: ignore[arg-type]
    assert text(months) == (
        "New rule. Matches: 9 months (january, march, april and 6 more "
        "[june, july, september, october, november, december])."
    )
    signs = Piece("@late.punctuation_3@", "added", (("a", _CAME), (".", _CAME), ("!", _CAME)))  # type: ignore[arg-type]
    assert text(signs) == "New rule. Matches: punctuation (2 words: “.”, “!”). Common words: “a”."
    own = Piece("@day@", "kept", (("monday", "kept"), ("noon", "added"), ("tuesday", "removed")))
    assert text(own) == "Learned: “noon”. Removed: “tuesday”."
    learned = Piece("@r.cost_2@", "added", (("fee", "added"), ("cost", "added")))
    assert text(learned) == "New rule. Matches: “fee”, “cost”."


def test_members_of_a_class_of_phrases_are_listed_each_with_its_own_button() -> None:
    """“friday”, a class of 61 phrases, looked like one word, and its × dropped words of other phrases too."""
    phrases = ("saturday", "first friday of october", "( 11 | late )? march")
    learned = Piece("@r.friday_3@", "added", tuple((phrase, _CAME) for phrase in phrases))  # type: ignore[arg-type]
    assert text(learned) == "New rule. Matches: “saturday”, “first friday of october”, “( 11 | late )? march”."
    assert drops(learned) == [[phrase] for phrase in phrases]
    seen_once = "New rule. Matches: “( 11 | late )? march”. Rare (in one text at most): "
    assert text(learned, seen=set()) == f"{seen_once}“saturday”, “first friday of october”."


def test_several_words_are_dropped_as_the_alternative_that_they_are() -> None:
    kept, came = Piece("( late | ", _KEPT), Piece("money back | refund the | this? week", _CAME)
    assert drops(kept, came, Piece(" )", _KEPT)) == [["money back"], ["refund the"], ["this? week"]]
    assert drops(kept, came, Piece(" please )", _KEPT)) == [["money back"], ["refund the"], ["this", "week"]]
    assert drops(Piece("$* money back $*", _CAME)) == [["back", "money"]]
    assert drops(Piece("( from | BOS ) oslo EOS", _CAME)) == [["BOS"], ["oslo"], ["from"]]


def test_patterns_that_fill_a_slot_are_listed_as_such_in_an_edited_rule_too() -> None:
    """The × of a word of a class wrote all of the class into the rule: 61 phrases came apart into words, in 9 lines."""
    pattern = "( 11 | late )? march"
    edited = Piece(f"( on | ( by ) [ may | {pattern} | first friday | this? week ]<date> ) $*", _CAME)
    assert sorted(drops(edited)) == [[pattern], ["by"], ["first friday"], ["may"], ["on"], ["this? week"]]
    assert "“( 11 | late )? march”" in text(edited)
    shown = rule_as_html([Piece(f"[ {' | '.join(f'( 11 | late )? m{place}' for place in range(20))} ]<date>", _CAME)])
    assert re.findall("<summary>.*?</summary>", shown) == ['<summary><ins class="re2-new">17 more</ins></summary>']


def drops(*pieces: Piece) -> list[list[str]]:
    """What the buttons of single items drop."""
    shown = learned_as_html(pieces, {}, droppable=True)
    return [json.loads(unescape(one)) for one in re.findall(r'data-drop="([^"]*)"[^>]*>×', shown)]


URLS = " | ".join(f"page{number}.example" for number in range(61))
SEEN = {"refund", "back", "the", "a"}
WORTH = {
    "what was seen once is named so": (
        "refund | fqz",
        "Learned: “refund”. Rare (in one text at most): “fqz”.",
    ),
    "words that hold sentences together": ("refund | the | a", "Learned: “refund”. Common words: “the”, “a”."),
    "nothing but these": ("the | a", "Learned: only common words: “the”, “a”."),
    "nothing but what was seen once": (
        "fqz",
        "Rare (in one text at most): “fqz”.",
    ),
}


@pytest.mark.parametrize(("came", "expected"), WORTH.values(), ids=list(WORTH))
def test_words_that_say_little_stand_apart(came: str, expected: str) -> None:
    assert text(Piece("late", "kept"), Piece(f" | {came}", "added"), seen=SEEN) == expected


def test_words_that_no_text_has_stand_apart_with_their_number() -> None:
    """“juventus”, which no text has, stood among 194 words that were called rare, as “buenos aires” did, which somebody
    had annotated."""
    pieces = [Piece("oslo", "kept"), Piece(" | tunis | exeter | buenos aires | juventus | costa", "added")]
    seen = {"tunis", "buenos", "aires"}
    shown = learned_as_html(pieces, {}, WordFacts(seen=seen, in_texts={*seen, "exeter"}))
    assert re.sub("<[^>]*>", "", shown) == (
        "Learned: “tunis”, “buenos aires”. Rare (in one text at most): “exeter”. "
        "In no text, 2 words of like meaning: “juventus”, “costa”."
    )


def test_a_class_that_went_is_named_by_its_words() -> None:
    words = tuple((word, _WENT) for word in ("oslo", "rome", "bonn", "kiel", "york"))
    shown = text(Piece("to ", "kept"), Piece("@city@", "removed", words))  # type: ignore[arg-type]
    assert shown == "Removed: city (5 words: oslo, rome, bonn and 2 more [kiel, york])."
    few = text(Piece("to ", "kept"), Piece("@city@", "removed", words[:2]))  # type: ignore[arg-type]
    assert few == "Removed: city (2 words: oslo, rome)."


def test_many_words_are_grouped_by_what_they_are() -> None:
    shown = text(Piece("late", "kept"), Piece(f" | {URLS} | refund | 5th | 6th | 7th | 8th | 9th", "added"))
    assert shown.startswith("Learned: 61 URLs (page0.example, page1.example, page2.example and 58 more [")
    assert shown.endswith("page60.example]), 5 ordinals (5th, 6th, 7th and 2 more [8th, 9th]), “refund”.")


def test_words_of_one_kind_have_one_count_however_often_each_was_seen() -> None:
    """Five of 61 URLs were in several texts: these and the others are not counted apart, as the rule does not."""
    pieces = Piece("late", "kept"), Piece(f" | {URLS} | refund | fqz", "added")
    shown = text(*pieces, seen={"refund", *(f"page{number}.example" for number in range(5))})
    assert shown.startswith("Learned: 61 URLs (")
    assert shown.endswith("), “refund”. Rare (in one text at most): “fqz”.")
    once = text(*pieces, seen={"refund"})
    assert once.startswith("Learned: “refund”. Rare (in one text at most): 61 URLs (")
    assert "URLs, 61 words" in rule_as_html(pieces)


def text(*pieces: Piece, weights: dict[str, float] | None = None, seen: set[str] | None = None) -> str:
    """In plain text; what opens by a click stands in square brackets."""
    shown = learned_as_html(pieces, weights or {}, WordFacts(seen=seen))
    opened = shown.replace("</summary> ", " [").replace("</details>", "]")
    return re.sub(r"<[^>]*>", "", opened)


def test_words_of_a_new_rule_that_other_rules_have_stand_behind_the_others() -> None:
    """A newcomer took the first cities of a new rule for cities that no rule knew; a list of their own was not
    understood."""
    pieces = [Piece("$* ( to | oslo | rome | tunis ) $*", _CAME)]
    shown = re.sub("<[^>]*>", "", learned_as_html(pieces, {}, WordFacts(elsewhere={"to", "oslo", "rome"})))
    assert shown == "New rule. Matches: “tunis”, “oslo”, “rome”. Common words: “to”."


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ((("late", _KEPT), (" | delayed | the | once", _CAME)), "“delayed”, “the”, “once”"),
        ((("late", _KEPT), (" | delayed | gone | stuck | held", _CAME)), "“delayed”, “gone”, “stuck” …"),
        ((("late | ", _KEPT), ("please", _WENT)), "without “please”"),
    ],
)
def test_the_queue_names_the_first_words(pieces: tuple[tuple[str, str], ...], expected: str) -> None:
    own = [Piece(*piece) for piece in pieces]  # type: ignore[arg-type]
    assert learned_in_brief(own, {}, WordFacts(seen={"delayed", "the", "gone", "stuck", "held"})) == expected


_ONLY = Condition("Only “city” instead of any word after “from …”", "from a b", False, True, only=frozenset({"city"}))
_REFUSED = Condition("Now refused after “to”: “all” or “.”", "to all", False, True, without=frozenset({".", "all"}))


def test_words_that_are_left_of_any_word_are_not_learned() -> None:
    pieces = tuple(
        Piece(text, side) for text, side in (("from ", _KEPT), ("$?", _WENT), (" ", _KEPT), ("city?", _CAME))
    )
    assert learned_as_html(pieces, {}, WordFacts(conditions=[_ONLY])) == ""
    assert learned_in_brief(pieces, {}, WordFacts(conditions=[_ONLY])) == "only “city”"
    more = (*pieces, Piece(" | home", _CAME))
    assert 'Learned: <b class="re2-up">“home”</b>.' in learned_as_html(more, {}, WordFacts(conditions=[_ONLY]))
    assert learned_in_brief(more, {}, WordFacts(conditions=[_ONLY])) == "“home”"


def test_any_word_but_some_in_the_place_of_any_word_is_not_learned() -> None:
    pieces = tuple(
        Piece(text, side) for text, side in (("to ", _KEPT), ("$", _WENT), (" ", _KEPT), ("[^ . all ]", _CAME))
    )
    assert learned_as_html(pieces, {}, WordFacts(conditions=[_REFUSED])) == ""
    assert learned_in_brief(pieces, {}, WordFacts(conditions=[_REFUSED])) == "no longer “all”, “.”"
    assert "any word, with exceptions" in learned_as_html(pieces, {})


def test_a_sign_is_not_lost_where_any_word_but_some_came_for_it() -> None:
    """“Removed: any sign” was said of a place that reads all signs but one."""
    pieces = [Piece(text, side) for text, side in (("&", _WENT), (" ", _KEPT), ("[^ ! to ]", _CAME), (" hi", _KEPT))]
    assert "Removed" not in learned_as_html(pieces, {})
    assert "Removed: <b" in learned_as_html([pieces[0], pieces[3]], {})


def test_refused_words_do_not_look_like_learned_ones() -> None:
    shown = rule_as_html((Piece("to ", _KEPT), Piece("[^ be all ]?", _CAME), Piece(" | home", _CAME)))
    assert '[^</ins> <s class="re2-refused">be</s> <s class="re2-refused">all</s> ]?' in shown
    assert '<ins class="re2-new">home</ins>' in shown


def test_words_of_a_slot_and_around_it_stand_apart() -> None:
    """“to” and “in” stood among cities as common words, and the word “city”, first of all, was read as a class."""
    pieces = [Piece("$* ( to | in ) [ ( oslo | city | rome ) ]<to> ( now )?", _CAME)]
    known = WordFacts(around={"to": "before", "in": "before", "now": "after"}, elsewhere={"rome"})
    shown = re.sub("<[^>]*>", "", learned_as_html(pieces, {"oslo": 2, "city": 1}, known))
    assert shown == (
        "New rule. In the slot: “oslo”, “city”, “rome”. Before the slot: “to”, “in”. After the slot: “now”."
    )
    assert learned_in_brief(pieces, {"oslo": 2, "city": 1}, known) == "“oslo”, “city”, “rome” …"
    more = Piece("[ oslo ]<to> ", _KEPT), Piece("( with | by ) ", _CAME), Piece("x", _KEPT)
    shown = re.sub("<[^>]*>", "", learned_as_html(more, {}, WordFacts(around={"with": "after", "by": "after"})))
    assert shown == "Learned after the slot: “with”, “by”."


def test_words_of_one_bracket_before_a_slot_stand_together() -> None:
    """“june” and “home”, of one bracket, stood apart, and “next to” was read as side by side."""
    pieces = (
        Piece("on june | ( back | ", _KEPT),
        Piece("june | home", _CAME),
        Piece(" ) on [ may ]<date>", _KEPT),
    )
    known = WordFacts(around={"home": "before", "back": "before", "on": "before"})
    shown = re.sub("<[^>]*>", "", learned_as_html(pieces, {}, known))
    assert shown == "Learned before the slot: “home”, “june”."


def test_all_are_dropped_at_once_where_something_is_left() -> None:
    """“drop all” of the only words before a slot could answer only that nothing was left."""
    pieces = Piece("late", _KEPT), Piece(" | refund | the | a", _CAME)
    for leaves, count in ((True, 1), (False, 0)):
        shown = learned_as_html(pieces, {}, WordFacts(leaves=lambda _, found=leaves: found), droppable=True)
        assert shown.count("drop all") == count


def test_a_rule_that_only_asks_less_says_so_in_the_queue() -> None:
    """The line of a rule that lost a condition and no word was blank."""
    pieces = [Piece("economy class", _KEPT), Piece(" | economy", _CAME)]
    loose = Condition("No longer required: “class” after “economy”", "economy", False, False)
    assert learned_in_brief(pieces, {}, WordFacts(conditions=[loose])) == "no longer required: “class” after “economy”"
