"""Signing in at an OpenID Connect provider, in Chromium, by Streamlit's own st.login."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app.oidc_provider import Provider, provider, secrets
from support.app.served import free_port, in_chromium, opened_page, picture, served, sync_api

from re2nn_core.services.team.accounts import add_person
from re2nn_core.services.team.people import AT_THE_MACHINE
from re2nn_core.store import open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytest.importorskip("authlib", reason="the extra oidc is not installed")
pytestmark = in_chromium
WAY_IN = "Sign in with your organization"


@pytest.fixture
def at_work() -> Iterator[Provider]:
    with provider() as made:
        yield made


@pytest.fixture
def address(at_work: Provider, tmp_path: Path) -> Iterator[str]:
    """The application, with one account that the provider knows."""
    with open_store(tmp_path / DATABASE_NAME) as store:
        add_person(store, "Ann", "owner", person=AT_THE_MACHINE)
        add_person(store, "Otto", "annotator", email="Otto@example.org", oidc=True, person=AT_THE_MACHINE)
    port = free_port()
    file = tmp_path / "secrets.toml"
    file.write_text(secrets(at_work, f"http://127.0.0.1:{port}"), encoding="utf-8")
    with served(tmp_path, f"--secrets.files={file}", port=port) as opened:
        yield opened


def come(page: sync_api.Page) -> None:
    page.get_by_role("button", name=WAY_IN).click()


@pytest.mark.long
def test_who_is_vouched_for_and_has_an_account_is_in(at_work: Provider, address: str) -> None:
    with opened_page() as page:
        page.goto(address)
        at_work.claims = {"email": "otto@example.org", "email_verified": True}
        come(page)
        otto = page.locator(".st-key-re2_bar").get_by_role("button", name="Otto")
        otto.wait_for()
        page.reload()
        otto.click()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("button", name=WAY_IN).wait_for()
        for claims, reported in (
            ({"email": "otto@example.org"}, "The provider does not confirm that otto@example.org is verified"),
            ({"email": "eve@example.org", "email_verified": True}, "Nobody has an account with the address eve@"),
        ):
            at_work.claims = claims
            come(page)
            page.get_by_test_id("stAlert").filter(has_text=reported).wait_for()
            picture(page, "refused")
            page.get_by_role("button", name="Sign out").click()
            page.get_by_role("button", name=WAY_IN).wait_for()
