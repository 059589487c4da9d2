"""Checks that rules and untrained networks agree on every sentence, for rule files that use a part of the language.

    python tests/benchmarks/language_exactness.py              results/language_exactness.json
    python tests/benchmarks/language_exactness.py except --made-up 10000

Each file of language/ is called FEATURE_SET.rules. Its rules are compared with their untrained network state by state
(the certificate), on every sentence of the published set and on sentences with made-up words; a part of these is
decided by the definition of the rule language too, without any automaton.
"""

from __future__ import annotations

import json
import random
import string
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from support.rules import oracles, tagging_oracles

from re2nn_core.rules.word_lists.content import read_rule_text
from re2nn_core.services.automaton_views.classification.certification import certify
from re2nn_core.services.automaton_views.slot_filling.certification import certify_slots
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.kinds import CASE, spelling
from re2nn_core.text.tokenization import Tokenization, words_of_all

BENCHMARKS = HERE.parents[2] / "shared" / "benchmarks"
RULES = HERE / "language"
MADE_UP = 100_000
BY_DEFINITION = 300  # sentences that are decided by the definition of the language, which is slow
SPLITS = ("train", "dev", "test")


@dataclass(frozen=True)
class Exactness:
    """Of one rule file: what the certificate compared, and how many sentences of either kind differ."""

    rules: int
    states: int
    rank: int
    transitions: int
    certified: bool
    sentences: int
    differing: int
    made_up: int
    made_up_differing: int
    matched: int  # sentences of both kinds that some rule matches
    by_definition: int
    by_definition_differing: int
    seconds: float

    @property
    def exact(self) -> bool:
        return self.certified and not (self.differing or self.made_up_differing or self.by_definition_differing)


def rule_files(features: Sequence[str] = ()) -> list[Path]:
    """The rule files of some features, or of all."""
    return [path for path in sorted(RULES.glob("*.rules")) if not features or path.stem.split("_")[0] in features]


def texts_of(name: str) -> list[str]:
    """Every sentence of a published set, as its tables hold it."""
    lines = [(BENCHMARKS / name / f"{split}.tsv").read_text(encoding="utf-8").splitlines() for split in SPLITS]
    return [line.split("\t", 1)[1] for part in lines for line in part if "\t" in line]


def made_up(texts: Sequence[str], named: Sequence[str], count: int, seed: int = 0) -> Iterator[str]:
    """Sentences of words that rules name, of words of the texts, and of words that no one has seen."""
    draw = random.Random(seed)
    seen = sorted({word for text in texts[:2_000] for word in text.split()})
    cased = any(word.startswith(CASE) for word in named)
    named = [spelling(word) for word in named]
    for _ in range(count):
        words: list[str] = []
        for _ in range(draw.randint(1, 12)):
            kind = draw.random()
            if kind < 0.75:
                words.append(draw.choice(named if kind < 0.5 else seen))
            else:
                words.append(_mistyped(draw, draw.choice(named)) if kind < 0.85 else _unseen(draw))
        yield " ".join(_recased(draw, word) if cased else word for word in words)


def _recased(draw: random.Random, word: str) -> str:
    """A word, in one of five in another case."""
    return draw.choice((word, word, word, word, draw.choice((word.upper(), word.lower(), word.title()))))


def _mistyped(draw: random.Random, word: str) -> str:
    """A named word with a character more, less or another one, or with another ending."""
    place, sign = draw.randrange(len(word)), draw.choice(string.ascii_lowercase + string.digits)
    ways = (
        word[:place] + sign + word[place:],
        word[:place] + word[place + 1 :],
        word[:place] + sign + word[place + 1 :],
    )
    return draw.choice((*ways, word + draw.choice(("s", "ing", "ed", "er")))) or sign


def _unseen(draw: random.Random) -> str:
    """A made-up word, number or sign."""
    kind = draw.random()
    if kind < 0.7:
        return "".join(draw.choices(string.ascii_lowercase + "'-é机", k=draw.randint(2, 9)))
    if kind < 0.9:
        return f"{draw.randint(0, 10**6)}{draw.choice(['', '.5', 'x'])}"
    return "".join(draw.choices("!?.,;:§€", k=draw.randint(1, 3)))


