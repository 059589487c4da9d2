"""Whether a change of a rule is worth accepting, in a sentence: what it does to held-out texts decides, and what it
does to others stands quietly behind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from re2nn_core.plots.review.change_html import escape
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names

Tone = Literal["up", "down", "thin", ""]
Weak = Literal["", "few", "common", "test"]
_ADVICE: dict[Tone, str] = {"up": "Recommended", "down": "Not recommended", "": "No gain"}
_THIN = "Thin evidence"
_WEAK = {"few": _THIN, "common": "Only common words", "test": "Test disagrees"}
_FINDING: dict[Tone, str] = {"up": "Better", "down": "Worse", "": "No gain"}
_STOPPED = "Test sentence fails"
_UNKNOWN = "No recommendation"


@dataclass(frozen=True)
class ChangeFigures:
    """What a change does. `base` are the texts that decide, as `102 held-out test texts`, empty where there are none;
    `held`: how many of them it fixes and breaks. `others`: the same of other labelled texts, which are named. `changed`
    counts other predictions that change. `elsewhere`: how many texts it breaks that do not decide, by what one of them
    is called, as `train text`. `gain` is that of the figure called `measure`, as a share of 1; `advice`:
    somebody is to accept it or not. `weak`: a gain may be chance, for so `few` texts say so, or few for a change of
    `common` words alone, or `test` texts do not; `stopped`: a test sentence of the rule would fail. `repairs`: how
    many texts it repairs that the change of another rule breaks, and whether that is accepted, by that rule;
    `repaired`: how many others repair of all that are `broken`. `safely`: what it repairs recommends it (`up`), or
    hardly (`thin`). `test_gain`: that of the figure on test texts, where these are among `others`."""

    base: str
    held: tuple[int, int]
    others: Sequence[tuple[str, int, int]]
    changed: int
    gain: float | None
    measure: str = ""
    advice: bool = True
    weak: Weak = ""
    stopped: bool = False
    elsewhere: Sequence[tuple[str, int]] = ()
    repairs: Sequence[tuple[str, int, bool]] = ()
    repaired: Sequence[tuple[str, int]] = ()
    broken: int = 0
    safely: Tone = ""
    test_gain: float | None = None

    @property
    def tone(self) -> Tone:
        """Whether the held-out texts gain (`up`, or `thin` where a few alone say so) or lose (`down`)."""
        if not self.base or (self.gain or 0.0) < 0:
            return "down" if self.base else ""
        if not self.gain or (self.weak and self.advice):
            own: Tone = "thin" if self.gain else ""
            return "thin" if self.safely and self.stopped else self.safely or own
        return "thin" if self.stopped else "up"

    @property
    def verdict(self) -> str:
        """The advice in a word or three."""
        if self.stopped:
            return _STOPPED
        if not self.base:
            return _UNKNOWN if self.advice else ""
        if self.advice and self.tone == "up" and not self.gain and self.repairs:
            return f"{_ADVICE['up']} with {join_names([rule for rule, _, _ in self.repairs])}"
        if self.advice and self.tone == "thin":
            return _WEAK.get(self.weak if self.gain else "", _THIN)
        return (_ADVICE if self.advice else _FINDING)[self.tone]


def verdict_as_html(figures: ChangeFigures, leads_to: Callable[[str], str] | None = None) -> str:
    """The verdict and its reason, and behind it the figures that do not decide. `leads_to` names another change, as
    HTML; else a button does that shows it."""
    return f"<div>{_reason(figures)}{_behind(figures)}{_together(figures, leads_to or _button)}</div>"


def _reason(figures: ChangeFigures) -> str:
    verdict = f'<b class="re2-verdict{f" re2-{figures.tone}" if figures.tone else ""}">{escape(figures.verdict)}</b>'
    if not figures.base:
        return f"{verdict}: there are no held-out texts, so the effect on new texts is unknown."
    fixed, broken = figures.held
    points = _points(figures, figures.gain)
    own = f"fixes <b>{fixed:,}</b> and breaks <b>{broken:,}</b> of {escape(figures.base)}{points}."
    return f"{verdict}: {own}{_elsewhere(figures)}"


def _points(figures: ChangeFigures, gain: float | None) -> str:
    return f", {escape(figures.measure)} {100 * (gain or 0.0):+.1f} points" if figures.measure else ""


def _elsewhere(figures: ChangeFigures) -> str:
    """What a change breaks among the texts that do not decide, so that nobody takes 0 broken ones for harmless."""
    broken = [counted(count, name) for name, count in figures.elsewhere if count]
    return f' <span class="re2-down">Also breaks {escape(join_names(broken))}.</span>' if broken else ""


def _together(figures: ChangeFigures, leads_to: Callable[[str], str]) -> str:
    """What it does beside other changes, which are named."""
    both = [f"{counted(count, 'text')} that {leads_to(rule)} breaks" for rule, count, _ in figures.repairs]
    taken = all(accepted for _, _, accepted in figures.repairs)
    advice = ": accept both." if len(both) == 1 else ": accept them together."
    advised = advice if figures.advice and figures.safely == "up" and not taken else "."
    repairs = f' <span class="re2-up">Repairs {join_names(both)}</span>{advised}' if both else ""
    by = [f"{leads_to(rule)} repairs {count:,}" for rule, count in figures.repaired]
    of_all = f"of the {counted(figures.broken, 'broken text')}"
    return f"{f' {join_names(by)} {of_all}.' if by else ''}{repairs}"


def _button(rule: str) -> str:
    return f'<button type="button" class="re2-go" data-go="{escape(rule)}">{escape(rule)}</button>'


def _lost(broken: int) -> str:
    return f'<span class="re2-down">{broken:,} broken</span>' if broken else "0 broken"


def _behind(figures: ChangeFigures) -> str:
    moved = [one for one in figures.others if one[1] or one[2]]
    points = "" if figures.test_gain is None else _points(figures, figures.test_gain)
    parts = [f"{escape(name)}: {fixed:,} fixed, {_lost(broken)}{points}." for name, fixed, broken in moved]
    if figures.changed and not moved and not any(figures.held):
        parts.append(
            f"{counted(figures.changed, 'other prediction')} {'changes' if figures.changed == 1 else 'change'}."
        )
    return f' <span class="re2-muted">{" ".join(parts)}</span>' if parts else ""
