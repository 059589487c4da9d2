"""Changes of rules: the words that came and went, and taking them over line by line."""

from __future__ import annotations

import pytest
from support.networks.small_system import LOGIC, RULES
from support.projects.finished_run import learnable_project

from re2nn_core.errors import InputError
from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_difference.language_difference import Verdict, language_verdict
from re2nn_core.services.rule_reconstruction.classification.reconstruction import Reconstruction, RuleChange
from re2nn_core.services.rule_reconstruction.classification.rule_changes import (
    accept,
    accept_all,
    accept_rules,
    is_merged,
    word_change,
)
from re2nn_core.store import (
    save_version,
)

NEW = """\
[travel]
@go.words1@=( flight | flights | plane | planes | trip | trips | tour | tours | ticket )
go := $* @go.words1@ $*
to_city := $* fly to ( boston | oslo ) $*
[money]
price := $* ( cost | fare | price ) $*
much := $* how much $*
"""


def change(name: str, label: str, *, kept: bool) -> RuleChange:
    return RuleChange(name, label, "", "", None if kept else 0.5, kept, None, None, (), ())


FOUND = Reconstruction(
    NEW,
    LOGIC,
    (),
    (
        change("go", "travel", kept=False),
        change("to_city", "travel", kept=True),
        change("price", "money", kept=False),
        change("much", "money", kept=True),
    ),
)


def assert_same_language(now: str, new: str, *names: str) -> None:
    sides = ({rule.name: rule.expanded for rule in read_rules(text).ruleset.rules} for text in (now, new))
    first, second = sides
    for name in names or second:
        assert language_verdict(name, first[name], second[name]).verdict is Verdict.SAME, name


def taken(names: set[str], rules_text: str = RULES):
    return accept(FOUND, names, trained_on=RULES, rules_text=rules_text, logic_text=LOGIC, lowercase=True)


def test_changes_are_taken_over_line_by_line():
    written = RULES.replace("price := ", "// what it costs\nprice := ").replace(
        "( price | fare ) $*", "( price | fare ) $* // all"
    )
    done = taken({"go", "price"}, written)
    assert done.accepted == ("go", "price")
    mark = "// price was changed from what was learned; its comments are older"
    assert f"// what it costs\n{mark}\nprice := $* ( price | fare | cost ) $* // all" in done.rules_text
    assert done.comments == (("price", ("// what it costs", "// all")),)
    assert_same_language(done.rules_text, NEW)


OLDER = "// go was changed from what was learned; its comments are older"


@pytest.mark.parametrize(
    ("above", "reported", "own"),
    [
        ([], [], []),
        (["// a", "  // b"], ["// a", "  // b", OLDER], ["// a", "// b"]),
        (["// a", ""], [], []),  # not directly above
        (["// a", OLDER], ["// a", OLDER], ["// a"]),  # said already
        ([OLDER, "// new"], [OLDER, "// new", OLDER], ["// new"]),
        ([OLDER], [OLDER], []),
    ],
)
def test_what_people_wrote_above_a_rule_stays_and_a_line_says_that_it_is_older(
    above: list[str], reported: list[str], own: list[str]
) -> None:
    written = RULES.replace("[travel]\n", "\n".join(["[travel]", *above, ""]))
    done = taken({"go"}, written)
    lines = done.rules_text.splitlines()
    [rule] = [place for place, line in enumerate(lines) if line.startswith("go := ")]
    assert lines[rule - len(reported) : rule] == reported
    written_by_people = [line for line in above if line not in ("", OLDER)]
    assert [line for line in lines if "//" in line and line != OLDER] == written_by_people
    assert (OLDER in lines) == (OLDER in reported)
    assert dict(done.comments).get("go", ()) == tuple(own)
    assert_same_language(done.rules_text, NEW, "go")


