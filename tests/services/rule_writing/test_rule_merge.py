"""Two edits of one version put together: no change of either side is lost unsaid."""

from __future__ import annotations

import random

import pytest

from re2nn_core.rules.read import read_rules
from re2nn_core.rules.sentences import read_sentences
from re2nn_core.services.rule_writing.rule_merge import MergeConflict, Merged, merge_versions

BASE = """\
// what people ask
@place@ = ( rome | paris )

[flight]
fly := $* fly $*
// how to get there
way := $* to @place@ $*

[baggage]
bag := $* ( bag | \\
    bags ) $*
lost := $* lost $*
"""
LOST, FLY = "lost := $* lost $*\n", "fly := $* fly $*\n"


def merged(theirs: str, mine: str, **decided: str) -> Merged:
    return merge_versions((BASE, "", ""), (theirs, "", ""), (mine, "", ""), decided)  # type: ignore[arg-type]


def rules_of(text: str) -> set[tuple[str, str, object]]:
    return {(rule.label, rule.name, rule.expanded) for rule in read_rules(text).ruleset.rules}


CASES = {
    # what changes of a base text: theirs, mine, and the rules of both
    "each adds one at the same place": (
        BASE.replace(LOST, LOST + "kids := $* child $*\n"),
        BASE.replace(LOST, LOST + "funny := $* joke $*\n"),
        BASE.replace(LOST, LOST + "kids := $* child $*\nfunny := $* joke $*\n"),
    ),
    "each changes one": (
        BASE.replace("lost $*\n", "( lost | gone ) $*\n"),
        BASE.replace("fly $*\n", "( fly | flight ) $*\n"),
        BASE.replace("lost $*\n", "( lost | gone ) $*\n").replace("fly $*\n", "( fly | flight ) $*\n"),
    ),
    "they remove one, I change another": (
        BASE.replace(FLY, ""),
        BASE.replace("lost $*\n", "gone $*\n"),
        BASE.replace(FLY, "").replace("lost $*\n", "gone $*\n"),
    ),
    "I remove one of several lines, they add a section": (
        BASE + "\n[meal]\neat := $* eat $*\n",
        BASE.replace("bag := $* ( bag | \\\n    bags ) $*\n", ""),
        BASE.replace("bag := $* ( bag | \\\n    bags ) $*\n", "") + "\n[meal]\neat := $* eat $*\n",
    ),
    "each adds a section": (
        BASE + "\n[meal]\neat := $* eat $*\n",
        BASE + "\n[seat]\nsit := $* sit $*\n",
        BASE + "\n[meal]\neat := $* eat $*\n\n[seat]\nsit := $* sit $*\n",
    ),
    "I switch one off, they change the class": (
        BASE.replace("paris )", "paris | oslo )"),
        BASE.replace("fly :=", "//- fly :="),
        BASE.replace("paris )", "paris | oslo )").replace("fly :=", "//- fly :="),
    ),
    "I move one to another section": (
        BASE.replace(LOST, LOST + "kids := $* child $*\n"),
        BASE.replace(FLY, "") + FLY,
        BASE.replace(FLY, "").replace(LOST, LOST + FLY + "kids := $* child $*\n"),
    ),
    "they remove the section that I add to": (
        BASE.partition("[baggage]")[0],
        BASE + "found := $* found $*\n",
        BASE.partition("[baggage]")[0] + "\n[baggage]\nfound := $* found $*\n",
    ),
    "I remove the section that they add to": (
        BASE + "found := $* found $*\n",
        BASE.partition("[baggage]")[0],
        BASE.partition("[baggage]")[0] + "\n[baggage]\nfound := $* found $*\n",
    ),
    "both make the same change": (
        BASE.replace(FLY, "fly := $* flight $*\n"),
        BASE.replace(FLY, "fly := $*  flight $*\n".replace("  ", " ")) + "other := $* other $*\n",
        BASE.replace(FLY, "fly := $* flight $*\n") + "other := $* other $*\n",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_changes_of_different_rules_are_both_kept(case: str) -> None:
    theirs, mine, expected = CASES[case]
    for sides in ((theirs, mine), (mine, theirs)):
        found = merged(*sides)
        assert rules_of(found.texts[0]) == rules_of(expected)
        assert not found.conflicts


def test_comments_move_with_their_rule_and_the_text_stays_as_it_was_written() -> None:
    theirs = BASE.replace("// how to get there\nway", "// how to get somewhere\nway")
    mine = BASE.replace(LOST, f"// suitcases, too\n{LOST}")
    found = merged(theirs, mine).texts[0]
    assert found == theirs.replace(LOST, f"// suitcases, too\n{LOST}")


def test_what_each_side_changed_is_named() -> None:
    theirs = BASE.replace(LOST, "kids := $* child $*\n")
    mine = BASE.replace(FLY, "fly := $* flight $*\n") + "\n[meal]\neat := $* eat $*\n"
    found = merged(theirs, mine)
    assert found.theirs == ("lost (removed)", "kids (added)")
    assert found.mine == ("fly", "[meal] (added)", "eat (added)")


@pytest.mark.parametrize(
    ("theirs", "mine", "conflict"),
    [
        (("fly $*\n", "one $*\n"), ("fly $*\n", "two $*\n"), ("fly", "fly := $* one $*", "fly := $* two $*")),
        ((FLY, ""), ("fly $*\n", "two $*\n"), ("fly", None, "fly := $* two $*")),
        (("fly $*\n", "one $*\n"), (FLY, ""), ("fly", "fly := $* one $*", None)),
        ((LOST, LOST + "new := one\n"), (LOST, LOST + "new := two\n"), ("new", "new := one", "new := two")),
    ],
)
def test_a_conflict_has_both_sides_and_is_decided_by_name(
    theirs: tuple[str, str], mine: tuple[str, str], conflict: tuple[str, str | None, str | None]
) -> None:
    texts = BASE.replace(*theirs) + "kids := $* child $*\n", BASE.replace(*mine) + "funny := $* joke $*\n"
    found = merged(*texts)
    assert found.conflicts == (MergeConflict(*conflict),)
    name, their_text, my_text = conflict
    for side, text, other in (("theirs", their_text, my_text), ("mine", my_text, their_text)):
        rules = merged(*texts, **{name: side}).texts[0]
        assert text is None or text in rules
        assert other is None or other not in rules
        assert {"kids", "funny"} <= {rule for _, rule, _ in rules_of(rules)}


def test_settings_and_sentences_are_merged_too() -> None:
    logic = 'default = "flight"\npriorities = [\n    "baggage > flight",\n]\n'
    sentences = '[fly]\nmust = ["fly me"]\n'
    theirs = (
        BASE,
        logic.replace('"flight"', '"baggage"'),
        '[fly]\nmust = ["fly me", "we fly"]\n[lost]\nmust = ["lost"]\n',
    )
    mine = BASE, logic.replace("baggage > flight", "flight > baggage"), '[fly]\nmust_not = ["a fly"]\n'
    found = merge_versions((BASE, logic, sentences), theirs, mine)
    assert found.texts[1] == 'default = "baggage"\npriorities = [\n    "flight > baggage",\n]\n'
    assert [(one.rule, one.must, one.must_not) for one in read_sentences(found.texts[2])] == [
        ("fly", ("we fly",), ("a fly",)),
        ("lost", ("lost",), ()),
    ]
    assert found.conflicts == ()
    other = merge_versions(("", "", ""), ("", "", '[a]\nmust = ["x"]\n'), ("", "", '[a]\nmust_not = ["x"]\n'))
    assert other.conflicts == (MergeConflict("sentence of a: \u201cx\u201d", "must", "must_not"),)


def test_no_change_is_lost_whatever_each_side_does() -> None:
    """Random edits of different rules on both sides: the merged rules are those of both."""
    rng = random.Random(7)
    for _ in range(300):
        base = {f"r{number}": ("ab"[number % 2], f"w{number}") for number in range(6)}
        sides = [dict(base), dict(base)]
        for name in base:
            side = sides[rng.randrange(2)]
            what = rng.choice(("keep", "change", "drop", "move"))
            if what == "change":
                side[name] = base[name][0], f"{base[name][1]} new"
            elif what == "drop":
                del side[name]
            elif what == "move":
                side[name] = "ba"["ab".index(base[name][0])], base[name][1]
        for number, side in enumerate(sides):
            if rng.random() < 0.5:
                side[f"n{number}"] = rng.choice("abc"), "fresh"
        changed = [{name for name in {*base, *side} if base.get(name) != side.get(name)} for side in sides]
        assert not changed[0] & changed[1]
        expected = {name: sides[name in changed[1]].get(name) for name in {*base, *sides[0], *sides[1]}}
        found = merge_versions(*((_written(side), "", "") for side in (base, *sides)))
        assert not [one for one in found.conflicts if not one.name.startswith("[")]
        read = {rule.name: rule.label for rule in read_rules(found.texts[0]).ruleset.rules}
        assert read == {name: own[0] for name, own in expected.items() if own}


def _written(rules: dict[str, tuple[str, str]]) -> str:
    sections = sorted({label for label, _ in rules.values()})
    return "\n".join(
        f"[{label}]\n" + "".join(f"{name} := {text}\n" for name, (own, text) in rules.items() if own == label)
        for label in sections
    )
