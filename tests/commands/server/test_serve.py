"""re2nn serve: what is refused before anything listens, a server that answers, and one that ends what it began."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from support.command_line import RULES, Call

import re2nn_core as re2nn_api

ROOT = Path(__file__).resolve().parents[3]
EVERY = "0.0.0.0"  # noqa: S104 - what a token is needed for


@pytest.fixture
def model(tmp_path: Path) -> Path:
    re2nn_api.compile(RULES).save(tmp_path / "model")
    return tmp_path / "model"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Neither a model nor rules were given. Write --model DIR, or --rules FILE."),
        (
            ("--model", "x=MODEL", "--model", "x=MODEL"),
            "Two models are called 'x'. Give each a name: --model NAME=DIR.",
        ),
        (("--model", "=MODEL"), "a folder, or NAME=FOLDER, is expected."),
        (("--model", "MODEL", "--logic", "MODEL"), "--logic, --tokenizer and --no-lowercase belong to rules"),
        (("--model", "MODEL", "--address", EVERY), "so requests must have a token. Nothing was started."),
        (("--model", "MODEL", "--token-file", "MODEL"), "the token cannot be read."),
        (
            ("--model", "MODEL", "--token-file", "gone"),
            "gone: the token cannot be read. No such file or directory.",
        ),
        (("--model", "MODEL", "--address", "127.0.0.1.nowhere"), "There is no address '127.0.0.1.nowhere': "),
        (("--model", "nowhere"), "nowhere is not a model folder: there is no such folder."),
        (("--rules", "nowhere.txt"), "nowhere.txt"),
    ],
)
def test_what_cannot_be_served_is_refused(
    re2nn: Call, model: Path, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RE2NN_SERVE_TOKEN", raising=False)
    given = [argument.replace("MODEL", str(model)) for argument in arguments]
    outcome = re2nn("serve", *given, "--port", str(free_port()))
    assert outcome.code == 2
    assert message in outcome.err


def test_a_port_that_is_taken_is_refused(re2nn: Call, model: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        outcome = re2nn("serve", "--model", model, "--port", str(port))
    assert outcome.code == 2
    assert f"Port {port} of 127.0.0.1 cannot be used: Address already in use. Choose another --port." in outcome.err


def test_an_address_of_another_machine_is_refused(re2nn: Call, model: Path, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a-token-of-many-letters", encoding="utf-8")
    given = ("serve", "--model", model, "--token-file", tmp_path / "token", "--port", str(free_port()))
    outcome = re2nn(*given, "--address", "192.0.2.1")  # an address for documentation, which no machine has
    assert outcome.code == 2
    assert "192.0.2.1 is no address of this machine. Choose another --address." in outcome.err


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(*arguments: str | Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server in a process of its own, that answers."""
    port = free_port()
    command = [sys.executable, "-c", "from re2nn_core.cli import main; main()", "serve", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [*command, "--port", str(port)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        until = time.monotonic() + 60
        while True:
            try:
                get(port, "/healthz")
                break
            except OSError:
                assert process.poll() is None, process.communicate()
                assert time.monotonic() < until
                time.sleep(0.1)
        yield process, port
    finally:
        process.kill()  # its workers see that it is gone
        process.communicate(timeout=60)


def get(port: int, path: str, body: str | None = None) -> str:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET" if body is None else "POST", path, body)
        return connection.getresponse().read().decode()


def test_a_server_ends_what_it_began_and_leaves_nothing(model: Path, tmp_path: Path) -> None:
    with served("--model", model) as (process, port):
        texts = json.dumps({"texts": ["flights to rome", "how much is it"] * 400})
        found: list[str] = []
        asking = threading.Thread(target=lambda: found.append(get(port, "/v1/predict", texts)))
        asking.start()
        time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        asking.join(30)
        out, err = process.communicate(timeout=30)
    assert [one["label"] for one in json.loads(found[0])["predictions"]] == ["flight", "fare"] * 400
    assert out == f"http://127.0.0.1:{port}  (Ctrl+C stops it)\n"
    assert "Traceback" not in err


def test_several_workers_answer_and_count_together(model: Path) -> None:
    with served("--model", model, "--workers", "2") as (_, port):
        for _ in range(20):
            assert json.loads(get(port, "/v1/predict", '{"text": "flights"}'))["prediction"]["label"] == "flight"
        until = time.monotonic() + 30
        while f're2nn_texts_total{{model="model"}} {20}' not in (text := get(port, "/metrics")):
            assert time.monotonic() < until, text
            time.sleep(0.2)