@pytest.mark.parametrize(
    ("above", "behind"),
    [
        ("", "// mined from train texts"),
        ("", "// proposed for the labelled texts"),
        ("// suggested from the texts; make it your own\n", ""),
        ("// New rules, learned by the trained network.\n", ""),
    ],
)
def test_a_rule_that_nobody_wrote_has_no_older_comments(above: str, behind: str) -> None:
    """It was learned in an earlier training: that its comments are older was said of no comment."""
    written = RULES.replace("[travel]\n", f"[travel]\n{above}")
    written = written.replace("( price | fare ) $*", f"( price | fare ) $* {behind}")
    done = taken({"go", "price"}, written)
    assert done.accepted == ("go", "price")
    assert "older" not in done.rules_text
    assert above.strip() in done.rules_text
    assert behind in done.rules_text
    assert done.comments == ()


@pytest.mark.parametrize("name", ["go.words1", "go.flight_9", "go.numbers_9_2", "vehicles"])
def test_word_classes_come_along_whatever_they_are_called(name: str) -> None:
    new = NEW.replace("go.words1", name).replace(" | plane ", " | plane | jet | jets | train | trains ")
    new = new.replace("flight | flights | ", "")
    old = RULES.replace("( flight | flights )", "ship")
    done = accept_rules(new, {"go"}, trained_on=old, rules_text=old, logic_text=LOGIC, lowercase=True)
    assert_same_language(done.rules_text, new, "go")
    assert done.rules_text.count(f"@{name}@=(") == 1


def test_a_word_class_that_is_in_force_is_not_written_again() -> None:
    trained_on = f"@vehicles@=( boat | bus )\n{RULES}"
    new = f"@vehicles@=( boat | bus )\n{NEW.replace('go.words1', 'go.bus_9')}"
    new = new.replace("go := $* @go.bus_9@ $*", "go := $* ( @go.bus_9@ | @vehicles@ ) $*")
    done = accept_rules(new, {"go"}, trained_on=trained_on, rules_text=trained_on, logic_text=LOGIC, lowercase=True)
    assert done.accepted == ("go",)
    assert done.rules_text.count("@vehicles@=(") == 1
    assert read_rules(done.rules_text).ruleset.rules[0].expanded == read_rules(new).ruleset.rules[0].expanded


def test_only_the_chosen_changes_are_taken_over():
    done = taken({"price"})
    assert "cost" in done.rules_text
    assert "plane" not in done.rules_text


def test_rules_that_were_edited_since_are_left_alone():
    edited = RULES.replace("( price | fare )", "( price | fare | fee )").replace("go := ", "gone := ")
    done = taken({"go", "price"}, edited)
    assert done.accepted == ()
    assert done.rules_text == edited
    assert dict(done.left_out) == {
        "go": "it was renamed to “gone” since the training; "
        "to accept its change, give it its old name on Write rules first",
        "price": "it was edited since the training, in another way than was learned",
    }


def test_a_rule_that_was_deleted_since_says_so():
    deleted = "".join(line for line in RULES.splitlines(keepends=True) if not line.startswith("go :="))
    assert dict(taken({"go"}, deleted).left_out) == {
        "go": "it was deleted since the training; to take its change, write a rule of this name again"
    }


def of_go(options: str):
    """The rule `go` as it was edited, and what becomes of it when its change is taken over."""
    edited = RULES.replace("( flight | flights )", f"( {options} )")
    assert edited != RULES
    return edited, taken({"go"}, edited)


@pytest.mark.parametrize("options", ["flight | flights | planes", "tours | flight | flights | ticket | tour"])
def test_a_rule_with_some_of_its_learned_words_gets_the_rest(options: str) -> None:
    _, done = of_go(options)
    assert (done.accepted, done.begun, done.left_out) == (("go",), ("go",), ())
    assert_same_language(done.rules_text, NEW, "go")


@pytest.mark.parametrize("options", ["flight | flights | planes | train", "flight | planes", "$"])
def test_words_that_nobody_learned_or_took_away_are_not_undone(options: str) -> None:
    edited, done = of_go(options)
    assert (done.accepted, done.rules_text) == ((), edited)
    assert done.refused == (("go", "it was edited since the training, in another way than was learned"),)


def test_all_learned_words_in_another_order_are_the_change() -> None:
    _, done = of_go("ticket | plane | planes | trip | trips | tour | tours | flights | flight")
    assert (done.accepted, done.there, done.refused) == ((), ("go",), ())


