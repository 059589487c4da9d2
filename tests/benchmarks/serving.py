"""How many texts a second `re2nn serve` predicts, and how long single texts take, against a plain loop over `predict`.

    python tests/benchmarks/serving.py [MODEL] [--seconds 10] [--workers 1] [--json FILE]

Without MODEL the network of ATIS is trained for a few epochs first. Server, clients and loop share the machine. Clients
send texts of ATIS: 8 of them lists of 32 texts, then 8 of them single texts, then one client single texts.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import published

import re2nn_core as re2nn
from re2nn_core.api.classification import LabelModel
from re2nn_core.api.models import Model

CLIENTS, TOGETHER = 8, 32
HERE = Path(__file__).resolve().parents[2]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    system, corpus = published.load("atis")
    texts = list(corpus.texts)
    with tempfile.TemporaryDirectory() as folder:
        model = chosen.model or Path(folder) / "atis"
        if chosen.model is None:
            re2nn.train(LabelModel(system), corpus, folder=model, epochs=5)
        loaded = re2nn.load(model)
        expected = loaded.predict(texts[:TOGETHER])
        figures = [looped(loaded, texts, size, chosen.seconds) for size in (1, TOGETHER)]
        port = free_port()
        server = start(model, port, chosen.workers)
        try:
            served = ask(connected(port), texts[:TOGETHER])
            assert [one["label"] for one in served] == expected, "the server predicts something else"
            ask_together(port, texts, CLIENTS, TOGETHER, 2.0)  # warm
            for clients, size in ((CLIENTS, TOGETHER), (CLIENTS, 1), (1, 1)):
                taken = ask_together(port, texts, clients, size, chosen.seconds)
                figures.append(report(clients, size, taken, chosen.seconds))
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(60)
    if chosen.json is not None:
        known = {"cores": os.cpu_count(), "load": os.getloadavg()[0], "workers": chosen.workers}
        chosen.json.write_text(json.dumps({**known, "figures": figures}, indent=1) + "\n", encoding="utf-8")


def looped(model: Model, texts: Sequence[str], size: int, seconds: float) -> dict[str, float]:
    """One line, and the same as values."""
    reached = loop(model, texts, size, seconds)
    print(f"plain loop over predict, {size} texts each: {reached:,.0f} texts/s", flush=True)
    return {"clients": 0, "together": size, "texts_per_second": round(reached)}


def loop(model: Model, texts: Sequence[str], size: int, seconds: float) -> float:
    """Texts a second of a plain loop."""
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        begin = done % (len(texts) - size)
        model.predict(texts[begin : begin + size])
        done += size
    return done / (time.perf_counter() - began)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(model: Path, port: int, workers: int) -> subprocess.Popen[bytes]:
    """A server that answers."""
    code = "from re2nn_core.cli import main; main()"
    command = [sys.executable, "-c", code, "serve", "--model", str(model), "--port", str(port)]
    server = subprocess.Popen(
        [*command, "--workers", str(workers)], env={**os.environ, "PYTHONPATH": str(HERE)}, stdout=subprocess.DEVNULL
    )
    for _ in range(600):
        if server.poll() is not None:
            break
        try:
            connected(port)
        except OSError:
            time.sleep(0.1)
        else:
            return server
    raise SystemExit("the server did not start")


def connected(port: int) -> http.client.HTTPConnection:
    """A connection that stays open. OSError."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def ask(connection: http.client.HTTPConnection, texts: Sequence[str]) -> list[dict[str, object]]:
    """The predictions for texts."""
    connection.request("POST", "/v1/predict", json.dumps({"texts": list(texts)}))
    response = connection.getresponse()
    body = response.read()
    assert response.status == 200, body
    found: list[dict[str, object]] = json.loads(body)["predictions"]
    return found


def ask_together(port: int, texts: Sequence[str], clients: int, size: int, seconds: float) -> list[float]:
    """Seconds of each request, of clients that ask again as soon as they are answered."""
    taken: list[float] = []
    until = time.perf_counter() + seconds

    def client(number: int) -> None:
        connection, place = connected(port), number * 97
        while time.perf_counter() < until:
            begin = place % (len(texts) - size)
            place += size
            began = time.perf_counter()
            ask(connection, texts[begin : begin + size])
            taken.append(time.perf_counter() - began)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return taken


def report(clients: int, size: int, taken: list[float], seconds: float) -> dict[str, float]:
    """One line, and the same as values."""
    taken.sort()
    half, most = (taken[int(share * (len(taken) - 1))] * 1000 for share in (0.5, 0.99))
    reached = len(taken) * size / seconds
    print(
        f"{clients} clients, {size} texts each: {reached:,.0f} texts/s; "
        f"p50 {half:.1f} ms, p99 {most:.1f} ms of {len(taken):,} requests",
        flush=True,
    )
    shares = {"p50_ms": round(half, 1), "p99_ms": round(most, 1), "requests": len(taken)}
    return {"clients": clients, "together": size, "texts_per_second": round(reached), **shares}


if __name__ == "__main__":
    main()
