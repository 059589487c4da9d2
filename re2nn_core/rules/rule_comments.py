"""What people wrote about a rule: the comments directly above it and at its end, and the line that tells a reader that
they are older than the rule.

A rule that is changed from what was learned keeps its comments, which may be untrue of it now. Nobody but a person can
tell, so nothing of them is touched; the line stands between them and the rule, once, whatever follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.rules.lexer import comment_start
from re2nn_core.rules.source import LogicalLine

# What is written with rules that nobody wrote: above the first of those that were learned, and of those that were
# proposed for spans; behind one for labels that was proposed, or mined; above those that a project began with.
LEARNED_BY_NETWORK = "// New rules, learned by the trained network."
PROPOSED_FOR_SPANS = "// New rules, proposed for the annotated texts."
PROPOSED_FOR_LABELS = "// proposed for the labelled texts"
MINED = "mined from train texts"
SUGGESTED = "suggested from the texts; make it your own"
_BY_NOBODY = (LEARNED_BY_NETWORK, PROPOSED_FOR_SPANS, PROPOSED_FOR_LABELS, f"// {MINED}")


@dataclass(frozen=True)
class Comments:
    """`above`: the comment lines directly above a rule, as they stand in the file; `behind`: what stands at its end."""

    rule: str
    above: tuple[str, ...]
    behind: str

    @property
    def own(self) -> tuple[str, ...]:
        """What people wrote, without the line of `older`, and without what is written with rules that nobody wrote."""
        written = (line.strip() for line in (*self.above, self.behind))
        others = (older(self.rule), *_BY_NOBODY)
        return tuple(line for line in written if line and line not in others and not line.endswith(SUGGESTED))

    @property
    def lines_marked_older(self) -> tuple[str, ...]:
        """The comment lines with the one that says that they are older; as they are where it closes them already, or
        where nobody wrote anything."""
        if not self.own or (self.above and self.above[-1].strip() == older(self.rule)):
            return self.above
        return (*self.above, older(self.rule))


def older(rule: str) -> str:
    """The line above a rule whose comments were written before it was changed."""
    return f"// {rule} was changed from what was learned; its comments are older"


def comments_of(rule: str, lines: Sequence[str], line: LogicalLine) -> Comments:
    """The comments of the rule of a logical line; `lines` are all of the file."""
    begin = end = line.number - 1
    while begin and lines[begin - 1].strip().startswith("//"):
        begin -= 1
    last = line.sources[-1]
    at = comment_start(last)
    return Comments(rule, tuple(lines[begin:end]), "" if at is None else last[at:].strip())
