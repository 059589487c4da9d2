"""re2nn explain: for rules and models, for labels and slots, as text and JSON; and what cannot be explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command_line import Call
from support.networks.explained import as_trained, tagger_as_trained
from support.networks.tagger_samples import TRIP

from re2nn_core.commands._common.command_result import table
from re2nn_core.network.classification.bundle import save_bundle
from re2nn_core.network.slot_filling.bundle import save_tagger

TEXT = "show me a flight to boston"


def test_text_for_people(re2nn: Call, rules: Path, logic: Path) -> None:
    outcome = re2nn("explain", "--text", TEXT, "--rules", rules, "--logic", logic, "--label", "fare")
    assert outcome.code == 0
    assert outcome.out.startswith("show me a flight to boston\nprediction: flight\n")
    assert "Contribution of each word to fare:" in outcome.out
    assert "Path through to_city (flight):" in outcome.out
    assert "5  to      to            1 > 2" in outcome.out
    assert "to_city matches, so the rules predict flight." in outcome.out
    assert "Why not fare?\n  Its rule price does not match.\n" in outcome.out
    assert "  price: it needs “cost”, “fare” or “how”; the text has none of these.\n" in outcome.out
    assert "Smallest change found after which the rules predict fare: insert “cost” at word 7" in outcome.out


def test_json_has_everything_and_sums_add_up(re2nn: Call, rules: Path, logic: Path) -> None:
    data = re2nn("explain", "--text", TEXT, "--rules", rules, "--logic", logic, "--json").data
    assert (data["prediction"], data["rules_prediction"], data["why_not"]) == ("flight", "flight", None)
    for one in data["sums"]:
        assert one["rules"] + one["logic"] + one["outside"] == pytest.approx(one["score"])
    (path,) = [path for path in data["paths"] if path["rule"] == "to_city"][:1]
    assert [step["symbol"] for step in path["steps"]] == ["$", "$", "$", "flight", "to", "$"]
    assert data["flip"]["after"] != "flight"


def test_rule_can_be_asked_for(re2nn: Call, rules: Path) -> None:
    data = re2nn("explain", "--text", TEXT, "--rules", rules, "--label", "price", "--json").data
    assert data["why_not"]["is_rule"]
    assert data["why_not"]["rules"][0]["death"]["read"] == 6


def test_model_is_explained(re2nn: Call, tmp_path: Path) -> None:
    save_bundle(tmp_path / "model", as_trained())
    outcome = re2nn("explain", "--text", "how much to oslo", "--model", tmp_path / "model")
    assert outcome.code == 0
    assert "before training" in outcome.out
    assert ", weight " in outcome.out
    assert "weight = start " in outcome.out
    assert "The trained network scores " in outcome.out
    assert "outside the rules" in outcome.out
    assert "the network predicts" in outcome.out


def test_own_score_of_a_rule_is_told_beside_the_weight_of_its_path(re2nn: Call, tmp_path: Path) -> None:
    """A path may weigh more than its rule scores: what takes the rest away is said, and the figures add up."""
    save_bundle(tmp_path / "model", as_trained())
    given = ("explain", "--text", "how much to oslo", "--model", tmp_path / "model")
    out, data = re2nn(*given).out, re2nn(*given, "--json").data
    scores = {part["rule"]: part["after"] for part in data["parts"]}
    reported = re.findall(
        r"own score of (\S+) ([\d.]+) = ([\d.]+) from this path, clamped to 0–1 after each word, and ([-+\d.]+) "
        r"from the rest\n",
        out,
    )
    assert reported
    assert any(float(rest) for *_, rest in reported)
    for name, score, alone, rest in reported:
        assert score == f"{scores[name]:.2f}"
        assert float(alone) + float(rest) == pytest.approx(float(score))
        assert alone == f"{next(path['alone'] for path in data['paths'] if path['rule'] == name):.2f}"
    assert "(the rest of an own score: all other paths through the rule, which add, or subtract where" in out


def test_what_the_network_predicts_for_the_changed_text(re2nn: Call, tmp_path: Path) -> None:
    save_bundle(tmp_path / "model", as_trained())
    given = ("explain", "--model", tmp_path / "model")
    out = re2nn(*given, "--text", "how much to oslo", "--label", "travel").out
    reported = re.findall(r"\n {4}(.+)   -> the rules then predict (.+), and the network (too|predicts .+)\n", out)
    assert reported
    for text, by_rules, by_network in reported:
        prediction = re2nn(*given, "--text", text, "--json").data["prediction"]
        assert prediction == (by_rules if by_network == "too" else by_network.removeprefix("predicts "))


def test_a_sign_that_steers_a_terminal_leaves_columns_in_place() -> None:
    """It is written out before the widths are measured."""
    rows = [["a\x01b", 1], ["c", 22]]
    assert table(["word", "counts"], rows) == "word    counts\na\\x01b       1\nc           22"


@pytest.mark.parametrize("text", ["", "   ", "xyzzy"])
def test_texts_without_known_words(re2nn: Call, rules: Path, text: str) -> None:
    outcome = re2nn("explain", "--text", text, "--rules", rules)
    assert outcome.code == 0
    assert "prediction: (no prediction)" in outcome.out
    assert "Note: The text has no words" in outcome.out or "Note: The rules name none of these words" in outcome.out


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--label", "nowhere"], "There is no label or rule 'nowhere'. The labels are: flight, fare. The rules are: "),
        (["--budget", "0"], "The budget of the search must be 1 change or more (got 0)."),
    ],
)
def test_what_cannot_be_asked(re2nn: Call, rules: Path, more: list[str], words: str) -> None:
    outcome = re2nn("explain", "--text", TEXT, "--rules", rules, *more)
    assert outcome.code == 2
    assert words in outcome.err


def test_neither_rules_nor_model(re2nn: Call) -> None:
    assert "Neither rules nor a model were given." in re2nn("explain", "--text", TEXT).err


def test_model_of_other_rules_is_refused(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    save_bundle(tmp_path / "model", as_trained())
    outcome = re2nn("explain", "--text", TEXT, "--rules", rules, "--model", tmp_path / "model", "--json")
    assert outcome.code == 2
    assert "The model was trained for other labels (travel, money, other) than the rules have" in outcome.data["error"]


@pytest.fixture
def trip(tmp_path: Path) -> Path:
    path = tmp_path / "trip.txt"
    path.write_text(TRIP, encoding="utf-8")
    return path


def test_slots_are_explained_word_by_word(re2nn: Call, trip: Path) -> None:
    outcome = re2nn("explain", "--text", "fly to oslo", "--rules", trip, "--label", "date")
    assert outcome.code == 0
    assert outcome.out.startswith("fly to oslo\nprediction: city: oslo\n")
    assert "Contribution of each word to city: oslo:" in outcome.out
    assert "Why not date?\n  date, the one rule that gives date, does not match.\n" in outcome.out
    assert "  The rules give city: oslo (by city)." in outcome.out
    data = re2nn("explain", "--text", "fly to oslo", "--rules", trip, "--json").data
    assert [word["tag"] for word in data["words"]] == ["O", "O", "B-city"]
    for word in data["words"]:
        for one in word["sums"]:
            assert one["rules"] + one["outside"] == pytest.approx(one["score"])


def test_tagger_is_explained(re2nn: Call, tmp_path: Path) -> None:
    save_tagger(tmp_path / "model", tagger_as_trained(auxiliary="lstm", decoding="crf"))
    outcome = re2nn("explain", "--text", "fly to oslo", "--model", tmp_path / "model")
    assert outcome.code == 0
    assert "Note: What the auxiliary encoder adds to a score" in outcome.out
    assert "Note: A chain (CRF) chooses all tags of the sentence together" in outcome.out


@pytest.mark.parametrize("text", ["", "xyzzy"])
def test_slot_texts_without_known_words(re2nn: Call, trip: Path, text: str) -> None:
    outcome = re2nn("explain", "--text", text, "--rules", trip)
    assert outcome.code == 0
    assert "prediction: no span" in outcome.out


def test_slot_that_there_is_not(re2nn: Call, trip: Path) -> None:
    outcome = re2nn("explain", "--text", "fly", "--rules", trip, "--label", "wine")
    assert outcome.code == 2
    assert "There is no slot or rule 'wine'. The slots are: city, goal, date." in outcome.err


LONG = " ".join(f"flight {number} to oslo" for number in range(600))


def test_long_text_is_predicted_without_a_search(re2nn: Call, rules: Path, trip: Path) -> None:
    """2,400 words: what costs the square of that is left out, and said."""
    outcome = re2nn("explain", "--text", LONG, "--rules", rules, "--label", "fare")
    assert outcome.code == 0
    assert "prediction: flight\n" in outcome.out
    assert "Note: The text has 2,400 words. Word contributions, paths and smallest changes are shown for texts" in (
        outcome.out
    )
    assert "  price: it needs “cost”, “fare” or “how”; the text has none of these.\n" in outcome.out
    assert "Another prediction: The text has 2,400 words." in outcome.out
    assert len(outcome.out) < 5_000
    outcome = re2nn("explain", "--text", f"{LONG} on 3 may", "--rules", trip)
    assert outcome.code == 0
    assert "and 1,801 words without a slot (--json has them)" in outcome.out


def test_signs_that_steer_a_terminal_are_written_out(re2nn: Call, rules: Path, trip: Path) -> None:
    text = "a flight to os\x1b[31mlo\x00 \u202enow"
    for given in (rules, trip):
        outcome = re2nn("explain", "--text", text, "--rules", given)
        assert outcome.code == 0
        assert not {"\x1b", "\x00", "\u202e"} & set(outcome.out)
        assert "os\\x1b[31mlo\\x00" in outcome.out
        assert "Note: The text has signs that cannot be seen (\\x1b, \\x00, \\u202e)" in outcome.out
        data = re2nn("explain", "--text", text, "--rules", given, "--json").data
        assert data["text"] == text


def test_rules_and_model_of_two_tasks(re2nn: Call, rules: Path, trip: Path, tmp_path: Path) -> None:
    save_bundle(tmp_path / "labels", as_trained())
    save_tagger(tmp_path / "slots", tagger_as_trained())
    for model, given, words in (
        ("labels", trip, "captures words, for slots, and {} is a model for labels of whole texts."),
        ("slots", rules, "captures no word, for labels, and {} is a model for slots."),
    ):
        outcome = re2nn("explain", "--text", TEXT, "--rules", given, "--model", tmp_path / model)
        assert outcome.code == 2
        assert f"{given} {words.format(tmp_path / model)} Give a model and rules of one task." in outcome.err


def test_model_of_another_kind(re2nn: Call, tmp_path: Path) -> None:
    save_bundle(tmp_path / "model", as_trained())
    description = tmp_path / "model" / "bundle.json"
    description.write_text(description.read_text().replace('{"format"', '{"task": "baseline", "format"', 1))
    for more in (("explain", "--text", TEXT), ("reconstruct", "--dev", "dev.tsv", "-o", tmp_path / "new.txt")):
        outcome = re2nn(*more, "--model", tmp_path / "model")
        assert outcome.code == 2
        assert "holds a model of the kind 'baseline'. Only networks of rules" in outcome.err


def test_ties_are_told(re2nn: Call, rules: Path, trip: Path) -> None:
    outcome = re2nn("explain", "--text", "a flight to what cost", "--rules", rules)
    assert "Tie: flight and fare both match, and none has priority over another: flight comes first" in outcome.out
    outcome = re2nn("explain", "--text", "to oslo", "--rules", trip)
    assert "Tie: “oslo”: city and goal have 1 vote each; city is predicted" in outcome.out


@pytest.mark.parametrize(
    ("rules", "text", "wanted"),
    [
        ('[fruit]\nfruit := $* apple $* but not ( $* case"Apple" $* )\n', "an Apple pie", "fruit"),
        ('[firm]\nfirm := $* case"Apple" pays\n[fruit]\nfruit := red apple\n', "Apple pays", "fruit"),
        ('[firm]\nfirm := $* case"Apple" pays\n', "apple pays", "firm"),
        ('to := $* to [ case"Rome" | oslo ]<to>\nfrom := from [ $ ]<from> $*\n', "on to Rome", "from"),
        ('to := $* to [ case"Rome" | oslo ]<to>\n', "on to rome", "to"),
        ('to := $* to [ case"Rome" ]<to>\nfrom := $* to [ $ ]<from>\n', "on to Rome", "from"),
    ],
)
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_words_are_shown_as_texts_spell_them(
    re2nn: Call, tmp_path: Path, rules: str, text: str, wanted: str, more: list[str]
) -> None:
    """Words of which the case counts were shown by the name that automata have for them, case Rome."""
    file = tmp_path / "rules.txt"
    file.write_text(rules, encoding="utf-8")
    outcome = re2nn("explain", "--text", text, "--rules", file, "--label", wanted, *more)
    assert outcome.code == 0, outcome.err
    assert "case Apple" not in outcome.out
    assert "case Rome" not in outcome.out
    assert text.split()[-1] in outcome.out
