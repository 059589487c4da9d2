"""Commands that measure a project's run name the policy that it was trained under."""

from __future__ import annotations

from pathlib import Path

from support.command_line import Call
from support.projects.finished_run import finished_run, learnable_project

from re2nn_core.store import Policy, open_store, record_label, set_policy, texts_of


def test_the_policy_of_a_run_is_told(re2nn: Call, tmp_path: Path) -> None:
    data = tmp_path / "texts.tsv"
    with open_store(tmp_path / "re2nn.sqlite3") as store:
        project = learnable_project(store)
        texts = texts_of(store, project.id)
        record_label(store, texts[0].id, "travel", "Ann")
        set_policy(store, project.id, Policy("decided"))
        model = str(finished_run(store, project, train={"epochs": 1}).folder)
    data.write_text("text\tlabel\n" + "".join(f"{text.text}\t{text.label}\n" for text in texts))
    done = re2nn("evaluate", "--model", model, "--data", str(data))
    assert "The network: trained on only adjudicated labels; 1 text waited." in done.out
    done = re2nn("evaluate", "--model", model, "--data", str(data), "--json")
    assert done.data["trained_on"] == {"policy": "decided", "waiting": 1}
    done = re2nn("reconstruct", "--model", model, "--dev", str(data), "-o", str(tmp_path / "read.txt"))
    assert "The network: trained on only adjudicated labels; 1 text waited." in done.out
    edited = str(tmp_path / "edited")
    re2nn("disable-rule", "--model", model, "price", "--data", str(data), "-o", edited)
    assert "trained on only adjudicated labels" in re2nn("evaluate", "--model", edited, "--data", str(data)).out
    # A model that is trained from files has no policy.
    (Path(model) / "material.json").unlink()
    assert "trained_on" not in re2nn("evaluate", "--model", model, "--data", str(data), "--json").data
