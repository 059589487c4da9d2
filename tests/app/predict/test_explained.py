"""The chosen text explained on Predict, and the path of a sentence on See automaton: for labels and slots, for rules
and trained runs; and what goes wrong."""

from __future__ import annotations

import re

import pytest
from support.app.app_studio import Studio, small_project
from support.projects.finished_run import finished_run, learnable_project
from support.projects.finished_tagger_run import finished_slot_run, slot_project

from re2nn_core.errors import StateBudgetError
from re2nn_core.services.projects.projects import open_sample
from re2nn_core.store import ProjectRecord, Store


def explain_project(studio: Studio, project: ProjectRecord) -> None:
    """Answer the project's texts, and have the first one explained."""
    studio.open("predict", project=project.id)
    studio.test.segmented_control(key="predict_way").set_value("project").run()
    studio.test.toggle(key="predict_explain").set_value(True).run()
    studio.checked()


def explain_text(studio: Studio, project: ProjectRecord, text: str) -> None:
    studio.open("predict", project=project.id)
    studio.test.segmented_control(key="predict_way").set_value("paste").run()
    studio.test.text_area(key="predict_paste").input(text).run()
    studio.test.toggle(key="predict_explain").set_value(True).run()
    studio.checked()


def look_at(studio: Studio, part: str) -> None:
    studio.test.segmented_control(key="predict_explained").set_value(part).run()
    studio.checked()


def test_nothing_is_explained_before_it_is_asked_for(studio: Studio, project: ProjectRecord) -> None:
    studio.open("predict", project=project.id)
    studio.test.segmented_control(key="predict_way").set_value("project").run()
    assert "re2-heat" not in studio.html


def test_words_have_their_heat_as_a_number_in_a_list(studio: Studio, project: ProjectRecord) -> None:
    explain_text(studio, project, "book a flight to oslo")
    assert '<ol class="re2-heat">' in studio.html
    assert "<span>flight</span><small>+1.00</small>" in studio.html
    assert '<li class="re2-unknown"><span>oslo</span><small>0</small></li>' in studio.html
    assert "Below each word: decrease of the score of flight" in studio.html


def test_scores_are_sums_over_rules(studio: Studio, project: ProjectRecord) -> None:
    explain_text(studio, project, "my bag is lost")
    for shown in ("Score of each label as a sum", "Contribution of each rule", "+ not from rules"):
        assert shown in studio.html
    assert "+0.50" in studio.html  # bag and lost share the label's one


def test_path_is_a_table_word_by_word(studio: Studio, project: ProjectRecord) -> None:
    explain_text(studio, project, "book a flight now")
    look_at(studio, "paths")
    assert "<th>Matched by</th>" in studio.html
    assert "<td>flight</td>" in studio.html
    assert "Start weight 1.00, end weight 1.00; product of all weights 1.00." in studio.html


def test_why_not_shows_where_each_rule_died_and_what_would_do(studio: Studio, project: ProjectRecord) -> None:
    explain_text(studio, project, "book a flight now")
    look_at(studio, "whynot")
    assert "None of its 2 rules matches." in studio.html
    assert "<ins>bag</ins>" in studio.html
    assert "Prediction of the rules then: baggage." in studio.html


def test_smallest_change_of_the_prediction(studio: Studio, project: ProjectRecord) -> None:
    explain_text(studio, project, "book a flight now")
    look_at(studio, "change")
    key = next(box.key for box in studio.test.selectbox if box.key.startswith("predict_flip"))
    studio.test.selectbox(key=key).set_value("baggage").run()
    studio.checked()
    assert "No change can be smaller" in studio.html
    assert "the rules predict" in studio.html


def test_ties_and_who_speaks_are_told(studio: Studio, project: ProjectRecord) -> None:
    explain_text(studio, project, "my bag is lost")
    assert "Tie: bag and lost add the same to baggage" in studio.html
    assert "bag and lost match, so the rules predict baggage." in studio.html
    look_at(studio, "whynot")
    assert "None of its" in studio.html or "does not match." in studio.html
    assert "; the text has none of these." in studio.html or "; the text has it nowhere." in studio.html


def test_long_text_and_signs_that_cannot_be_seen(studio: Studio, project: ProjectRecord) -> None:
    explain_text(studio, project, " ".join(["a flight", *(f"word{number}" for number in range(420))]))
    assert "The text has 422 words." in studio.html
    assert "re2-heat" not in studio.html.split("</style>")[-1]
    for part in ("paths", "whynot", "change"):
        look_at(studio, part)
    explain_text(studio, project, "a flight\x07 flight")
    assert "The text has signs that cannot be seen (\\x07)" in studio.html


