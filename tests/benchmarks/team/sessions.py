"""Twenty-five people with the page Label open at one server, over one queue.

    python tests/benchmarks/team/sessions.py [--sessions 25] [--texts 100000] [--clicks 10] [--think 5] [--database URL]

The application runs as its users start it. Each session is a websocket that speaks the browser's own protocol, without
drawing: it opens the page, presses Enter on the text that it got, and waits for the page's whole answer, again and
again with a pause for thinking. Printed as JSON: how long answers took, what each cost the server's processor (which
tells more than the time on a busy machine), and what the store holds afterwards. Exit code 1 where a label was lost or
given twice, or the 95th percentile is above the target. Without --database: a new SQLite file.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.asyncio.client import ClientConnection, connect

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1]), str(HERE.parents[2])]

from support.app.served import served_process
from synthetic import made_up_words, rule_file, texts

from re2nn_core.store import (
    DATABASE_VARIABLE,
    ProjectRecord,
    Store,
    create_project,
    given_annotations,
    open_queue,
    open_store,
    texts_of,
)
from re2nn_core.store.engine.addresses import DATABASE_NAME
from re2nn_core.text.corpus import Corpus, Example

TARGET_MS = 300.0
WORDS, RULES = 2_000, 60
PATIENCE = 600.0  # seconds for the first page, which answers all texts
ACCEPT = "label_accept_"


@dataclass
class Session:
    """One person's window: what it shows, and how long its answers took."""

    name: str
    project_id: int
    connection: ClientConnection
    buttons: dict[str, tuple[str, str]] = field(default_factory=dict)  # key -> (widget, fragment)
    seconds: list[float] = field(default_factory=list)
    said: list[int] = field(default_factory=list)
    received: int = 0

    async def open(self) -> None:
        """Load the page; its time does not count."""
        await self._ask(BackMsg())
        await self._predicted()

    async def label(self, most: int, think: float) -> None:
        """Press Enter on each text that comes."""
        for _ in range(most):
            await asyncio.sleep(random.uniform(0, 2 * think))
            key = next((key for key in self.buttons if key.startswith(ACCEPT)), None)
            if key is None:
                return
            widget, fragment = self.buttons[key]
            message = BackMsg()
            pressed = WidgetState(id=widget, trigger_value=True)
            message.rerun_script.widget_states.CopyFrom(WidgetStates(widgets=[pressed]))
            message.rerun_script.fragment_id = fragment
            begun = time.perf_counter()
            await self._ask(message)
            await self._predicted()
            self.seconds.append(time.perf_counter() - begun)
            self.said.append(int(key.removeprefix(ACCEPT)))

    async def _ask(self, message: BackMsg) -> None:
        message.rerun_script.page_name = "label"
        message.rerun_script.query_string = f"project={self.project_id}&person={self.name}"
        await self.connection.send(message.SerializeToString())

    async def _predicted(self) -> None:
        """Read until the run is over; the buttons that it drew are those of the page now."""
        drawn: dict[str, tuple[str, str]] = {}
        while True:
            data = await asyncio.wait_for(self.connection.recv(decode=False), PATIENCE)
            self.received += len(data)
            message = ForwardMsg()
            message.ParseFromString(data)
            kind = message.WhichOneof("type")
            if kind == "delta" and message.delta.new_element.HasField("button"):
                widget = message.delta.new_element.button.id
                drawn[widget.rsplit("-", 1)[-1]] = (widget, message.delta.fragment_id)
            elif kind == "script_finished" and drawn:
                self.buttons = drawn
                return


async def work(address: str, project: ProjectRecord, sessions: int, clicks: int, think: float) -> list[Session]:
    """All sessions at once."""
    socket = address.replace("http://", "ws://") + "/_stcore/stream"
    opened = []
    for number in range(sessions):
        connection = await connect(socket, subprotocols=["streamlit"], origin=address, max_size=None, open_timeout=60)  # type: ignore[list-item, arg-type]
        opened.append(Session(f"person {number}", project.id, connection))
        await opened[-1].open()
    began = processor_seconds()
    await asyncio.gather(*(session.label(clicks, think) for session in opened))
    SPENT.append(processor_seconds() - began)
    for session in opened:
        await session.connection.close()
    return opened


SERVER: list[int] = []
SPENT: list[float] = []


def processor_seconds() -> float:
    """What the server has had of the processor so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{SERVER[0]}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def made_project(store: Store, count: int, overlap: int) -> ProjectRecord:
    """Texts and rules that somebody made up, and a queue of all of them."""
    words = made_up_words(WORDS)
    project = create_project(
        store,
        name="Sessions",
        examples=Corpus(tuple(Example(text) for text in texts(count, words))),
        rules_text=rule_file(RULES, words),
        logic_text='default = "label0"\n',
        author="benchmark",
    )
    open_queue(store, project.id, [text.id for text in texts_of(store, project.id)], overlap=overlap)
    return project


def figures(store: Store, project: ProjectRecord, done: list[Session], overlap: int) -> dict[str, Any]:
    """What is printed."""
    held = given_annotations(store, project.id)
    seconds = [one for session in done for one in session.seconds]
    people = Counter(text_id for session in done for text_id in session.said)
    p50, p95 = (1000 * np.percentile(seconds, [50, 95])).tolist() if seconds else (0.0, 0.0)
    return {
        "sessions": len(done),
        "answers": len(seconds),
        "lost": sum(session.name not in held.get(text, {}) for session in done for text in session.said),
        "double": sum(count > overlap for count in people.values()),
        "p50_ms": round(p50, 1),
        "p95_ms": round(p95, 1),
        "processor_ms": round(1000 * SPENT[0] / max(1, len(seconds)), 1),
        "kilobytes": round(sum(session.received for session in done) / 1000 / max(1, len(seconds)), 1),
        "target_ms": TARGET_MS,
        "load": os.getloadavg()[0],
    }


@click.command()
@click.option("--sessions", default=25, show_default=True)
@click.option("--texts", "count", default=100_000, show_default=True)
@click.option("--clicks", default=10, show_default=True, help="Labels of each session.")
@click.option("--think", default=5.0, show_default=True, help="Seconds between two labels, on average.")
@click.option("--overlap", default=1, show_default=True)
@click.option("--database", help="An empty database; a new SQLite file where it is left out.")
def main(sessions: int, count: int, clicks: int, think: float, overlap: int, database: str | None) -> None:
    """Print the figures as JSON."""
    if database:
        os.environ[DATABASE_VARIABLE] = database  # the server reads it
    with tempfile.TemporaryDirectory() as folder, open_store(database or str(Path(folder) / DATABASE_NAME)) as store:
        project = made_project(store, count, overlap)
        with served_process(Path(folder)) as (address, process):
            SERVER.append(process.pid)
            done = asyncio.run(work(address, project, sessions, clicks, think))
        found = figures(store, project, done, overlap)
    click.echo(json.dumps({"texts": count, "think_s": think, **found}))
    sys.exit(0 if not (found["lost"] or found["double"]) and found["p95_ms"] <= TARGET_MS else 1)


if __name__ == "__main__":
    main()
