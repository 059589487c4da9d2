"""The topic about sign-in names every address of the server, every reason why a session ended, and every variable."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from pages._shared.server.doors import DOORS, REST, Door
from re2nn_core.guide.contents import find_topic
from re2nn_core.services.team import sign_in

ROOT = Path(__file__).resolve().parents[2]
TEXT = find_topic("sign-in").text
_INTERNAL = {"RE2NN_PLAIN_EDITOR", "RE2NN_SERVE_SETTINGS"}  # of the tests; of a server to its processes


@pytest.mark.parametrize("door", [door for door in DOORS if door.path not in (REST, "/component/*")])
def test_every_address_is_named(door: Door) -> None:
    row = next(line for line in TEXT.splitlines() if line.startswith("|") and f"{door.path.removesuffix('*')}`" in line)
    if door.asks == "closed":
        assert "| closed |" in row
    elif door.path != "/_stcore/stream":
        assert ("session cookie" in row) == (door.asks == "sign-in")


def test_every_reason_why_a_session_ended_is_explained() -> None:
    reasons = re.findall(r'return f?"([^"]+)"', inspect.getsource(sign_in.why_ended))
    assert len(reasons) == 4
    assert [one for one in reasons if one.replace("{LASTS.days}", str(sign_in.LASTS.days)) not in TEXT] == []


def test_every_environment_variable_is_explained() -> None:
    sources = [*(ROOT / "re2nn_core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    used = {name for path in sources for name in re.findall(r"\"(RE2NN_[A-Z_]+)\"", path.read_text(encoding="utf-8"))}
    assert len(used) >= 4
    assert {name for name in used - _INTERNAL if f"| `{name}` |" not in TEXT} == set()
