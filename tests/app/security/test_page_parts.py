"""Each part of a page that runs alone asks whether what the page was drawn for still holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest
from support.app.app_studio import ROOT
from support.app.page_parts import bare_uses, every_part, files, parts

from pages._shared.session import permission
from pages._shared.session.permission import Permission
from re2nn_core.errors import ConflictError
from re2nn_core.services.team import accounts
from re2nn_core.services.team import sign_in as signing
from re2nn_core.services.team.people import AT_THE_MACHINE, check_role
from re2nn_core.store import ProjectRecord, Store, close_queue, open_queue, texts_of

PEOPLE = {"Ann": "owner", "Bob": "annotator", "Eve": "reviewer"}


def test_no_page_uses_what_does_not_ask() -> None:
    found = [use for file in files() for use in bare_uses(file.read_text("utf-8"), str(file.relative_to(ROOT)))]
    assert found == []


@pytest.mark.parametrize(
    "planted",
    [
        "import streamlit as st\n@st.fragment\ndef part(): ...",
        "import streamlit as st\nst.fragment(print, run_every=1)()",
        "from streamlit import fragment as part",
        "import streamlit as st\nrow = st.container()\nrow.download_button('a', b'')",
        "import streamlit as st\ngetattr(st, 'dialog')('Help')(print)",
    ],
)
def test_what_does_not_ask_is_found(planted: str) -> None:
    assert bare_uses(planted, "pages/planted.py") != []


def test_the_parts_are_listed() -> None:
    found = every_part()
    kinds = {kind: [part for part in found if part.kind == kind] for kind in ("fragment", "dialog", "download")}
    assert len(kinds["fragment"]) >= 22
    assert len(kinds["dialog"]) >= 2
    assert len(kinds["download"]) >= 14
    assert [part.what for part in parts("@fragment()\ndef f(): ...\nfragment(run_every=1)(g)()", "x")] == ["f", "g"]


@pytest.fixture
def signed_in(store: Store) -> Callable[[str, ProjectRecord], Permission]:
    """What a page was drawn for, for one of the people who have accounts."""
    passwords = {
        name: accounts.add_person(store, name, role, person=AT_THE_MACHINE).password for name, role in PEOPLE.items()
    }

    def drawn_for(name: str, project: ProjectRecord) -> Permission:
        opened = signing.sign_in(store, name, passwords[name] or "")
        role = check_role(PEOPLE[name])
        return Permission(name, opened.sign_in.id, role, project.id)

    return drawn_for


def blind(store: Store, project: ProjectRecord) -> None:
    open_queue(store, project.id, [one.id for one in texts_of(store, project.id)], overlap=2, blind=True, person="Ann")


CHANGES: dict[str, tuple[str, Callable[[Store, Permission, ProjectRecord], object], bool]] = {
    "nothing": ("Bob", lambda store, was, project: None, True),
    "signed out in another tab": ("Bob", lambda store, was, project: signing.sign_out(store, was.sign_in or 0), False),
    "removed": ("Bob", lambda store, was, project: accounts.remove_person(store, "Bob", person="Ann"), False),
    "another password": ("Bob", lambda store, was, project: accounts.new_password(store, "Bob", person="Ann"), False),
    "a reviewer no more": (
        "Eve", lambda store, was, project: accounts.change_role(store, "Eve", "annotator", person="Ann"), False,
    ),
    "a reviewer now": (
        "Bob", lambda store, was, project: accounts.change_role(store, "Bob", "reviewer", person="Ann"), False,
    ),
    "a queue that is blind": ("Bob", lambda store, was, project: blind(store, project), False),
    "the same for a reviewer": ("Eve", lambda store, was, project: blind(store, project), True),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_page_was_drawn_for_holds_until_it_changes(
    store: Store, project: ProjectRecord, signed_in: Callable[[str, ProjectRecord], Permission], change: str
) -> None:
    name, happens, stays = CHANGES[change]
    was = signed_in(name, project)
    assert permission.holds(was)
    happens(store, was, project)
    assert permission.holds(was) == stays


def test_who_was_blind_sees_again_when_the_queue_is_closed(
    store: Store, project: ProjectRecord, signed_in: Callable[[str, ProjectRecord], Permission]
) -> None:
    was = signed_in("Bob", project)
    blind(store, project)
    was = Permission(was.person, was.sign_in, was.role, was.project_id, sees=False)
    assert permission.holds(was)
    close_queue(store, project.id, person="Ann")
    assert not permission.holds(was)


def test_the_first_account_shuts_pages_that_nobody_signed_in_for(store: Store) -> None:
    assert permission.holds(Permission())
    accounts.add_person(store, "Ann", "owner", person=AT_THE_MACHINE)
    assert not permission.holds(Permission())


def _page() -> None:
    import streamlit as st

    from pages._shared.session.fragments import fragment

    @fragment()
    def part() -> None:
        st.write("labels of others")

    part()
    st.write("behind")


def test_a_part_draws_nothing_when_it_holds_no_more(home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([True, False, True])
    monkeypatch.setattr(permission, "holds", lambda was: next(answers))
    test = AppTest.from_function(_page)
    assert [one.value for one in test.run().markdown] == ["labels of others", "behind"]
    # The second run begins anew as a whole, and is asked again.
    assert [one.value for one in test.run().markdown] == ["labels of others", "behind"]
    assert next(answers, None) is None


def test_a_part_draws_nothing_while_the_database_is_away(home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(was: Permission) -> bool:
        raise ConflictError("The database is not there.")

    monkeypatch.setattr(permission, "holds", away)
    test = AppTest.from_function(_page).run()
    assert [one.value for one in test.markdown] == ["behind"]
    assert "The database is not there" in "".join(box.value for box in [*test.error, *test.warning])
