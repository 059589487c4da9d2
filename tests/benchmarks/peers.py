"""Measures matching and compiling beside other programs, on the same rules and sentences, in turns, by CPU time.

    pip install -r tests/benchmarks/peers.txt
    python tests/benchmarks/peers.py                      every rule set; results/peers.json
    python tests/benchmarks/peers.py --output other.json

Rules become patterns by peer_patterns.py (bytes) and peer_token_patterns.py (spaCy's Matcher), and automata of Pynini
by peer_automata.py; a peer whose matches are others than the product's on any sentence stops the measurement.
"Prepared" leaves out what each needs to make of words: codes here, bytes there.
"""

from __future__ import annotations

import gc
import json
import platform
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from benchmarks import synthetic
from benchmarks.measures import TOKENIZATION, compiled, corpus_of, published, rules_text
from benchmarks.peer_automata import states_by_pynini
from benchmarks.peer_patterns import Blanks, pattern
from benchmarks.peer_token_patterns import FIRST, LAST, Token, token_patterns

from re2nn_core.automata.matcher import Matcher
from re2nn_core.automata.word_walk import compiled_walk
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import build_vocabulary

MOST_ONE_BY_ONE = 20_000  # rules times sentences that are left to what tries one rule after the other
Sentences = Sequence[Sequence[str]]
Found = list[list[int]]
Search = Callable[[Sequence[Any]], Found]


@dataclass(frozen=True)
class Peer:
    """How a program is given rules and sentences, and what it searches them with. `slow`: it tries one rule after the
    other, so that it gets fewer sentences of many rules."""

    patterns: Callable[[Sequence[Node]], Sequence[Any]]
    texts: Callable[[Sentences], Sequence[Any]]
    make: Callable[[Sequence[Any]], Search]
    slow: bool = False


def byte_patterns(trees: Sequence[Node]) -> list[str]:
    return [pattern(tree, Blanks()) for tree in trees]


def byte_texts(sentences: Sentences) -> list[bytes]:
    spelling = Blanks()
    return [spelling.sentence(sentence).encode() for sentence in sentences]


def hyperscan_search(patterns: Sequence[str]) -> Search:
    import hyperscan

    flags = hyperscan.HS_FLAG_SINGLEMATCH | hyperscan.HS_FLAG_DOTALL | hyperscan.HS_FLAG_ALLOWEMPTY
    database = hyperscan.Database()
    expressions = [one.encode() for one in patterns]
    count = len(patterns)
    database.compile(expressions=expressions, ids=list(range(count)), elements=count, flags=[flags] * count)

    def search(texts: Sequence[bytes]) -> Found:
        found: list[int] = []
        every: Found = []

        def add(rule: int, *_: object) -> None:
            found.append(rule)

        for text in texts:
            database.scan(text, match_event_handler=add)
            every.append(found[:])
            found.clear()
        return every

    return search


def re2_search(patterns: Sequence[str]) -> Search:
    import re2

    options = re2.Options()
    options.max_mem = 1 << 30  # with its own limit a thousand rules do not compile
    rules = re2.Set.SearchSet(options)
    for one in patterns:
        rules.Add(one)
    rules.Compile()
    return lambda texts: [rules.Match(text) or [] for text in texts]


def re_search(patterns: Sequence[str]) -> Search:
    searches = [re.compile(one.encode()).search for one in patterns]
    return lambda texts: [[rule for rule, search in enumerate(searches) if search(text)] for text in texts]


@cache
def spacy_words() -> Any:
    """The words that documents and patterns of spaCy share."""
    from spacy.vocab import Vocab

    return Vocab()


def spacy_texts(sentences: Sentences) -> list[Any]:
    from spacy.tokens import Doc

    return [Doc(spacy_words(), words=[FIRST, *sentence, LAST]) for sentence in sentences]


def spacy_search(patterns: Sequence[Sequence[list[Token]]]) -> Search:
    from spacy.matcher import Matcher as TokenMatcher

    matcher = TokenMatcher(spacy_words())
    for rule, rows in enumerate(patterns):
        matcher.add(str(rule), list(rows))
    strings = spacy_words().strings
    return lambda texts: [list({int(strings[found]) for found, _, _ in matcher(text)}) for text in texts]


def spacy_patterns(trees: Sequence[Node]) -> list[list[list[Token]]]:
    return [token_patterns(tree) for tree in trees]


PEERS = {
    "hyperscan": Peer(byte_patterns, byte_texts, hyperscan_search),
    "google-re2": Peer(byte_patterns, byte_texts, re2_search),
    "re": Peer(byte_patterns, byte_texts, re_search, slow=True),
    "spacy": Peer(spacy_patterns, spacy_texts, spacy_search, slow=True),
}


def cpu(action: Callable[[], object]) -> float:
    gc.collect()
    began = time.process_time()
    action()
    return time.process_time() - began


def measured_here(text: str, sentences: Sentences) -> dict[str, float]:
    compiling = cpu(lambda: compiled(text))
    machines = compiled(text)
    matcher = Matcher(machines)
    building = cpu(lambda: matcher.matched([()]))
    cold = cpu(lambda: matcher.matched(sentences))
    warm = cpu(lambda: matcher.matched(sentences))
    coded = matcher.encode_together(sentences)
    prepared = cpu(lambda: matcher.matched_codes(coded))
    return {"compile": compiling + building, "cold": cold, "warm": warm, "prepared": prepared}


