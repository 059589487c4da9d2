"""What is measured: each function gives rows of (name, measured, unit, target, at most or at least)."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

from benchmarks import synthetic

from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
from re2nn_core.automata.dfa import ExactDfa
from re2nn_core.automata.matcher import Matcher
from re2nn_core.automata.word_codes import CodedSentences
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.experiments.datasets.classification import LOGIC
from re2nn_core.rules.logic.label_logic import default_logic
from re2nn_core.rules.read import read_rules
from re2nn_core.services.prediction.classification.evaluation import evaluate_model
from re2nn_core.services.prediction.classification.predictor import untrained
from re2nn_core.services.rule_systems.classification.sources import load_rules
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, analyse, effect
from re2nn_core.tensors.factors import exact_factors
from re2nn_core.tensors.machines import build_machines
from re2nn_core.tensors.state_certificate import check_states
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import Tokenization, words_of_all
from re2nn_core.text.vocabulary import build_vocabulary

BENCHMARKS = Path(__file__).resolve().parents[3] / "shared" / "benchmarks"
RULES = {"atis": "atis.rules.v0.config", "trec": "trec.rules.old.config", "sms": "sms.rules.config"}
TOKENIZATION = Tokenization()
T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """One figure. `target` None: only reported."""

    measure: str
    name: str
    measured: float
    unit: str
    target: float | None = None
    at_least: bool = False

    @property
    def reached(self) -> bool | None:
        if self.target is None:
            return None
        return self.measured >= self.target if self.at_least else self.measured <= self.target


def seconds(action: Callable[[], object], times: int) -> float:
    """The median duration; the first run, which warms caches outside the action, does not count."""
    action()
    durations = []
    for _ in range(times):
        gc.collect()
        began = time.perf_counter()
        action()
        durations.append(time.perf_counter() - began)
    return median(durations)


def megabytes(action: Callable[[], T]) -> tuple[float, float]:
    """(kept, peak): memory of what the action returns, and the most that was in use while it ran."""
    gc.collect()
    tracemalloc.start()
    result = action()
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del result
    return kept / 2**20, peak / 2**20


def rules_text(name: str) -> str:
    return (BENCHMARKS / "rules" / RULES[name]).read_text(encoding="utf-8")


def corpus_of(name: str, *splits: str) -> Corpus:
    parts = [read_corpus(BENCHMARKS / name / f"{split}.tsv").corpus for split in splits]
    return Corpus(tuple(example for part in parts for example in part))


def compiled(text: str) -> list[ExactDfa]:
    return [exact_dfa(rule.expanded, rule=rule.name) for rule in read_rules(text).ruleset.rules]


def published() -> bool:
    return BENCHMARKS.is_dir()


def compiling() -> Iterator[Row]:
    """Reading, compiling and minimising rule sets."""
    name = "compile"
    if published():
        text = rules_text("atis")
        yield Row(name, "27 ATIS rules: read, compile, minimise", seconds(lambda: compiled(text), 21) * 1e3, "ms", 20)
        trees = [rule.expanded for rule in read_rules(text).ruleset.rules]
        pseudo = seconds(lambda: [pseudo_dfa(tree) for tree in trees], 21)
        yield Row(name, "27 ATIS rules: pseudo machines alone", pseudo * 1e3, "ms")
    for count, vocabulary, target, times in ((1_000, 2_000, 0.5, 7), (10_000, 20_000, 5.0, 3)):
        text = synthetic.rule_file(count, synthetic.made_up_words(vocabulary))
        read = seconds(lambda text=text: read_rules(text), times)
        whole = seconds(lambda text=text: compiled(text), times)
        yield Row(name, f"{count:,} made-up rules: read, compile, minimise", whole, "s", target)
        yield Row(name, f"{count:,} made-up rules: reading alone", read, "s")
        yield Row(name, f"{count:,} made-up rules: states", sum(map(len, compiled(text))), "states")
        kept, peak = megabytes(lambda text=text: compiled(text))
        limit = 50 if count == 1_000 else None
        yield Row(name, f"{count:,} made-up rules: memory at its peak", peak, "MB", limit)
        yield Row(name, f"{count:,} made-up rules: memory of the machines", kept, "MB")


def factors() -> Iterator[Row]:
    """Exact factors of the published rule sets, one automaton for each label."""
    for name in RULES if published() else ():
        rules = read_rules(rules_text(name)).ruleset
        machines = build_machines(rules, default_logic(rules), "label")
        sentences = words_of_all(corpus_of(name, "train").texts, TOKENIZATION)
        vocabulary = build_vocabulary(sentences, always=rules.words)
        made = exact_factors(machines, vocabulary)
        duration = seconds(lambda m=machines, v=vocabulary: exact_factors(m, v), 11)
        check = check_states(machines, made)
        yield Row("factors", f"{name}: exact factors", duration, "s", 0.2)
        yield Row("factors", f"{name}: largest error of an entry", check.max_error, "", 0.0)
        limit = {"atis": 100, "trec": 140}.get(name)
        yield Row("factors", f"{name}: rank", made.rank, "terms", limit)
        certified = seconds(lambda m=machines, f=made: check_states(m, f), 3)
        yield Row("factors", f"{name}: certificate over {len(vocabulary):,} words", certified, "s")


def matching() -> Iterator[Row]:
    """Sentences a second on one core, for the published rules and for a thousand made-up ones."""
    if not published():
        return
    texts = corpus_of("atis", "train", "test").texts
    sentences = words_of_all(texts, TOKENIZATION)
    duration = seconds(lambda: words_of_all(texts, TOKENIZATION), 7)
    yield Row("match", f"cutting {len(texts):,} ATIS texts into words", len(texts) / duration, "texts/s")
    words = list(build_vocabulary(sentences).words[3:])
    words += synthetic.made_up_words(2_000 - len(words))
    made_up = {dense: compiled(synthetic.rule_file(1_000, words, dense=dense)) for dense in (False, True)}
    yield from _matching("27 ATIS rules", compiled(rules_text("atis")), sentences, cold=300_000, warm=300_000)
    yield from _matching("1,000 made-up rules", made_up[False], sentences, warm=100_000)
    yield from _matching("1,000 made-up rules that fire often", made_up[True], sentences)


def _matching(
    name: str,
    machines: list[ExactDfa],
    sentences: Sequence[Sequence[str]],
    *,
    cold: float | None = None,
    warm: float | None = None,
) -> Iterator[Row]:
    used = Matcher(machines)
    codes = used.encode_together(sentences)
    count = len(sentences)
    building = seconds(lambda: Matcher(machines), 5)
    encoding = seconds(lambda: used.encode_together(sentences), 5)
    first = median(_once(Matcher(machines), codes) for _ in range(5))
    again = seconds(lambda: used.matched_codes(codes), 9)
    whole = seconds(lambda: used.matched(sentences), 9)
    yield Row("match", f"{name}: building the matcher", building, "s")
    yield Row("match", f"{name}: encoded, cold", count / first, "sentences/s", cold, at_least=True)
    yield Row("match", f"{name}: words, cold", count / (encoding + first), "sentences/s")
    yield Row("match", f"{name}: encoded, warm", count / again, "sentences/s", warm, at_least=True)
    yield Row("match", f"{name}: words, warm", count / whole, "sentences/s")
    yield Row("match", f"{name}: matches", int(used.matched_codes(codes).sum()), "matches")


def _once(matcher: Matcher, codes: CodedSentences) -> float:
    began = time.perf_counter()
    matcher.matched_codes(codes)
    return time.perf_counter() - began


def editing() -> Iterator[Row]:
    """From a changed rule to new figures on 10,000 texts, and what the change does."""
    words = synthetic.made_up_words(2_000)
    if published():
        found = corpus_of("atis", "train", "dev", "test")
        examples = [*found, *found][:10_000]
        texts, gold = [e.text for e in examples], [e.label for e in examples]
        yield from _editing(
            "27 ATIS rules", texts, gold, rules_text("atis"), "$* flight $*", "$* ( flight | trip{} ) $*"
        )
    for rules in (100, 1_000):
        texts = synthetic.texts(10_000, words)
        text = synthetic.rule_file(rules, words) + "$* w0 w1 $*\n"
        yield from _editing(
            f"{rules:,} made-up rules", texts, [None] * len(texts), text, "$* w0 w1 $*", "$* w0 w1{} $*"
        )


def _editing(
    name: str, texts: Sequence[str], gold: Sequence[str | None], text: str, old: str, new: str
) -> Iterator[Row]:
    bench = TextBench(texts, TOKENIZATION)
    opened = _timed(lambda: analyse(bench, gold, text, ""))
    before = analyse(bench, gold, text, "")
    durations = []
    for number in range(7):
        edited = text.replace(old, new.format(number), 1) if old in text else f"{text}\n{new.format(number)}\n"
        durations.append(_timed(lambda edited=edited: _figures(bench, gold, edited, before)))
    yield Row("edit", f"{name} on {len(texts):,} texts: first look", opened, "s")
    target = 0.5 if rules_in(text) <= 100 + 1 else None
    yield Row("edit", f"{name} on {len(texts):,} texts: one rule changed", median(durations), "s", target)


def rules_in(text: str) -> int:
    return len(read_rules(text).ruleset.rules)


def _figures(bench: TextBench, gold: Sequence[str | None], text: str, before: Analysis) -> object:
    now = analyse(bench, gold, text, "")
    return now.rule_figures, now.label_figures, effect(now, before)


def _timed(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def agreement() -> Iterator[Row]:
    """Rules against the untrained network on every sentence of the three benchmarks, with priorities and defaults."""
    for name in RULES if published() else ():
        corpus = corpus_of(name, "train", "dev", "test")
        for logic in (None, LOGIC / f"{name}.toml"):
            system = load_rules(BENCHMARKS / "rules" / RULES[name], logic, TOKENIZATION).system()
            found = evaluate_model(system, corpus, untrained(system, corpus.texts))
            share = found.agree / found.sentences
            what = "plain logic" if logic is None else "its logic"
            yield Row("agree", f"{name}, {what}: {found.sentences:,} sentences", share, "share", 1.0, at_least=True)


MEASURES: dict[str, Callable[[], Iterator[Row]]] = {
    "compile": compiling,
    "factors": factors,
    "match": matching,
    "edit": editing,
    "agree": agreement,
}
