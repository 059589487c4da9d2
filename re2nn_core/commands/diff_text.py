"""The answer of diff: one object, and the same as tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from re2nn_core.commands.answer import Answer, counted, table

if TYPE_CHECKING:
    from re2nn_core.automata.difference import MachineDifference, Mark
    from re2nn_core.services.idle_rules import Findings
    from re2nn_core.services.language_difference import LanguageVerdict, RuleSide, Witness
    from re2nn_core.services.moved_texts import MovedTexts
    from re2nn_core.services.rule_set_difference import RuleSetDifference

_TOLD = 20  # rows of a table that only grows with the rules
_ARCS = 12


def as_answer(
    found: RuleSetDifference,
    side: RuleSide,
    files: tuple[str, str],
    moved: MovedTexts | None,
    drawn: Mapping[str, str],
) -> Answer:
    """All that was found; `drawn` are the pictures that were written, by format."""
    data: dict[str, Any] = {
        "a": files[0],
        "b": files[1],
        "equivalent": found.same,
        f"{side.kind}s": {group.name: _verdict(group) for group in found.groups},
        "rules": {rule.name: {**_verdict(rule), **_machine(found, rule.name)} for rule in found.rules},
        "idle": {key: _idle(findings) for key, findings in zip("ab", found.findings, strict=True)},
        "overlaps": {key: _overlaps(findings) for key, findings in zip("ab", found.findings, strict=True)},
        "skipped": {key: list(findings.skipped) for key, findings in zip("ab", found.findings, strict=True)},
        "moved": None if moved is None else _moved(moved),
        "drawn": dict(drawn),
    }
    return Answer(data, "\n\n".join(_text(found, side, files, moved)), ok=found.same)


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
    return None if witness is None else {"words": list(witness.words), "tags": list(witness.tags)}


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
        }
    }


def _counts(counts: Mapping[Mark, int]) -> dict[str, int]:
    return {mark.word: count for mark, count in counts.items()}


def _changes(difference: MachineDifference) -> list[dict[str, Any]]:
    from re2nn_core.services.drawn_differences import arc_rows

    return [
        {
            "mark": row.mark,
            "source": row.source,
            "target": row.target,
            "tag": row.tag,
            "added": list(row.added),
            "removed": list(row.removed),
        }
        for row in arc_rows(difference)
        if row.mark != "="
    ]


def _idle(findings: Findings) -> list[dict[str, Any]]:
    return [
        {"rule": idle.name, "group": idle.group, "dead": idle.dead, "subsumed_by": list(idle.by)}
        for idle in findings.idle
    ]


def _overlaps(findings: Findings) -> list[dict[str, Any]]:
    return [
        {"between": list(found.groups), "sentence": list(found.sentence), "rules": [list(r) for r in found.rules]}
        for found in findings.overlaps
    ]


def _moved(moved: MovedTexts) -> dict[str, Any]:
    texts = [{"text": t.text, "count": t.count, "a": t.before, "b": t.after} for t in moved.moved]
    return {"texts": moved.texts, "moved": moved.count, "list": texts}


def _text(found: RuleSetDifference, side: RuleSide, files: tuple[str, str], moved: MovedTexts | None) -> Iterable[str]:
    yield f"A {files[0]}\nB {files[1]}"
    if found.same:
        yield f"Equivalent: the same sentences for {counted(len(found.groups), side.kind)} and " + (
            f"{counted(len(found.rules), 'rule')}."
        )
    else:
        yield _verdicts(found.groups, side.kind)
        yield _verdicts(found.rules, "rule")
        yield from _machines(found)
    alike = found.findings[0] == found.findings[1]
    for name, findings in [("A and of B", found.findings[0])] if alike else zip("AB", found.findings, strict=True):
        yield from _finding(name, findings, side)
    if moved is not None:
        yield _moved_text(moved)


def _verdicts(verdicts: Sequence[LanguageVerdict], kind: str) -> str:
    """Those that differ as a table; the others are counted."""
    from re2nn_core.services.language_difference import Verdict

    rows = [
        [found.name, _where(found), _shown(found.only_left), _shown(found.only_right)]
        for found in verdicts
        if found.verdict is not Verdict.SAME
    ]
    same = len(verdicts) - len(rows)
    head = f"{counted(len(rows), kind)} of {len(verdicts):,} {'differs' if len(rows) == 1 else 'differ'}"
    if not rows:
        return f"All {counted(len(verdicts), kind)} accept the same sentences."
    refusals = [f"{found.name}: {found.refusal}" for found in verdicts if found.refusal]
    lines = [f"{head}, {same:,} the same. A shortest sentence of either side alone:"]
    return "\n".join([*lines, table([kind, "B beside A", "only A", "only B"], rows), *refusals])


def _where(found: LanguageVerdict) -> str:
    from re2nn_core.services.language_difference import Verdict

    if not found.left:
        return "in B alone"
    if not found.right:
        return "in A alone"
    return {
        Verdict.SAME: "equivalent",
        Verdict.MORE: "accepts more",
        Verdict.LESS: "accepts less",
        Verdict.OTHER: "different",
        Verdict.UNKNOWN: "too large to say",
    }[found.verdict]


def _shown(witness: Witness | None) -> str:
    return "-" if witness is None else witness.text


def _machines(found: RuleSetDifference) -> Iterable[str]:
    rows, told = [], []
    for name, drawn in found.machines.items():
        if drawn.difference is None:
            told.append(f"{name}: {drawn.refusal}")
            continue
        states, arcs = drawn.difference.state_counts, drawn.difference.arc_counts
        rows.append([name, *(_signed(states)), *(_signed(arcs))])
    if rows:
        head = ["rule", *(f"states {sign}" for sign in "=+-±"), *(f"arcs {sign}" for sign in "=+-±")]
        yield "\n".join(["Minimal machines laid over one another:", table(head, rows)])
    if len(rows) == 1:
        yield from _arcs(found)
    if told:
        yield "\n".join(told)


def _signed(counts: Mapping[Mark, int]) -> list[int]:
    return list(counts.values())


def _arcs(found: RuleSetDifference) -> Iterable[str]:
    """The arcs that changed, of the only rule that did."""
    from re2nn_core.services.drawn_differences import arc_rows

    difference = next(drawn.difference for drawn in found.machines.values() if drawn.difference is not None)
    rows = [row for row in arc_rows(difference) if row.mark != "="]
    if rows:
        shown = [
            [row.mark, row.source, row.target, *([row.tag] if any(r.tag for r in rows) else []),
             _words(row.added), _words(row.removed)]
            for row in rows[:_ARCS]
        ]  # fmt: skip
        tag = ["tag"] if any(row.tag for row in rows) else []
        more = [f"and {counted(len(rows) - _ARCS, 'arc')} more"] if len(rows) > _ARCS else []
        yield "\n".join([table(["", "from", "to", *tag, "words added", "words removed"], shown), *more])


def _words(words: Sequence[str], most: int = 6) -> str:
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return " ".join(words[:most]) + more if words else "-"


def _finding(name: str, findings: Findings, side: RuleSide) -> Iterable[str]:
    if findings.idle:
        lines = [f"  {idle.name} ({idle.group}) {idle.in_words}" for idle in findings.idle]
        yield "\n".join([f"Rules of {name} that do nothing:", *lines])
    if findings.overlaps:
        rows = [
            [" and ".join(found.groups), " ".join(found.sentence) or "(the sentence without a word)",
             " / ".join(", ".join(rules[:3]) for rules in found.rules)]
            for found in findings.overlaps[:_TOLD]
        ]  # fmt: skip
        what = "two slots claim one word" if side.tagging else "two labels speak"
        more = len(findings.overlaps) - _TOLD
        last = [f"and {counted(more, 'pair')} more (--json has all)"] if more > 0 else []
        head = f"Sentences of {name} for which {what}, whether or not a text has them:"
        yield "\n".join([head, table([f"{side.kind}s", "sentence", "rules"], rows), *last])
    if findings.skipped:
        yield "\n".join([f"Not looked at in {name}:", *(f"  {line}" for line in findings.skipped)])


def _moved_text(moved: MovedTexts) -> str:
    head = f"{counted(moved.count, 'text')} of {moved.texts:,} {'changes its' if moved.count == 1 else 'change their'}"
    if not moved.moved:
        return f"No text of {moved.texts:,} changes its answer."
    rows = [[text.count, text.before, text.after, text.text] for text in moved.moved[:_TOLD]]
    more = len(moved.moved) - _TOLD
    last = [f"and {counted(more, 'other text')} (--json has all)"] if more > 0 else []
    return "\n".join([f"{head} answer, the most frequent first:", table(["times", "A", "B", "text"], rows), *last])
