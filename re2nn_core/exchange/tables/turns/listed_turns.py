"""Turns of conversations with their roles, {"role": "user", "content": ...}: the first one of the user, of the
assistant and of the system, whatever these are called in a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

USER = "first_user"
_ASSISTANT, _SYSTEM = "first_assistant", "first_system"
ROLES = frozenset(("user", "assistant", "system"))
FIRST_TURNS = (USER, _ASSISTANT, _SYSTEM)
_MOST_ROLES = 6
_HUMAN = "human"
_FEWEST = 2  # roles of turns whose key may mean something else
_USERS = frozenset(
    (
        *("user", "human", "customer", "client", "end-user", "enduser", "end user", "usr", "caller", "requester"),
        *("visitor", "guest", "prompter", "consumer", "contact", "buyer", "patient", "inbound", "incoming", "received"),
        *("kunde", "kundin", "nutzer", "benutzer", "cliente", "usuario", "usuário", "utilisateur", "utente", "klant"),
    )
)
_ASSISTANTS = frozenset(
    (
        *("assistant", "gpt", "chatgpt", "bot", "chatbot", "agent", "ai", "model", "support", "operator", "admin"),
        *("staff", "representative", "rep", "advisor", "tool", "function", "outbound", "outgoing", "sent"),
        *("assistent", "agente", "asistente", "mitarbeiter", "conseiller", "operatore", "medewerker"),
    )
)
_ROLES = {
    **dict.fromkeys(_USERS, USER),
    **dict.fromkeys(_ASSISTANTS, _ASSISTANT),
    **dict.fromkeys(("system", "developer"), _SYSTEM),
}
# Keys of roles, in lower case and without signs between words; an object under one has it under the second ones.
_KEYS = frozenset(
    (
        *("role", "from", "speaker", "sender", "author", "participant", "who", "actor", "direction", "origin"),
        *("authortype", "sendertype", "speakertype", "participanttype", "authorrole", "senderrole", "usertype"),
        *("rolle", "sprecher", "absender"),
    )
)
_INNER_KEYS = ("role", "type", "kind")
_BY_USER = frozenset(("incoming", "inbound", "isuser", "fromuser", "iscustomer", "fromcustomer"))


def first_turns(value: object) -> list[tuple[str, object]]:
    """Of a list of turns the first one of each role by its name, `first_user`, without the key that names the role;
    empty for all else. Of turns that have their roles as keys, {"user": "hello", "bot": "hi"}, what is under these."""
    if not isinstance(value, list) or not value or not all(map(_is_object, value)):
        return []
    found: dict[str, object] = {}
    turns = [dict(_pairs(turn)) for turn in value]
    typed = _have_types(turns)
    for turn in turns:
        for role, content in _by_role(turn, typed=typed):
            if role not in found or _is_blank(found[role]):
                found[role] = content
    return [(role, found[role]) for role in FIRST_TURNS if role in found]


def role_of(name: str) -> str | None:
    """What the first turn of a speaker of this name is called: `first_user`; None for all other names."""
    return _ROLES.get(name.strip().casefold())


def is_user(name: str) -> bool:
    """True for a name of the user, customer."""
    return role_of(name) == USER


def is_assistant(name: str) -> bool:
    """True for a name of who answers the user, bot."""
    return role_of(name) == _ASSISTANT


def turn_roles_in_words(name: str, values: Sequence[str]) -> str:
    """The distinct values of a column, "agent, user", where they are roles of speakers, a user and another one; else
    empty. Where it is not called like one of speakers, human and model may say who labelled a text."""
    if _HUMAN in values and name.strip().casefold().replace("_", "").replace(" ", "") not in _KEYS:
        return ""
    roles = {_ROLES.get(value.strip().casefold()) for value in values} if 1 < len(values) <= _MOST_ROLES else set()
    return ", ".join(sorted(values)) if USER in roles and None not in roles and len(roles) > 1 else ""


def turn_of(path: str) -> tuple[str, str] | None:
    """The part of a path up to the name of a first turn, with the role: ("messages.first_user", "user"); None where it
    names none."""
    parts = path.split(".")
    place = next((place for place, part in enumerate(parts) if part in FIRST_TURNS), None)
    return None if not place else (".".join(parts[: place + 1]), parts[place].removeprefix("first_"))


def _by_role(turn: Mapping[str, Any], *, typed: bool) -> Iterable[tuple[str, object]]:
    """The role of a turn, and what else it holds; nothing where the role is not known."""
    for key, inner in turn.items():
        name = key.casefold().replace("_", "").replace("-", "")
        role = _role(name, inner, typed=typed)
        if role is not None:
            return [(role, {other: _joined(value) for other, value in turn.items() if other != key})]
    by_key = [(_ROLES.get(key.casefold()), inner) for key, inner in turn.items() if isinstance(inner, str)]
    named = [(role, content) for role, content in by_key if role is not None]
    return named if len({role for role, _ in named}) >= _FEWEST else ()


def _is_blank(content: object) -> bool:
    """True where a turn holds no words."""
    values = [value for _, value in _pairs(content)] if _is_object(content) else [content]
    return all(value is None or (isinstance(value, str) and not value.strip()) for value in values)


def _joined(value: object) -> object:
    """The texts of content in parts, [{"type": "text", "text": ...}, {"type": "image_url"}], as one; all else as it
    is."""
    parts = [dict(_pairs(part)) for part in value] if isinstance(value, list) and all(map(_is_object, value)) else []
    texts = [part["text"] for part in parts if part.get("type") == "text" and isinstance(part.get("text"), str)]
    return " ".join(texts) if texts else value


def _role(name: str, value: object, *, typed: bool) -> str | None:
    if isinstance(value, bool):
        return (_ASSISTANT, USER)[value] if name in _BY_USER else None
    if name not in _KEYS and not (typed and name == "type"):
        return None
    if isinstance(value, str):
        return _ROLES.get(value.strip().casefold().replace("_", "-"))
    inner = {key.casefold(): content for key, content in _pairs(value) if isinstance(content, str)}
    return next((_ROLES[content] for key in _INNER_KEYS if (content := inner.get(key, "").casefold()) in _ROLES), None)


def _have_types(turns: list[dict[str, Any]]) -> bool:
    """True where the types of all turns are roles, several of them: the types of other things, as of named entities,
    are none."""
    types = {str(turn.get("type")).casefold() for turn in turns}
    return types <= {"human", "ai"} or (types <= _ROLES.keys() and len(types) >= _FEWEST)


def _is_object(value: object) -> bool:
    return isinstance(value, Mapping | tuple)


def _pairs(value: object) -> Iterable[tuple[str, Any]]:
    return value.items() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
