"""How many texts a second `re2nn predict --workers` predicts with two processes against one, and in how much memory.

    python tests/benchmarks/many_texts.py [--texts 200000] [--table] [--model DIR] [--json FILE]

Texts of the sample Flight intents, each with a made-up word, so that no two are the same; the sample's rules, or a
model. With `--table` they are a column of TSV next to one of labels. Start-up is that of the same command for 1,000
texts. Beside the clock stands the processor time of all processes: on a computer that others use, two free cores would
take half of it. Memory is the peak of each process, and what each holds after a quarter, a half, three quarters of the
time and at its end (Linux). A process that matches very many rules loads numba on the way, once.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
SAMPLE = HERE / "sample_projects" / "flight_intents"
FEW, LOOK_SECONDS = 1_000, 0.1
CODE = "from re2nn_core.cli import main; main()"


@dataclass(frozen=True)
class Call:
    """Seconds, processor time of all processes, the peak memory of each, the largest first, and what each of these held
    at each quarter."""

    seconds: float
    processor: float
    megabytes: list[int]
    by_quarters: list[list[int]]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=200_000)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    given = ["--rules", SAMPLE / "rules.txt", "--logic", SAMPLE / "logic.toml", "--tokenizer", "punctuation"]
    if asked.model is not None:
        given = ["--model", asked.model]
    calls: list[tuple[Call, Call]] = []
    with tempfile.TemporaryDirectory() as scratch:
        ending = "tsv" if asked.table else "txt"
        few, many = (write_texts(Path(scratch) / f"{count}.{ending}", count) for count in (FEW, asked.texts))
        for workers in (1, 2):
            start, whole = predict(given, few, workers), predict(given, many, workers)
            calls.append((start, whole))
            print(f"{workers} workers: {whole.seconds:.1f} s, {asked.texts / whole.seconds:,.0f} texts/s")
            print(f"  start-up {start.seconds:.1f} s; processor time {whole.processor:.1f} s, start-up", end=" ")
            print(f"{start.processor:.1f} s; peak memory of each process {whole.megabytes} MB")
            print(f"  memory of each process at each quarter {whole.by_quarters} MB", flush=True)
    (start, whole), (start_of_two, whole_of_two) = calls
    without = (whole.seconds - start.seconds) / (whole_of_two.seconds - start_of_two.seconds)
    within = whole.seconds / whole_of_two.seconds
    print(f"two against one: {within:.2f} times as fast with start-up, {without:.2f} without")
    if asked.json is not None:
        values = [[asdict(one) for one in both] for both in calls]
        asked.json.write_text(json.dumps({"load": os.getloadavg()[0], "calls": values}, indent=1) + "\n")


def write_texts(path: Path, count: int) -> Path:
    """A file of so many texts, a line each; TSV with a label behind each."""
    table = path.suffix == ".tsv"
    chosen = random.Random(5)
    lines = [line.split("\t")[0] for line in (SAMPLE / "texts.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    with path.open("w", encoding="utf-8") as file:
        file.write("text\tlabel\n" if table else "")
        for number in range(count):
            words = lines[number % len(lines)].split()
            made_up = "".join(chosen.choice("bdfgklmnprst") + chosen.choice("aeiou") for _ in range(4))
            words.insert(chosen.randint(0, len(words)), made_up)
            file.write(" ".join(words) + (f"\tlabel {number % 9}\n" if table else "\n"))
    return path


def predict(given: list[object], file: Path, workers: int) -> Call:
    """One call of the command."""
    output = file.with_suffix(".jsonl")
    output.unlink(missing_ok=True)
    command = [sys.executable, "-c", CODE, "predict", *map(str, given), str(file), "-o", str(output)]
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    looks: list[dict[int, tuple[int, int]]] = []
    began, before = time.perf_counter(), os.times()
    with open(os.devnull, "wb") as nothing:
        call = subprocess.Popen([*command, "--workers", str(workers)], env=environment, stdout=nothing, stderr=nothing)
        while call.poll() is None:
            looks.append({process: held for process in family(call.pid) if (held := memory(process))[1]})
            time.sleep(LOOK_SECONDS)
    seconds, after = time.perf_counter() - began, os.times()
    if call.returncode:
        raise SystemExit(f"the command ended with {call.returncode}: {' '.join(command)}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Call(seconds, used, *in_megabytes(looks))


def in_megabytes(looks: list[dict[int, tuple[int, int]]]) -> tuple[list[int], list[list[int]]]:
    """The peak of each process, the largest first, and what each of these held at each quarter of the looks at which
    all of them were there."""
    peaks = {process: peak for look in looks for process, (_, peak) in look.items()}
    order = sorted(peaks, key=lambda process: -peaks[process])
    whole = [look for look in looks if len(look) == max(map(len, looks))]
    quarters = [whole[(len(whole) - 1) * part // 4] for part in range(1, 5)]
    return [peaks[one] for one in order], [[look[one][0] for one in order if one in look] for look in quarters]


def family(process: int) -> list[int]:
    """A process and those that it has started."""
    found = [process]
    for one in found:
        for file in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += map(int, file.read_text().split())
            except OSError:
                continue
    return found


def memory(process: int) -> tuple[int, int]:
    """The megabytes that a process holds, and the most that it has held; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0, 0
    found = {line.split()[0]: int(line.split()[1]) // 1024 for line in lines if line.startswith(("VmRSS:", "VmHWM:"))}
    return found.get("VmRSS:", 0), found.get("VmHWM:", 0)


if __name__ == "__main__":
    main()
