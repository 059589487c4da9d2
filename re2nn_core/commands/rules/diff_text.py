"""The result of diff: one object, and the same as tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands.rules.diff_overlaps import overlap_text
from re2nn_core.commands.rules.diff_pictures import DrawnPictures, weight_rows, weight_text
from re2nn_core.services.rule_difference.witnesses import NOT_READ, both_sides
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.automata.differences.difference import MachineDifference, Mark
    from re2nn_core.services.rule_difference.dead_and_subsumed_rules import Findings
    from re2nn_core.services.rule_difference.language_difference import LanguageVerdict, RuleSide
    from re2nn_core.services.rule_difference.moved_texts import MovedTexts
    from re2nn_core.services.rule_difference.overlap_changes import OverlapChange
    from re2nn_core.services.rule_difference.rule_set_difference import RuleSetDifference
    from re2nn_core.services.rule_difference.witnesses import Witness

_LISTED = 20  # rows of a table that only grows with the rules
_ARCS = 12
STATE_NUMBERS = "Numbers only name states: 0 is the start, and the same number is the same state in A and in B."


def as_prediction(
    found: RuleSetDifference,
    side: RuleSide,
    files: tuple[str, str],
    moved: MovedTexts | None,
    drawn: DrawnPictures,
    overlaps: Sequence[OverlapChange],
    *,
    all_overlaps: bool,
    budget: int,
) -> CommandResult:
    """All that was found. `overlaps` are those of both sides; `all_overlaps`: the text lists them all; `budget`: the
    steps that each search could take."""
    data: dict[str, Any] = {
        "a": files[0],
        "b": files[1],
        "equivalent": found.same,
        f"{side.kind}s": {group.name: _verdict(group) for group in found.groups},
        "rules": {rule.name: {**_verdict(rule), **_machine(found, rule.name)} for rule in found.rules},
        "idle": {key: _dead_or_subsumed(findings) for key, findings in zip("ab", found.findings, strict=True)},
        "overlaps": {key: _overlaps(findings) for key, findings in zip("ab", found.findings, strict=True)},
        "overlap_changes": [_overlap_change(change) for change in overlaps],
        "skipped": {key: list(findings.skipped) for key, findings in zip("ab", found.findings, strict=True)},
        "moved": None if moved is None else _moved(moved),
        "drawn": dict(drawn.written),
        "weights": weight_rows(drawn),
    }
    reported = [*_text(found, side, files), *weight_text(drawn)]
    reported += [
        line for line in (_dead_or_subsumed_text(found), overlap_text(overlaps, side, every=all_overlaps)) if line
    ]
    reported += [line for name, one in zip("AB", found.findings, strict=True) for line in _skipped(name, one)]
    reported += _stopped(found, budget)
    return CommandResult(data, "\n\n".join(reported + ([] if moved is None else [_moved_text(moved)])), ok=found.same)


def _verdict(found: LanguageVerdict) -> dict[str, Any]:
    return {
        "verdict": found.verdict.value,
        "in_a": found.left,
        "in_b": found.right,
        "only_a": _witness(found.only_left),
        "only_b": _witness(found.only_right),
        **({"refusal": found.refusal} if found.refusal else {}),
    }


def _witness(witness: Witness | None) -> dict[str, Any] | None:
    if witness is None:
        return None
    own, other = witness.in_words if witness.tags else (witness.text, NOT_READ)
    words, tags = list(witness.words), list(witness.tags)
    reported = {"words": words, "tags": tags, "says": own, "other_side_says": other, "source": witness.source.value}
    return reported if witness.shortest is None else {**reported, "shortest": list(witness.shortest.words)}


def _machine(found: RuleSetDifference, name: str) -> dict[str, Any]:
    drawn = found.machines.get(name)
    if drawn is None:
        return {}
    if drawn.difference is None:
        return {"machine": None, "machine_refusal": drawn.refusal}
    return {
        "machine": {
            "states": _counts(drawn.difference.state_counts),
            "arcs": _counts(drawn.difference.arc_counts),
            "changes": _changes(drawn.difference),
            **({"by_positions": drawn.by_positions} if drawn.by_positions else {}),
        }
    }


def _counts(counts: Mapping[Mark, int]) -> dict[str, int]:
    return {mark.word: count for mark, count in counts.items()}


def _changes(difference: MachineDifference) -> list[dict[str, Any]]:
    from re2nn_core.services.rule_difference.drawn_differences import arc_rows

    return [
        {
            "mark": row.mark,
            "source": row.source,
            "target": row.target,
            "change": row.meaning,
            "tag": row.tag,
            "added": list(row.added),
            "removed": list(row.removed),
            "retagged": list(row.retagged),
        }
        for row in arc_rows(difference)
        if row.meaning != "kept"
    ]


def _dead_or_subsumed(findings: Findings) -> list[dict[str, Any]]:
    return [
        {
            "rule": dead_or_subsumed.name,
            "group": dead_or_subsumed.group,
            "dead": dead_or_subsumed.dead,
            "subsumed_by": list(dead_or_subsumed.by),
        }
        for dead_or_subsumed in findings.dead_or_subsumed
    ]


def _overlaps(findings: Findings) -> list[dict[str, Any]]:
    return [
        {"between": list(found.groups), "sentence": list(found.sentence), "rules": [list(r) for r in found.rules]}
        for found in findings.overlaps
    ]


def _overlap_change(change: OverlapChange) -> dict[str, Any]:
    overlap = change.overlap
    return {
        "between": list(overlap.groups),
        "sentence": list(overlap.sentence),
        "sentence_in_a": None if change.in_left is None else list(change.in_left.sentence),
        "rules": [list(names) for names in overlap.rules],
        "tags": list(overlap.tags or ()),
        "came": change.came.name.lower(),
        "decided_by": dict(zip("ab", change.decided, strict=True)),
    }


def _moved(moved: MovedTexts) -> dict[str, Any]:
    texts = [{"text": t.text, "count": t.count, "a": t.before, "b": t.after} for t in moved.moved]
    return {"texts": moved.texts, "moved": moved.count, "list": texts}


def _text(found: RuleSetDifference, side: RuleSide, files: tuple[str, str]) -> Iterable[str]:
    yield f"A {files[0]}\nB {files[1]}"
    if found.same:
        yield f"Equivalent: the same sentences for {counted(len(found.groups), side.kind)} and " + (
            f"{counted(len(found.rules), 'rule')}."
        )
    else:
        yield _verdicts(found.groups, side.kind, tagging=side.tagging)
        yield _verdicts(found.rules, "rule", tagging=side.tagging)
        yield from _refusals({side.kind: found.groups, "rule": found.rules})
        yield from _machines(found)


def _verdicts(verdicts: Sequence[LanguageVerdict], kind: str, *, tagging: bool) -> str:
    """Those that differ, or are too large to say, as a table; the others are counted."""
    from re2nn_core.services.rule_difference.language_difference import Verdict

    differing = [found for found in verdicts if found.verdict is not Verdict.SAME]
    unknown = sum(found.verdict is Verdict.UNKNOWN for found in differing)
    proved = len(differing) - unknown
    head = f"{counted(proved, kind)} of {len(verdicts):,} {'differs' if proved == 1 else 'differ'}"
    if not differing:
        says = "annotate the same" if tagging and kind == "slot" else "accept the same sentences"
        return f"All {counted(len(verdicts), kind)} {says}."
    same = len(verdicts) - len(differing)
    if tagging:
        shown = f"{_which(differing)} that both sides tag differently, with the spans of each:"
        rows = [row for found in differing for row in _rows_of_marks(found)]
        columns = [kind, "B against A", "in A", "in B"]
    else:
        shown = f"{_which(differing)} that only one side accepts:"
        rows = [[found.name, _where(found), _shown(found.only_left), _shown(found.only_right)] for found in differing]
        columns = [kind, "B against A", "only A", "only B"]
    unmentioned = f", {unknown:,} too large to decide" if unknown else ""
    return "\n".join([f"{head}, {same:,} the same{unmentioned}. {shown}", table(columns, rows)])


def _which(verdicts: Sequence[LanguageVerdict]) -> str:
    """What the sentences of a table are."""
    reported = [witness for found in verdicts for witness in (found.only_left, found.only_right) if witness is not None]
    return "A sentence" if any(witness.shortest is not None for witness in reported) else "A shortest sentence"


def _refusals(verdicts: Mapping[str, Sequence[LanguageVerdict]]) -> Iterable[str]:
    """Why something is too large to say, each reason once, behind the names that it holds for."""
    names: dict[str, list[str]] = {}
    for kind, every in verdicts.items():
        for found in every:
            if found.refusal:
                names.setdefault(found.refusal, []).append(f"{kind} {found.name}")
    if names:
        yield "\n".join(f"{', '.join(who)}: {why}" for why, who in names.items())


def _stopped(found: RuleSetDifference, budget: int) -> Iterable[str]:
    """What to do where a search came to its budget."""
    verdicts = (*found.groups, *found.rules)
    if any(one.stopped for one in verdicts) or any(one.stopped for one in found.findings):
        yield f"Searches were stopped at --budget {budget}; give a larger one."


def _rows_of_marks(found: LanguageVerdict) -> Iterable[list[str]]:
    name, where = found.name, _where(found)
    for left, right in both_sides(found.only_left, found.only_right) or (("-", "-"),):
        yield [name, where, left, right]
        name = where = ""


def _where(found: LanguageVerdict) -> str:
    from re2nn_core.services.rule_difference.language_difference import Verdict

    if not found.left:
        return "only in B"
    if not found.right:
        return "only in A"
    return {
        Verdict.SAME: "equivalent",
        Verdict.MORE: "accepts more",
        Verdict.LESS: "accepts fewer",
        Verdict.OTHER: "different",
        Verdict.UNKNOWN: "too large to decide",
    }[found.verdict]


def _shown(witness: Witness | None) -> str:
    return "-" if witness is None else witness.shown


def _machines(found: RuleSetDifference) -> Iterable[str]:
    rows, reported = [], []
    for name, drawn in found.machines.items():
        if drawn.difference is None:
            reported.append(f"{name}: {drawn.refusal}")
            continue
        if drawn.by_positions:
            reported.append(f"{name}: {drawn.by_positions}")
        states, arcs = drawn.difference.state_counts, drawn.difference.arc_counts
        rows.append([name, *states.values(), *arcs.values()])
    if rows:
        counts = ["kept", "added", "removed", "changed"]
        head = ["rule", f"states: {counts[0]}", *counts[1:], f"transitions: {counts[0]}", *counts[1:]]
        first = "Both automata compared: states and transitions kept, added, removed and changed:"
        yield "\n".join([first, table(head, rows)])
    if len(rows) == 1:
        yield from _arcs(found)
    if reported:
        yield "\n".join(reported)


def _arcs(found: RuleSetDifference) -> Iterable[str]:
    """The arcs that changed, of the only rule that did."""
    from re2nn_core.services.rule_difference.drawn_differences import arc_rows

    difference = next(drawn.difference for drawn in found.machines.values() if drawn.difference is not None)
    rows = [row for row in arc_rows(difference) if row.meaning != "kept"]
    if not rows:
        return
    shown = rows[:_ARCS]
    columns: dict[str, list[str]] = {
        "transition": [f"{row.mark} {row.meaning}" for row in shown],
        "from state": [row.source for row in shown],
        "to state": [row.target for row in shown],
        "tag": [row.tag for row in shown],
        "words added": [_words(row.added) for row in shown],
        "words removed": [_words(row.removed) for row in shown],
        "words with another tag": [_words(row.retagged) for row in shown],
    }
    kept = {name: cells for name, cells in columns.items() if set(cells) - {"-", ""} or name == "words added"}
    more = [f"and {counted(len(rows) - _ARCS, 'transition')} more (--json has all)"] if len(rows) > _ARCS else []
    yield "\n".join([table(list(kept), zip(*kept.values(), strict=True)), *more, STATE_NUMBERS])


def _words(words: Sequence[str], most: int = 6) -> str:
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return " ".join(words[:most]) + more if words else "-"


def _dead_or_subsumed_text(found: RuleSetDifference) -> str:
    """The rules that do nothing; what is the same on both sides once."""
    left, right = (side.dead_or_subsumed for side in found.findings)
    sides = [("A and of B", left)] if left == right else [("A", left), ("B", right)]
    parts = [
        "\n".join(
            [
                _dead_or_subsumed_head(name, len(dead_or_subsumed)),
                *(f"  {one.name} ({one.group}) {one.in_words}" for one in dead_or_subsumed),
            ]
        )
        for name, dead_or_subsumed in sides
        if dead_or_subsumed
    ]
    return "\n\n".join(parts)


def _dead_or_subsumed_head(name: str, count: int) -> str:
    one_by_one = " (remove one and check again: another may be needed then)" if count > 1 else ""
    return f"Dead and subsumed rules of {name}{one_by_one}:"


def _skipped(name: str, findings: Findings) -> Iterable[str]:
    if findings.skipped:
        more = len(findings.skipped) - _LISTED
        last = [f"  and {more:,} more (--json has all)"] if more > 0 else []
        yield "\n".join([f"Not looked at in {name}:", *(f"  {line}" for line in findings.skipped[:_LISTED]), *last])


def _moved_text(moved: MovedTexts) -> str:
    head = f"{counted(moved.count, 'text')} of {moved.texts:,} {'changes its' if moved.count == 1 else 'change their'}"
    if not moved.moved:
        return f"No text of {moved.texts:,} changes its prediction."
    rows = [[text.count, text.before, text.after, text.text] for text in moved.moved[:_LISTED]]
    more = len(moved.moved) - _LISTED
    last = [f"and {counted(more, 'other text')} (--json has all)"] if more > 0 else []
    return "\n".join([f"{head} prediction, the most frequent first:", table(["times", "A", "B", "text"], rows), *last])