def test_tied_slots_are_told(studio: Studio, store: Store) -> None:
    made = slot_project(store, rules="a := $* to [ oslo ]<goal> $*\nb := $* [ oslo ]<city> $*\n", name="Ties")
    explain_text(studio, made, "to oslo")
    assert (
        "Tie: “oslo”: goal and city have 1 vote each; goal is predicted, because the rules name it first."
        in studio.html
    )
    look_at(studio, "whynot")
    assert "The rules give goal: oslo (by a)." in studio.html


@pytest.mark.parametrize("text", ["xyzzy plugh", "<script>alert(1)</script>", "!"])
def test_texts_of_unknown_words(studio: Studio, project: ProjectRecord, text: str) -> None:
    explain_text(studio, project, text)
    assert "The rules name none of these words" in studio.html
    assert "<script>" not in studio.html
    for part in ("paths", "whynot", "change"):
        look_at(studio, part)


def test_trained_run_is_explained(studio: Studio, store: Store) -> None:
    made = learnable_project(store)
    run = finished_run(store, made, train={"copies": 1})
    studio.test.query_params["model"] = f"run:{run.id}"
    explain_project(studio, made)
    assert ">Before training</th>" in studio.html
    look_at(studio, "paths")
    assert "learned</span>" in studio.html or "written" in studio.html
    [own] = re.findall(
        r"Own score of (\S+) ([\d.]+) = ([\d.]+) from this path, clamped to 0–1 after each word, and "
        r"([-+−\d.]+) from the rest\.",
        studio.html,
    )
    assert float(own[2]) + float(own[3].replace("−", "-")) == pytest.approx(float(own[1]))
    assert "The rest: all other paths through the rule, which add" in studio.html
    look_at(studio, "change")
    assert "prediction of the network" in studio.html or "does it" in studio.html


def test_what_cannot_be_told_is_said(studio: Studio, store: Store) -> None:
    made = learnable_project(store)
    run = finished_run(store, made, train={"copies": 1}, cell="gru", bidirectional=True)
    studio.test.query_params["model"] = f"run:{run.id}"
    explain_project(studio, made)
    assert "Gates (GRU) mix old and new states" in studio.html
    assert "The network reads in both directions" in studio.html


def test_a_failing_service_is_a_message(
    studio: Studio, project: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_, **__):
        raise StateBudgetError(1000, "( a | b )*", "fly")

    monkeypatch.setattr("pages._shared.cached.explaining.Explainer.explain", fail)
    explain_text(studio, project, "a flight")
    assert "Explaining the text did not work." in studio.messages
    assert len(studio.test.dataframe[0].value) == 1


def test_slots_are_explained(studio: Studio, store: Store) -> None:
    made = open_sample(store, "flight_slots", "tester")
    explain_text(studio, made, "from boston to denver")
    assert "from_city: boston" in str(studio.test.selectbox[-1].options)
    assert ">+ not from rules</th>" in studio.html
    for part, shown in (("paths", "<th>Tag</th>"), ("whynot", "Smallest change that it matches"), ("change", "Now: ")):
        look_at(studio, part)
        assert shown in studio.html


def test_slots_of_unknown_words(studio: Studio, store: Store) -> None:
    made = open_sample(store, "flight_slots", "tester")
    explain_text(studio, made, "xyzzy")
    assert "No span is predicted here." in studio.html
    assert "The rules name none of these words" in studio.html


def test_trained_tagger_is_explained(studio: Studio, store: Store) -> None:
    made = slot_project(store)
    run = finished_slot_run(store, made, train={"epochs": 20}, auxiliary="lstm", decoding="crf", auxiliary_states=8)
    assert run.result["best_epoch"] > 0
    studio.test.query_params["model"] = f"run:{run.id}"
    explain_project(studio, made)
    assert "re2-heat" in studio.html or "No span is predicted here." in studio.html
    assert "<th>Rules</th>" in studio.html
    assert "What the auxiliary encoder adds to a score" in studio.html
    assert "A chain (CRF) chooses all tags" in studio.html


def test_whole_path_is_drawn_and_listed(studio: Studio, store: Store) -> None:
    made = small_project(store)
    studio.open("automaton", project=made.id)
    studio.test.text_input(key=f"_traced_{made.id}").input("book a flight now").run()
    studio.checked()
    [text] = studio.component(f"_automaton_drawing_{made.id}")["texts"]
    assert text["path"] == [0, 0, 1, 2]
    assert "<td>named in the rule</td>" in studio.html
    studio.test.text_input(key=f"_traced_{made.id}").input("nothing").run()
    studio.checked()
    [text] = studio.component(f"_automaton_drawing_{made.id}")["texts"]
    assert text["path"] == []
    assert "<td>named in the rule</td>" not in studio.html


def test_whole_path_of_tags(studio: Studio, store: Store) -> None:
    made = open_sample(store, "flight_slots", "tester")
    studio.open("automaton", project=made.id)
    assert "<th>Tag</th>" in studio.html
    [text] = studio.component(f"_automaton_drawing_{made.id}")["texts"]
    assert len(text["path"]) == len(text["words"])
    assert min(text["path"]) >= 0
