"""Texts that are shared out by name to somebody who cannot come any more: who, how many, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.services.team.people import reaches, role_of_person
from re2nn_core.store import Store, has_accounts, list_accounts, waiting_everywhere, waiting_for
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names

WHAT_TO_DO = "On Label, Team queue, name other annotators under “Assign to” and open the queue again"


def removed_with_texts(store: Store, project_id: int) -> dict[str, int]:
    """For whom annotations of a project's queue wait though they have no account: name -> how many. Nobody where nobody
    has an account, since then a typed name is enough."""
    if not has_accounts(store):
        return {}
    there = {account.name for account in list_accounts(store) if account.active}
    counts = waiting_for(store, project_id)
    return {name: count for name, count in counts.items() if name and name not in there}


def removed_members_message(removed: dict[str, int]) -> str:
    """What is said of them where the queue's figures stand; empty where there are none."""
    if not removed:
        return ""
    count, names = sum(removed.values()), tuple(removed)
    return (
        f"{counted(count, 'annotation is', 'annotations are')} assigned to {join_names(names)}, who "
        f"{'has' if len(names) == 1 else 'have'} no account: nobody else gets these texts. {WHAT_TO_DO}."
    )


def waits_for(store: Store, name: str) -> tuple[tuple[str, int], ...]:
    """What is shared out to a person and not annotated: project, by name, and how many texts."""
    return waiting_everywhere(store, name)


def waiting_texts_message(name: str, waiting: Sequence[tuple[str, int]]) -> str:
    """What becomes of the texts that are shared out to somebody who is let in no more; empty where there are none."""
    if not waiting:
        return ""
    where = [f"{counted(count, 'text')} of {project}" for project, count in waiting]
    one = len(where) == 1 and waiting[0][1] == 1
    return (
        f"{join_names(tuple(where))} {'is' if one else 'are'} assigned to {name}: nobody else gets "
        f"{'it' if one else 'them'}. {WHAT_TO_DO}."
    )


def who_can_help(store: Store, person: str) -> str:
    """Who can lay a queue out anew, for somebody who has nothing left in it, as a sentence."""
    if reaches(role_of_person(store, person), "reviewer"):
        return f"{WHAT_TO_DO}."
    names = [
        one.name for one in list_accounts(store) if one.active and reaches(role_of_person(store, one.name), "reviewer")
    ]
    return f"For more texts ask a reviewer or an owner ({', '.join(names)}) to open the queue again."
