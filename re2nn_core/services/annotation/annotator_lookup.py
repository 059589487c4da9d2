"""People for whom texts may be laid aside: who is known here, and what is said of a name that is not."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from re2nn_core.services.team.people import AT_THE_MACHINE
from re2nn_core.store import Store, has_accounts, list_accounts, people_in_log
from re2nn_core.text.joined_names import first_names, join_names


def known_people(store: Store) -> tuple[str, ...]:
    """Who can work here, by name: whoever has an account that is not shut; where nobody has one, everybody who has ever
    done anything in any project."""
    accounts = list_accounts(store)
    if accounts:
        return tuple(account.name for account in accounts if account.active)
    return tuple(name for name in people_in_log(store) if name != AT_THE_MACHINE)


def unknown_annotators_message(store: Store, unknown: Sequence[str], known: Sequence[str], *, newcomers: bool) -> str:
    """Why texts are not assigned to the people who are unknown; empty where there are none, or where that was asked
    for (`newcomers`) and they may come."""
    accounts = bool(unknown) and has_accounts(store)
    if not unknown or (newcomers and not accounts):
        return ""
    meant = dict.fromkeys(near for name in unknown for near in get_close_matches(name, known, 1))
    did_you = f" Did you mean {join_names(tuple(meant), last='or')}?" if meant else ""
    state = "has an account" if accounts else "has been here yet"
    way = "ask an owner to add them on Team, People" if accounts else "allow new annotators"
    return (
        f"Nobody called {join_names(unknown, last='or')} {state}, so their texts would never be annotated. "
        f"{'Accounts here' if accounts else 'Known here'}: {first_names(known) or 'nobody'}.{did_you} "
        f"Correct the name, or {way}."
    )
