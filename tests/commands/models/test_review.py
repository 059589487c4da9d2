"""re2nn review: the page and the patch of a model's changes, for both tasks, from files and from a project."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.app.compare_steps import decided
from support.command_line import Call
from support.projects.finished_run import finished_run, learnable_project, plant_a_change, plant_new_rules
from support.projects.finished_tagger_run import finished_slot_run, slot_project

from re2nn_core.exchange.slot_filling.write import render_slot_jsonl
from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE, reconstruct_run
from re2nn_core.services.rule_review.reviewed_run import run_in_folder
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.store import open_store, texts_of

NO_TEXTS = "because it is not a training run of a project"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of projects with a run for labels, of which `price` has learned `cost`, and one for slots; the texts of
    both as files."""
    folder = tmp_path_factory.mktemp("home")
    with open_store(folder / "re2nn.sqlite3") as store:
        labels = finished_run(store, learnable_project(store))
        records = texts_of(store, labels.project_id)
        reconstruct_run(labels, records)
        plant_a_change(labels)
        slots = finished_slot_run(store, slot_project(store))
        spans = span_examples_of(texts_of(store, slots.project_id))
        lines = "".join(f"{one.label}\t{one.text}\t{one.split}\n" for one in records)
        (folder / "labels.tsv").write_text(f"label\ttext\tsplit\n{lines}", encoding="utf-8")
        (folder / "slots.jsonl").write_bytes(render_slot_jsonl(spans))
        for run, name in ((labels, "labels"), (slots, "slots")):
            (folder / f"{name}.folder").write_text(str(run.folder), encoding="utf-8")
    return folder


@pytest.fixture
def projects(home: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(home, tmp_path / "home"))


def model(projects: Path, task: str) -> Path:
    """The folder of the run in a copy."""
    return projects / "models" / Path((projects / f"{task}.folder").read_text(encoding="utf-8")).name


def test_a_run_is_reviewed_on_the_texts_of_its_project(re2nn: Call, projects: Path, tmp_path: Path) -> None:
    page, patch = tmp_path / "review.html", tmp_path / "rules.patch"
    outcome = re2nn("review", model(projects, "labels"), "--html", page, "--patch", patch, "--accept", "price")
    assert outcome.code == 0, outcome.err
    assert outcome.err == ""  # what was reconstructed before is used
    assert "Review of Learnable: Run 1, rules v1" in outcome.out
    assert "price  money" in outcome.out
    assert "<h1>Review of Learnable</h1>" in page.read_text(encoding="utf-8")
    assert "cost" in patch.read_text(encoding="utf-8")


def test_a_patch_takes_changes_of_thin_evidence_only_when_asked(re2nn: Call, projects: Path, tmp_path: Path) -> None:
    """`price` fixes two held-out texts, which may be chance: it was in the patch without a word."""
    patch = tmp_path / "rules.patch"
    outcome = re2nn("review", model(projects, "labels"), "--patch", patch)
    assert outcome.code == 0, outcome.err
    assert patch.read_text(encoding="utf-8") == ""
    assert f"The patch with 0 accepted changes is in {patch}." in outcome.out
    assert "1 change is not in it: --accept NAME takes those that you name, --accept all all." in outcome.out
    asked = re2nn("review", model(projects, "labels"), "--patch", patch, "--accept", "all")
    assert "+price :=" in patch.read_text(encoding="utf-8")
    assert "not in it" not in asked.out
    assert (
        "Write one of them, recommended, decided or all."
        in re2nn("review", model(projects, "labels"), "--accept", "gaining").err
    )


