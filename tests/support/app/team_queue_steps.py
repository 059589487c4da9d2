"""The page Label over a team's queue, as tests use it: who is there, what is shown, and a click."""

from __future__ import annotations

from support.app.app_studio import Studio
from support.projects.finished_run import learnable_project

from re2nn_core.store import ProjectRecord, Store, texts_of


def six_texts(store: Store) -> ProjectRecord:
    """Six texts that nobody has labelled, behind 64 with a label."""
    return learnable_project(store, unlabelled=6)


def without_label(store: Store, project: ProjectRecord) -> list[int]:
    """The texts without a label."""
    return [record.id for record in texts_of(store, project.id) if record.label is None]


def person(name: str, project: ProjectRecord) -> Studio:
    """A session of this person, on the page Label."""
    studio = Studio()
    studio.test.query_params["person"] = name
    studio.open("label", project=project.id)
    return studio


def shown(studio: Studio) -> int:
    [accept] = [button for button in studio.test.button if (button.key or "").startswith("label_accept_")]
    return int(accept.key.rsplit("_", 1)[1])


def press(studio: Studio, key: str) -> None:
    studio.test.button(key=key).click().run()
    studio.checked()


def say(studio: Studio, what: str) -> int:
    """Press accept, skip or flag on the text that is shown; its id."""
    text_id = shown(studio)
    press(studio, f"label_{what}_{text_id}")
    return text_id


def team_queue(name: str, project: ProjectRecord, way: str = "label_team_way") -> Studio:
    """A session of this person that looks at the settings of the queue."""
    studio = person(name, project)
    studio.test.segmented_control(key=way).set_value("Team queue").run()
    return studio
