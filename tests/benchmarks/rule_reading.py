"""CPU seconds to read rule files, and for the first part of `re2nn check`; the best of three."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import process_time

from re2nn_core.automata.checks.ambiguous import ambiguous_captures
from re2nn_core.automata.checks.limits import rules_past_limits
from re2nn_core.rules.read import read_rules

SIZES = (1_000, 5_000, 20_000)


def rule_file(rules: int) -> str:
    """So many rules of two labels, each with two words of its own."""
    lines = (f"rule{number} := $* word{number} ( of | for ) other{number} $*" for number in range(rules))
    return "\n".join(f"[label{number % 2}]\n{line}" if number < 2 else line for number, line in enumerate(lines))


def best_of_three(work: Callable[[int], object]) -> float:
    """CPU seconds; `work` gets the number of the turn."""
    seconds = []
    for turn in range(3):
        started = process_time()
        work(turn)
        seconds.append(process_time() - started)
    return min(seconds)


def main() -> None:
    sys.stdout.write("rules    read s  limits s  captures s\n")
    for size in SIZES:
        text = rule_file(size)
        # What is read is kept under text and name, so each turn has a name of its own.
        read = best_of_three(lambda turn, text=text: read_rules(text, file=f"{len(text)}-{turn}"))
        rules = read_rules(text).ruleset.rules
        limits = best_of_three(lambda _, rules=rules: rules_past_limits(rules))
        captures = best_of_three(lambda _, rules=rules: ambiguous_captures(rules))
        sys.stdout.write(f"{size:>6,}  {read:>7.2f}  {limits:>8.2f}  {captures:>10.2f}\n")


if __name__ == "__main__":
    main()
