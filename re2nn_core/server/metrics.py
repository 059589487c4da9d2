"""Counts in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).

Each worker process counts for itself and writes its counts into a folder that they share once a second, so that any of
them reports the sums.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from re2nn_core.files import write_whole

_ENDED_AFTER = 60.0  # seconds without counts from a worker, which writes them each second unless it loads a model
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_HELP = {
    "re2nn_requests_total": ("counter", "Requests by path and status."),
    "re2nn_request_seconds": ("histogram", "Seconds that a request takes."),
    "re2nn_texts_total": ("counter", "Texts predicted, by model."),
    "re2nn_batches_total": ("counter", "Batches predicted."),
    "re2nn_batch_texts_total": ("counter", "Texts in these batches."),
    "re2nn_waiting_texts": ("gauge", "Texts that wait to be predicted."),
    "re2nn_workers": ("gauge", "Worker processes."),
}
_OF_NOW = tuple(name for name, (kind, _) in _HELP.items() if kind == "gauge")


class Metrics:
    """The counts of this process, and how the sums read. A series is `name{labels}`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.counts = folder, Counter[str]()
        self.waiting = 0

    def request(self, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        self.counts[f're2nn_requests_total{{path="{path}",status="{status}"}}'] += 1
        self.counts["re2nn_request_seconds_sum"] += seconds  # type: ignore[assignment]  # a float among counts
        self.counts["re2nn_request_seconds_count"] += 1
        for bound in _BUCKETS:
            self.counts[f're2nn_request_seconds_bucket{{le="{bound}"}}'] += seconds <= bound

    def batch(self, texts: int, waiting: int) -> None:
        """Count a batch."""
        self.waiting = waiting
        self.counts["re2nn_batches_total"] += 1
        self.counts["re2nn_batch_texts_total"] += texts

    def texts(self, model: str, count: int) -> None:
        """Count texts that a model predicted."""
        escaped = model.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
        self.counts[f're2nn_texts_total{{model="{escaped}"}}'] += count

    def write(self) -> None:
        """Let the other workers know."""
        content = json.dumps({**self.counts, "re2nn_waiting_texts": self.waiting, "re2nn_workers": 1})
        write_whole(self.folder / f"{os.getpid()}.json", content)

    def text(self) -> str:
        """The sums over all workers."""
        self.write()
        total = Counter[str]()
        for path in sorted(self.folder.glob("*.json")):
            counts = json.loads(path.read_text(encoding="utf-8"))
            if time.time() - path.stat().st_mtime > _ENDED_AFTER:  # what a worker has counted stays when it ends
                counts = {series: count for series, count in counts.items() if series not in _OF_NOW}
            total.update(counts)
        total['re2nn_request_seconds_bucket{le="+Inf"}'] = total["re2nn_request_seconds_count"]
        return "".join(line + "\n" for line in _lines(total))


def _lines(total: Counter[str]) -> Iterator[str]:
    for name, (kind, meaning) in _HELP.items():
        own = [series for series in total if series.partition("{")[0].startswith(name)]
        yield f"# HELP {name} {meaning}"
        yield f"# TYPE {name} {kind}"
        yield from (f"{series} {total[series]}" for series in own)
