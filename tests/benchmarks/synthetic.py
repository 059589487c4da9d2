"""Made-up rule sets and texts of any size, the same for the same seed.

Rules look like published ones: one to three groups of alternatives, five to forty in all, now and then of two words,
with anything before, between and behind them. Every word is as likely as every other, or, where asked for, the first
ones are in very many rules (Zipf's law), so that nearly every sentence is accepted by many of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ALTERNATIVES = (5, 40)
RULES_A_LABEL = 25


def made_up_words(count: int) -> list[str]:
    return [f"w{number}" for number in range(count)]


def rule_file(rules: int, words: Sequence[str], *, dense: bool = False, seed: int = 0) -> str:
    """The text of a rule file with so many rules over the words, the most frequent word first."""
    random = np.random.default_rng(seed)
    chances = _zipf(len(words)) if dense else np.full(len(words), 1 / len(words))
    lines = []
    for number in range(rules):
        if number % RULES_A_LABEL == 0:
            lines.append(f"[label{number // RULES_A_LABEL}]")
        lines.append(_rule(random, words, chances))
    return "\n".join(lines) + "\n"


def texts(count: int, words: Sequence[str], *, seed: int = 1) -> list[str]:
    """Sentences of about eleven words, as long as those of ATIS."""
    random = np.random.default_rng(seed)
    chances = _zipf(len(words))
    lengths = np.clip(random.poisson(11, size=count), 1, 40)
    return [" ".join(random.choice(words, size=length, p=chances)) for length in lengths]


def _zipf(count: int) -> np.ndarray:
    weights = 1 / (np.arange(count) + 10.0)
    return weights / weights.sum()


def _rule(random: np.random.Generator, words: Sequence[str], chances: np.ndarray) -> str:
    groups = int(random.choice([1, 2, 3], p=[0.3, 0.5, 0.2]))
    total = int(random.integers(ALTERNATIVES[0], ALTERNATIVES[1] + 1))
    sizes = random.multinomial(total - groups, [1 / groups] * groups) + 1
    parts = ["$*"]
    for size in sizes:
        parts += [_group(random, words, chances, int(size)), str(random.choice(["$*", "$?", ""], p=[0.7, 0.15, 0.15]))]
    parts[-1] = "$*" if random.random() < 0.9 else ""
    return " ".join(part for part in parts if part)


def _group(random: np.random.Generator, words: Sequence[str], chances: np.ndarray, size: int) -> str:
    drawn = [str(word) for word in random.choice(words, size=size, replace=False, p=chances)]
    if random.random() < 0.3:
        drawn[-1] += f" {random.choice(words, p=chances)}"
    return f"( {' | '.join(drawn)} )"