def test_what_is_too_large_to_be_proved_is_left_alone_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("re2nn_core.reconstruction.classification.edit_proofs.PAIRS", 0)
    _, done = of_go("flight | flights | plane | trip")
    [(name, why)] = done.refused
    assert name == "go"
    assert "too large to prove that accepting the change keeps the edit" in why


def test_a_rule_for_slots_with_some_of_its_learned_words_gets_the_rest() -> None:
    def rules(options: str) -> str:
        return f"to := $* to [ {options} ]<city> $*\n"

    def into(now: str):
        return accept_rules(
            rules("oslo | rome | kyiv"),
            ["to"],
            trained_on=rules("oslo"),
            rules_text=now,
            logic_text="",
            lowercase=True,
        )

    assert into(rules("oslo | kyiv")).begun == ("to",)
    other = into(rules("oslo | kyiv").replace("city", "state"))
    assert (other.accepted, other.begun, len(other.refused)) == ((), (), 1)


def test_unnamed_rules_stay_unnamed():
    old = "[money]\n$* ( price | fare ) $*\n"
    found = Reconstruction("[money]\n$* ( cost | price ) $*\n", "", (), (change("money.1", "money", kept=False),))
    done = accept(found, {"money.1"}, trained_on=old, rules_text=old, logic_text="", lowercase=True)
    assert done.rules_text == "[money]\n$* ( price | cost ) $*\n"


def test_long_rules_are_broken_where_an_option_begins():
    words = " | ".join(f"word{number:02}" for number in range(40))
    found = Reconstruction(f"[a]\nlong := $* ( {words} ) $*\n", "", (), (change("long", "a", kept=False),))
    old = "[a]\nlong := $* x $*\n"
    done = accept(found, {"long"}, trained_on=old, rules_text=old, logic_text="", lowercase=True)
    lines = done.rules_text.splitlines()
    assert max(map(len, lines)) <= 110
    assert all(line.startswith("    |") for line in lines[2:-1])
    assert lines[-1] == "long := $* @long.learned_40@ $*"
    assert_same_language(done.rules_text, found.rules_text)


def test_merged_rules_are_taken_over_as_a_whole():
    merged = Reconstruction("[travel]\ngo := $* flight $*\n", "", (), (change("go", "travel", kept=False),))
    assert is_merged(merged, RULES, lowercase=True)
    with pytest.raises(InputError, match="one automaton for each label"):
        accept(merged, {"go"}, trained_on=RULES, rules_text=RULES, logic_text=LOGIC, lowercase=True)
    done = accept_all(merged, RULES, lowercase=True)
    assert (done.rules_text, done.accepted) == (merged.rules_text, ("go",))


def test_words_that_came_and_went_are_marked():
    written, new = read_rules(RULES).ruleset, read_rules(NEW).ruleset
    price = word_change(written, new, "price")
    assert (price.new, price.removed) == (("cost",), ())
    assert "".join(piece.text for piece in price.after) == "$* ( cost | fare | price ) $*"
    assert [piece.text for piece in price.after if piece.kind == "changed"] == ["cost"]


def test_the_ends_of_a_text_are_no_words():
    old = read_rules("[travel]\ngo := BOS flight EOS").ruleset
    new = read_rules("[travel]\ngo := BOS trip EOS").ruleset
    assert [piece.text for piece in word_change(old, new, "go").before if piece.kind == "changed"] == ["flight"]


def test_a_word_class_carries_its_words():
    written, new = read_rules(RULES).ruleset, read_rules(NEW).ruleset
    go = word_change(written, new, "go")
    [named] = [piece for piece in go.after if piece.words]
    assert (named.text, named.kind, len(named.words)) == ("@go.words1@", "changed", 9)
    assert [word.text for word in named.words if word.kind == "same"] == ["flight", "flights"]


def test_what_was_taken_over_can_be_saved(store):
    project = learnable_project(store)
    done = taken({"go", "price"})
    saved = save_version(
        store, project.id, rules_text=done.rules_text, logic_text=done.logic_text, author="Ann", expected_number=1
    )
    assert saved.number == 2