def exactness_of(path: Path, count: int = MADE_UP) -> Exactness:
    """Compare the rules of a file with their untrained network."""
    began = time.perf_counter()
    name, rules = path.stem.split("_")[1], read_rule_text(path)
    texts = texts_of(name)
    tokenization = Tokenization()
    if path.stem.endswith("_slots"):
        slots, _ = read_slot_system(rules, "", tokenization)
        return _of_slots(slots, texts, count, began)
    system, _ = read_system(rules, None, tokenization)
    return _of_labels(system, texts, count, began)


def _of_labels(system: RuleSystem, texts: list[str], count: int, began: float) -> Exactness:
    certificate = certify(system, texts)
    strange = list(made_up(texts, sorted(system.ruleset.words), count))
    bundle = untrained(system, texts)  # whose vocabulary has no made-up word
    by_rules, by_network = system.predictions(strange), predict(bundle, strange).predictions
    sample = strange[:BY_DEFINITION]
    wrong = 0
    for sentence, row in zip(words_of_all(sample, system.tokenization), system.matched(sample), strict=True):
        wrong += any(oracles.accepts(r.expanded, sentence) != m for r, m in zip(system.ruleset.rules, row, strict=True))
    return Exactness(
        rules=len(system.ruleset.rules),
        states=certificate.states,
        rank=certificate.rank,
        transitions=certificate.transitions_checked,
        certified=certificate.equal,
        sentences=certificate.sentences,
        differing=certificate.sentences - certificate.agree,
        made_up=count,
        made_up_differing=sum(one != other for one, other in zip(by_rules, by_network, strict=True)),
        matched=sum(prediction is not None for prediction in [*system.predictions(texts), *by_rules]),
        by_definition=len(sample),
        by_definition_differing=wrong,
        seconds=round(time.perf_counter() - began, 1),
    )


def _of_slots(system: SlotSystem, texts: list[str], count: int, began: float) -> Exactness:
    certificate = certify_slots(system, texts)
    strange = list(made_up(texts, sorted(system.ruleset.words), count))
    sentences = words_of_all(strange, system.tokenization)
    by_rules = system.tags_of_words(sentences)
    by_network = [
        prediction.tags for prediction in predict_tags(untrained_tagger(system, texts), strange, with_confidences=False)
    ]
    sample = sentences[:BY_DEFINITION]
    wrong = 0
    for sentence, found in zip(sample, system.readings(sample), strict=True):
        by_definition = {
            number: sets
            for number, rule in enumerate(system.ruleset.rules)
            if (sets := tagging_oracles.tag_sets(rule.expanded, sentence)) is not None
        }
        wrong += by_definition != {reading.rule: reading.sets for reading in found}
    every = [*system.tags_of_words(words_of_all(texts, system.tokenization)), *by_rules]
    return Exactness(
        rules=len(system.ruleset.rules),
        states=certificate.states,
        rank=certificate.rank,
        transitions=certificate.transitions_checked,
        certified=certificate.equal,
        sentences=certificate.sentences,
        differing=certificate.sentences - certificate.agree,
        made_up=count,
        made_up_differing=sum(one != other for one, other in zip(by_rules, by_network, strict=True)),
        matched=sum(any(tag != "O" for tag in tags) for tags in every),
        by_definition=len(sample),
        by_definition_differing=wrong,
        seconds=round(time.perf_counter() - began, 1),
    )


@click.command()
@click.argument("features", nargs=-1)
@click.option("--made-up", "count", default=MADE_UP, show_default=True, help="How many sentences with made-up words.")
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "results" / "language_exactness.json")
def main(features: tuple[str, ...], count: int, output: Path) -> None:
    """Compare rules and untrained networks."""
    if not BENCHMARKS.is_dir():
        raise click.ClickException(f"The published data are not here: {BENCHMARKS} does not exist.")
    kept = json.loads(output.read_text(encoding="utf-8")) if output.is_file() else {}
    for path in rule_files(features):
        found = exactness_of(path, count)
        kept[path.stem] = {**asdict(found), "exact": found.exact}
        click.echo(f"{path.stem}: {json.dumps(kept[path.stem])}")
        output.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    if not all(kept[path.stem]["exact"] for path in rule_files(features)):
        raise click.ClickException("Rules and network differ; see the lines above.")


if __name__ == "__main__":
    main()