def measured_peer(peer: Peer, patterns: Sequence[Any], sentences: Sentences, wanted: Found) -> dict[str, float]:
    """Refuses a peer that finds anything else than what is wanted."""
    made: list[Search] = []
    found: list[Found] = []
    compiling = cpu(lambda: made.append(peer.make(patterns)))
    texts = peer.texts(sentences)
    writing = cpu(lambda: peer.texts(sentences))
    first = cpu(lambda: found.append(made[0](texts)))
    again = cpu(lambda: made[0](texts))
    for sentence, one, other in zip(sentences, found[0], wanted, strict=True):
        if sorted(one) != other:
            raise click.ClickException(f"'{' '.join(sentence)}': {sorted(one)} instead of {other}")
    return {"compile": compiling, "cold": writing + first, "warm": writing + again, "prepared": again}


def best(runs: Sequence[dict[str, float]], sentences: int) -> dict[str, float]:
    """Seconds to compile, sentences a second otherwise: the best of the turns."""
    least = {name: min(run[name] for run in runs) for name in runs[0]}
    return {name: value if name == "compile" else sentences / value for name, value in least.items()}


def measure(name: str, text: str, sentences: Sentences, turns: int) -> list[dict[str, object]]:
    trees = trees_of(text)
    matched = Matcher(compiled(text)).matched(sentences)
    wanted = [row.nonzero()[0].tolist() for row in matched]
    few = max(1, min(len(sentences), MOST_ONE_BY_ONE // len(trees)))
    given = {name: sentences[:few] if peer.slow else sentences for name, peer in PEERS.items()}
    runs: dict[str, list[dict[str, float]]] = {"re2nn": []}
    for turn in range(turns):
        runs["re2nn"].append(measured_here(text, sentences))
        for other, peer in PEERS.items():
            if turn and other not in runs:
                continue
            try:
                found = measured_peer(peer, peer.patterns(trees), given[other], wanted[: len(given[other])])
                runs.setdefault(other, []).append(found)
            except ImportError:
                missing(other)
    rows = []
    for program, own in runs.items():
        count = len(given.get(program, sentences))
        rows.append({"rules": name, "program": program, "sentences": count, **best(own, count)})
    return rows


def compiling(name: str, text: str, turns: int) -> list[dict[str, object]]:
    """Seconds from rule text to minimal automata, here and by Pynini, which has to build ones as large."""
    states = list(map(len, compiled(text)))
    ours, theirs = [], []
    for _ in range(turns):
        ours.append(cpu(lambda: compiled(text)))
        found: list[int] = []
        try:
            theirs.append(cpu(lambda found=found: found.extend(states_by_pynini(trees_of(text)))))
        except ImportError:
            missing("pynini")
            break
        if found != states:
            raise click.ClickException(f"{name}: Pynini has {sum(found):,} states, and here are {sum(states):,}")
    runs = {"re2nn": ours, "pynini": theirs}
    return [
        {"rules": name, "program": program, "states": sum(states), "seconds": min(seconds)}
        for program, seconds in runs.items()
        if seconds
    ]


def trees_of(text: str) -> list[Node]:
    return [rule.expanded for rule in read_rules(text).ruleset.rules]


def missing(program: str) -> None:
    click.echo(f"{program} is not installed (pip install -r tests/benchmarks/peers.txt).", err=True)


def rule_sets(words: Sequence[str]) -> dict[str, str]:
    made_up = {
        f"1,000 {'dense' if dense else 'sparse'}": synthetic.rule_file(1_000, words, dense=dense)
        for dense in (False, True)
    }
    return {"27 ATIS": rules_text("atis"), **made_up}


def version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"


@click.command()
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "results" / "peers.json", show_default=False)
@click.option("--turns", type=click.IntRange(1), default=3, help="How often each is measured; the best counts.")
def main(output: Path, turns: int) -> None:
    """Measure the product beside the peers that are installed."""
    if not published():
        raise click.ClickException("The published rules and texts are not here (RE2NN_BENCHMARKS).")
    sentences = words_of_all(corpus_of("atis", "train", "test").texts, TOKENIZATION)
    words = list(build_vocabulary(sentences).words[3:])
    words += synthetic.made_up_words(2_000 - len(words))
    loading = cpu(compiled_walk)
    warming = Matcher(compiled("[x]\n$* a $*\n"))
    loading += cpu(lambda: warming.matched([("a",)] * 10_000))
    rows = []
    for name, text in rule_sets(words).items():
        for row in measure(name, text, sentences, turns):
            rows.append(row)
            figures = " | ".join(f"{row[figure]:,.0f}" for figure in ("cold", "warm", "prepared"))
            click.echo(f"| {name} | {row['program']} | {row['compile']:.2f} s | {figures} |")
    built = []
    larger = {"10,000 sparse": synthetic.rule_file(10_000, synthetic.made_up_words(20_000))}
    for name, text in (rule_sets(words) | larger).items():
        for row in compiling(name, text, turns):
            built.append(row)
            click.echo(f"| {name} | {row['program']} | {row['states']:,} states | {row['seconds']:.3f} s |")
    packages = ("numba", "numpy", "hyperscan", "google-re2", "spacy", "pynini")
    versions = {package: version(package) for package in packages}
    machine: dict[str, object] = {
        "machine": platform.machine(),
        "system": platform.system(),
        "turns": turns,
        "python": platform.python_version(),
    }
    kept = {"rows": rows, "compiling": built, "seconds to load compiled code": loading, "versions": versions, **machine}
    output.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
