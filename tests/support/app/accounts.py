"""People with accounts, who sign in in Chromium."""

from __future__ import annotations

from support.app.served import sync_api

from re2nn_core.services.team.accounts import add_person
from re2nn_core.services.team.people import AT_THE_MACHINE
from re2nn_core.store import Store


def new_person(store: Store, name: str, role: str) -> str:
    """Make an account; its password."""
    password = add_person(store, name, role, person=AT_THE_MACHINE).password
    assert password is not None
    return password


def sign_in(page: sync_api.Page, name: str, password: str) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()


def signed_in(page: sync_api.Page, name: str) -> sync_api.Locator:
    """The name in the bar."""
    return page.locator(".st-key-re2_bar").get_by_role("button", name=name)
