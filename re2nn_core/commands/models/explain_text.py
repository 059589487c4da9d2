"""How explanations read on a terminal: paths, reasons why not, changes that bring another prediction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.command_result import table
from re2nn_core.text.counting import counted
from re2nn_core.text.kinds import spelled_out, spelling

if TYPE_CHECKING:
    from re2nn_core.services.explanation.classification.explanation import Explanation, PathStep, RulePath
    from re2nn_core.services.explanation.flip import Flip
    from re2nn_core.services.explanation.slot_filling.explanation import SlotExplanation
    from re2nn_core.services.explanation.why_not import RuleDeath, WhyNot

NO_PREDICTION = "(no prediction)"
_SHOWN_RULES = 12
_LONGEST_LINE = 1_000
_FAINT = 0.05  # paths of less weight are not worth a table
_SIGNS = {"$": "wildcard ($)", "%": "a number (%)", "&": "a sign (&)"}


def explanation_data(found: Explanation | SlotExplanation, why_not: WhyNot | None, flip: Flip) -> dict[str, Any]:
    """All that was found, for --json."""
    found_data, flip_data = asdict(found), {**asdict(flip), "sentence": flip.sentence}
    why_not_data = None if why_not is None else asdict(why_not)
    for one in (flip_data, *(why_not_data["rules"] if why_not_data else ())):
        one["change"] = _spelled_change(one["change"])
    return {**found_data, "why_not": why_not_data, "flip": flip_data}


def _spelled_change(change: dict[str, Any] | None) -> dict[str, Any] | None:
    """A change with its words as texts spell them."""
    if change is None:
        return None
    edits = [{**one, **{k: spelling(one[k]) for k in ("old", "new") if one[k] is not None}} for one in change["edits"]]
    return {**change, "edits": edits, "words": [spelling(word) for word in change["words"]]}


def ties_and_notes(ties: Sequence[str], notes: Sequence[str]) -> Iterator[str]:
    """What decides between equals, and what has to be known of the figures."""
    if ties:
        yield "\n".join(f"Tie: {tie}" for tie in ties)
    if notes:
        yield "\n".join(f"Note: {note}" for note in notes)


def counts_text(about: str, words: Sequence[tuple[str, float, str]], meaning: bool = True) -> str:
    """How much each word counts: (word, how much, what is to be known of it)."""
    rows = [[word, signed(heat), beside] for word, heat, beside in words]
    means = "\n(the drop of the score when an unknown word replaces it)" if meaning else ""
    return f"Contribution of each word to {about}:{means}\n" + table(["word", "counts", ""], rows)


def path_texts(
    paths: Sequence[RulePath], *, trained: bool, scores: Mapping[str, float] | None = None, rest: str = ""
) -> Iterator[str]:
    """The best path of each rule; how many others there are. `scores`: the rules' own scores, so that what a path
    leaves of them can be told; `rest` says what that is."""
    from re2nn_core.services.explanation.classification.explanation import own_score_in_words

    by_rule: dict[str, list[RulePath]] = {}
    for path in paths:
        by_rule.setdefault(path.rule, []).append(path)
    shown = [own for own in by_rule.values() if own[0].weight >= _FAINT]
    for first, *others in shown:
        more = f"\n{counted(len(others), 'more path')} through {first.rule} (--json)" if others else ""
        own = f"\n{own_score_in_words(first, scores[first.rule], signed)}" if trained and scores else ""
        yield path_text(first, trained=trained) + own + more
    if trained and scores and shown:
        yield f"(the rest of an own score: {rest})"
    if faint := len(by_rule) - len(shown):
        yield f"{counted(faint, 'other rule')} with paths that weigh next to nothing (--json has them)"


def path_text(path: RulePath, *, trained: bool) -> str:
    """A path word by word: what reads each word; of a trained network also the weights, and who made the edge."""
    tagged = any(step.tag is not None for step in path.steps)
    rows = [
        [
            place + 1,
            step.word,
            "-" if step.symbol is None else _SIGNS.get(step.symbol, step.symbol),
            *([step.tag or "-"] if tagged else []),
            *([number(step.before), number(step.after), _origin(step)] if trained else []),
            f"{step.source} > {step.target}",
        ]
        for place, step in enumerate(path.steps)
    ]
    weights = ["before training", "now", "edge"] if trained else []
    head = ["", "word", "read by", *(["tag"] if tagged else []), *weights, "states"]
    # The product along the path is no score where weights pass 1 on the way.
    weight = f", weight {number(path.weight)}" if trained else ""
    ends = _ends(path) if trained else ""
    return f"Path through {path.rule} ({path.label}){weight}:\n" + table(head, rows) + ends


def _ends(path: RulePath) -> str:
    """What the weight is the product of, where start and end have a part in it."""
    return f"\nweight = start {number(path.start)} x the edges x end {number(path.end)}"


def _origin(step: PathStep) -> str:
    """Whether an edge was written or learned, and which way training has moved it."""
    if not step.written:
        return "LEARNED"
    return f"written, {'raised' if step.after > step.before else 'lowered'}" if step.changed else "written"


def why_not_text(why_not: WhyNot) -> str:
    """Why a label or rule does not speak, who does instead, and what it takes."""
    lines = [f"Why not {why_not.wanted}?", *(f"  {reason}" for reason in why_not.reasons)]
    for rule in why_not.rules[:_SHOWN_RULES]:
        lines += _rule_lines(rule)
    if (left := len(why_not.rules) - _SHOWN_RULES) > 0:
        lines.append(f"  and {counted(left, 'more rule')}, further away (--json has them all)")
    return "\n".join(lines)


def _rule_lines(rule: RuleDeath) -> list[str]:
    """One rule: what it lacks, and the smallest change that it accepts."""
    from re2nn_core.services.explanation.flip import change_in_words

    lines = [f"  {rule.rule}: {rule.why}."]
    if not rule.searched:
        return lines
    if rule.change is None:
        lines.append("    No change of the text makes it match.")
    elif rule.change.edits:
        lines.append(f"    It takes {counted(len(rule.change), 'change')}: {change_in_words(rule.change)}.")
        lines.append(f"    {_sentence(rule.change.words)}   -> {_then_predicted(rule)}")
    return lines


def _then_predicted(rule: RuleDeath) -> str:
    """The predictions for the sentence that the rule would accept, by the rules and by the network if there is one."""
    rules = f"the rules then predict {rule.prediction or NO_PREDICTION}"
    if rule.network_prediction is None:
        return rules
    beside = "too" if rule.network_prediction == (rule.prediction or "") else rule.network_prediction or NO_PREDICTION
    return f"{rules}, and the network {'' if beside == 'too' else 'predicts '}{beside}"


def flip_text(flip: Flip) -> str:
    """The smallest change that changes the prediction."""
    from re2nn_core.services.explanation.flip import change_in_words

    if flip.change is None:
        return f"Another prediction: {flip.sentence}"
    who = "the network" if flip.by_network else "the rules"
    return (
        f"Smallest change found after which {who} predict{'s' if flip.by_network else ''}"
        f" {flip.after or NO_PREDICTION}: "
        f"{change_in_words(flip.change)}\n  {_sentence(flip.change.words)}\n  {flip.sentence}"
    )


def _sentence(words: Sequence[str]) -> str:
    return spelled_out(words) or "(no word)"


def shortened_text(text: str) -> str:
    """A text in one line, the beginning of a long one."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} …"


def number(value: float) -> str:
    """A score as people read it."""
    return f"{value:.2f}"


def signed(value: float) -> str:
    """A part of a sum, with its sign."""
    return f"{value:+.2f}" if abs(value) >= 5e-3 else "0"