def test_what_the_team_decided_is_in_the_page_and_in_the_patch(re2nn: Call, projects: Path, tmp_path: Path) -> None:
    page, patch = tmp_path / "review.html", tmp_path / "rules.patch"
    with open_store(projects / "re2nn.sqlite3") as store:
        own = run_in_folder(store, model(projects, "labels"))
        assert own is not None
        decided(store, own.run, "price", "edited", person="ann", text="$* ( price | fare | costs ) $*")
    outcome = re2nn("review", model(projects, "labels"), "--html", page, "--patch", patch, "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.data["accepted"] == ["price"]
    assert [rule["state"] for rule in outcome.data["rules"]] == ["edited"]
    assert "by ann" in page.read_text(encoding="utf-8")
    assert "+price := $* ( price | fare | costs ) $*" in patch.read_text(encoding="utf-8")
    told = re2nn("review", model(projects, "labels"), "--patch", patch).out
    assert f"Apply it in the FOLDER of your rules.txt: patch -p1 -d FOLDER < {patch}" in told


@pytest.mark.parametrize(("accept", "rule"), [("money.new", "$* cost $*"), ("all", "$* ( cost | i $* and ) $*")])
def test_a_patch_has_new_rules_without_the_patterns_that_they_are_better_without(
    re2nn: Call, projects: Path, tmp_path: Path, accept: str, rule: str
) -> None:
    """The page recommended the rule without them, and the patch had it with them."""
    page, patch = tmp_path / "review.html", tmp_path / "rules.patch"
    with open_store(projects / "re2nn.sqlite3") as store:
        own = run_in_folder(store, model(projects, "labels"))
        assert own is not None
        plant_new_rules(own.run)
        kept = own.run.folder / FILE
        several = kept.read_text(encoding="utf-8").replace("$* cost $*", "$* ( cost | i $* and ) $*")
        kept.write_text(several, encoding="utf-8")
    outcome = re2nn("review", model(projects, "labels"), "--html", page, "--patch", patch, "--accept", accept)
    assert outcome.code == 0, outcome.err
    assert f"+money.new := {rule}\n" in patch.read_text(encoding="utf-8")
    shown = page.read_text(encoding="utf-8")
    assert "<td>“cost”" in shown.replace('<b class="re2-up">', "").replace("</b>", "")
    assert '<b class="re2-gone">“i … and”</b> learned too, left out: it would fix' in shown


def test_the_best_changes_are_told_in_words_with_texts(re2nn: Call, projects: Path) -> None:
    outcome = re2nn("review", model(projects, "labels"))
    assert "The best change:\n\n1. price (money): adds “cost”\n" in outcome.out
    assert "   fixes 8 texts, 2 of them in 16 held-out test texts, such as:\n" in outcome.out
    assert "     “the cost of cairo please” (test): travel -> money\n" in outcome.out
    (rule,) = re2nn("review", model(projects, "labels"), "--json").data["rules"]
    assert rule["edit"] == "adds “cost”"
    assert {one["after"] for one in rule["fixes"]} == {"money"}
    assert all(set(one) == {"text", "split", "before", "after", "gold"} for one in rule["fixes"])
    assert len(rule["breaks"]) == rule["broken"]


def test_a_new_rule_is_told_by_its_expression(re2nn: Call, projects: Path) -> None:
    with open_store(projects / "re2nn.sqlite3") as store:
        own = run_in_folder(store, model(projects, "labels"))
        assert own is not None
        plant_new_rules(own.run)
    outcome = re2nn("review", model(projects, "labels"))
    assert "money.new (money): new rule $* cost $*\n" in outcome.out


@pytest.mark.parametrize(("task", "texts"), [("labels", "labels.tsv"), ("slots", "slots.jsonl")])
def test_a_model_is_reviewed_on_given_texts(re2nn: Call, projects: Path, tmp_path: Path, task: str, texts: str) -> None:
    page, patch = tmp_path / "review.html", tmp_path / "rules.patch"
    given = ("--data", projects / texts, "--html", page, "--patch", patch, "--accept", "all", "--json")
    outcome = re2nn("review", model(projects, task), *given)
    assert outcome.code == 0, outcome.err
    assert "reconstructing: 100%" in outcome.err
    rules = [rule["name"] for rule in outcome.data["rules"]]
    assert rules
    assert set(outcome.data["accepted"]) <= set(rules)
    assert set(outcome.data) == {
        *("model", "held_out", "held_out_texts", "rules", "accepted", "left_out", "notes", "html", "patch")
    }
    shown = page.read_text(encoding="utf-8")
    assert all(f">{name}</h2>" in shown for name in rules)
    assert patch.read_text(encoding="utf-8").startswith("--- a/rules.txt\n")


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (("--home", "."), f"{NO_TEXTS}.\nWrite --data FILE where each text names its split, or --dev FILE."),
        (("--accept", "prize"), "--accept: no rule of the name 'prize' changed. There are: price. Write one of them,"),
        (("--split", "dev"), "--split is for --data"),
        (("--data", "nowhere.tsv"), "nowhere.tsv: there is no such file"),
    ],
)
def test_what_cannot_be_reviewed_is_told(
    re2nn: Call,
    projects: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    reported: str,
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    outcome = re2nn("review", model(projects, "labels"), "--html", "x.html", *arguments)
    assert outcome.code == 2
    assert reported in outcome.err
    assert list((tmp_path / "empty").iterdir()) == []
