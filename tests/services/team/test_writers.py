"""Pages and their workflows change the store through services that check the role."""

from __future__ import annotations

from pathlib import Path

from support import writers

from re2nn_core.services.team.people import require_role, role_of_person
from re2nn_core.store import open_store


def test_workflows_write_through_the_services_of_the_table() -> None:
    assert {name for name in writers.writing_directly() if name.startswith(writers.WORKFLOWS)} == set()
    assert any(name.startswith(writers.WORKFLOWS) for name in writers.changing())
    assert "re2nn_core.services.annotation.classification.annotate" in writers.writing_directly()


def test_pages_write_through_services_alone() -> None:
    assert writers.written_by_pages() == []


def test_a_new_service_would_be_found(tmp_path: Path) -> None:
    """The check can fail: a service that writes, one that calls it, and a page that goes past both."""
    for folder in ("re2nn_core/services", "pages"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "re2nn_core" / "store").symlink_to(writers.ROOT / "re2nn_core" / "store")
    (tmp_path / "re2nn_core/services/new.py").write_text(
        "from re2nn_core import store as kept\ndef drop(store):\n    kept.delete_project(store, 1)\n"
        "def look(store):\n    return kept.list_projects(store)\n"
    )
    (tmp_path / "re2nn_core/services/newer.py").write_text(
        "from re2nn_core.services.new import drop, look\ndef drop_all(store):\n    drop(store)\n"
        "def look_on(store):\n    look(store)\n"
    )
    (tmp_path / "pages/bad.py").write_text("from re2nn_core.store import get_project, delete_project\n")
    assert writers.changing(root=tmp_path) == {"re2nn_core.services.new.drop", "re2nn_core.services.newer.drop_all"}
    (tmp_path / "pages/worse.py").write_text(
        "from re2nn_core.services.projects.stored_projects import delete_project\n"
        "from re2nn_core.services.projects.guarded_writes import rename_project\n"
    )
    assert writers.written_by_pages(tmp_path) == ["pages/bad.py:1: delete_project", "pages/worse.py:1: delete_project"]


def test_without_accounts_a_typed_name_may_do_everything(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db") as store:
        assert role_of_person(store, "anybody") == "owner"
        require_role(store, "", "owner", "do anything")
