"""Small pieces of HTML that pages share. Text from people and files enters only through `escape`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape as _escape
from types import MappingProxyType
from typing import Literal

import streamlit as st

from re2nn_core.text.counting import counted
from re2nn_core.text.visible import visible

Better = Literal["more", "less", "neither"]

STYLE = """
<style>
.re2-chip { display: inline-block; box-sizing: border-box; padding: 0 .5em; border-radius: .9em; font-size: .86em;
  line-height: 1.55; white-space: nowrap; max-width: min(20em, 20vw); overflow: hidden; text-overflow: ellipsis;
  vertical-align: bottom; border: 1px solid color-mix(in srgb, var(--chip) 55%, transparent);
  background: color-mix(in srgb, var(--chip) 16%, transparent); }
.re2-chip::before { content: ""; display: inline-block; width: .6em; height: .6em; border-radius: 50%;
  margin-right: .4em; background: var(--chip); }
.re2-chip.re2-none { border: 1px dashed; background: none; opacity: .75; }
.re2-chip.re2-none::before { background: none; border: 1px solid currentColor; }
.re2-points { margin: .25rem 0; padding-left: 1.1rem; }
.re2-points li { margin: 0; font-size: inherit; }
.re2-muted { opacity: .68; font-size: .88em; }
abbr.re2-term { text-decoration: underline dotted; text-underline-offset: .2em; cursor: help; }
.re2-landing:focus { outline: 2px solid var(--st-primary-color, #1f6f8b); outline-offset: 3px; border-radius: .2rem; }
h2.re2-section { font-size: 1.12em; font-weight: 600; line-height: 1.4; padding: 0; margin: .3rem 0 .1rem; }
.re2-unsaid .re2-said { visibility: hidden; }
.re2-gone [data-testid="stDialog"], .re2-marks-gone [data-testid="stDialog"] { display: none; }
.re2-empty { text-align: center; padding: 1.2rem 1rem .6rem; line-height: 1.7; }
.re2-fault, .re2-warn { border-left: 3px solid #d64545; padding: .3rem .7rem .4rem; margin-bottom: .5rem;
  background: color-mix(in srgb, #d64545 8%, transparent); border-radius: 0 .3rem .3rem 0; font-size: .92em; }
.re2-warn { border-color: #b7791f; background: color-mix(in srgb, #b7791f 9%, transparent); }
.re2-fault pre, .re2-warn pre { margin: .25rem 0; padding: .25rem .4rem; overflow-x: auto; font-size: .92em;
  background: color-mix(in srgb, currentColor 5%, transparent); border-radius: .25rem; }
.re2-fault mark { background: none; color: inherit; text-decoration: underline wavy #d64545; }
.re2-warn mark { background: none; color: inherit; text-decoration: underline wavy #b7791f; }
.re2-place { font-size: .86em; opacity: .7; margin-right: .4em; }
.re2-texts { border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
.re2-text { padding: .34rem .2rem; border-bottom: 1px solid color-mix(in srgb, currentColor 14%, transparent);
  line-height: 1.5; overflow-wrap: anywhere; white-space: pre-wrap; tab-size: 4; max-height: 12rem; overflow-y: auto; }
.re2-text > * { white-space: normal; }
.re2-text > mark { white-space: inherit; }
.re2-text .re2-meta { float: right; margin-left: .8rem; }
.re2-hit { background: color-mix(in srgb, var(--chip, #1f6f8b) 24%, transparent); color: inherit; font-weight: 600;
  border-bottom: 2px solid var(--chip, #1f6f8b); border-radius: .15em .15em 0 0; padding: 0 .08em; }
.re2-any { background: none; color: inherit; border-bottom: 2px dotted var(--chip, #1f6f8b); }
.re2-span { background: color-mix(in srgb, var(--chip) 20%, transparent); color: inherit; border-radius: .2em;
  border-bottom: 2px solid var(--chip); padding: .06em .15em; box-decoration-break: clone; }
.re2-span > small { font-size: .74em; font-weight: 600; margin-left: .35em; letter-spacing: .01em;
  color: color-mix(in srgb, var(--chip) 68%, light-dark(black, white)); }
.re2-span.re2-missed { background: none; border: 1px dashed var(--chip); }
.re2-span.re2-wrong { border-bottom: 2px dashed #d64545; }
.re2-sentence { line-height: 1.45; overflow-wrap: anywhere; }
.re2-sentence.re2-fails { border-left: 3px solid #d64545; padding-left: .45rem; }
.re2-sentence > div { font-size: .88em; }
/* A text or a sentence with a small button beside it. */
[class*="st-key-re2_row_"] { flex-wrap: nowrap; }
[class*="st-key-re2_row_"] > :first-child { flex: 1 1 0; min-width: 0; }
[class*="st-key-re2_row_"] > :last-child:not(:first-child) { flex: 0 0 auto; }
[class*="st-key-re2_row_"] button[kind="tertiary"], [class*="st-key-re2_rows"] button { min-height: 1.5rem;
  padding: 0 .2rem; }
[class*="st-key-re2_rows"] button { justify-content: flex-start; text-align: left; }
[class*="st-key-re2_rows"] button p { white-space: normal; font-size: .92em; line-height: 1.35; }
/* Buttons in three columns, as wide and in the same place for each text. */
.st-key-re2_grid { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .6rem .8rem; }
.st-key-re2_grid button p { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.re2-notes { font-size: .88em; margin: .1rem 0 .1rem .1rem; padding-left: .6rem; line-height: 1.6;
  border-left: 2px solid color-mix(in srgb, currentColor 18%, transparent); }
.re2-key { display: inline-block; min-width: 1.6em; text-align: center; padding: 0 .35em; border-radius: .25em;
  border: 1px solid color-mix(in srgb, currentColor 35%, transparent); font-family: monospace; font-size: .86em; }
.re2-figures { display: flex; flex-wrap: wrap; gap: .3rem 1.6rem; align-items: baseline; }
.re2-figure b { font-size: 1.22em; font-weight: 600; font-variant-numeric: tabular-nums; }
.re2-figure span { opacity: .68; font-size: .88em; }
.re2-up { color: light-dark(#1d7a4c, #63c697); } .re2-down { color: light-dark(#b23b3b, #f0908c); }
.re2-table { border-collapse: collapse; width: 100%; font-size: .92em; }
.re2-table th { text-align: left; font-weight: 600; opacity: .75; }
.re2-table th, .re2-table td { padding: .22rem .6rem .22rem 0;
  border-bottom: 1px solid color-mix(in srgb, currentColor 12%, transparent); vertical-align: top; }
.re2-table th.re2-number, .re2-table td.re2-number { text-align: right; font-variant-numeric: tabular-nums; }
/* The working area: less air at the top, and the bar as one quiet line. */
[data-testid="stMainBlockContainer"] { padding: 4.1rem clamp(1rem, 2.6vw, 3rem) 2rem; }
.st-key-re2_bar input { text-overflow: ellipsis; }
.st-key-re2_bar { border-bottom: 1px solid color-mix(in srgb, currentColor 14%, transparent);
  padding-bottom: .35rem; }
a.re2-rule-link { color: inherit; text-decoration: underline;
  text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); text-underline-offset: .2em; }
a.re2-rule-link:hover { text-decoration-color: currentColor; }
/* Scripts show nothing, so they take no room. */
[class*="st-key-_script_"], .st-key-_jumps { position: absolute; }
[class*="st-key-_rules_view"] button { padding-left: .5rem; padding-right: .5rem; }
.st-key-re2_texts { height: max(12rem, calc(100vh - 341px - min(232px, 26vh))) !important; }
[class*="st-key-_rules_editor"] textarea, [class*="st-key-_logic_editor"] textarea { font-family: monospace;
  font-size: .87rem; }
@media (max-width: 1250px) { .st-key-re2_cards button { padding-inline: .5rem; } .st-key-re2_cards { gap: .35rem; }
  .st-key-re2_cards [data-has-shortcut] > :has(> [data-testid="stIconMaterial"]) { display: none; }
  .st-key-re2_bar [class*="st-key-_bar_version"] { flex: 0 1 8.6rem !important; width: 8.6rem !important; }
  /* The name of a model takes the room that is left, and all that it needs where it is chosen. */
  .st-key-re2_bar [class*="st-key-_bar_model"] { flex: 1000 1 8.6rem !important; max-width: 17.5rem; }
  .st-key-re2_bar [class*="st-key-_bar_model"][class*="run-"] { flex-basis: 17.5rem !important; }
  /* Before it is cut, what has a tooltip is: the next step, then the title of the project. */
  .st-key-re2_bar > :has([data-testid="stPageLink"]) { flex: 0 50 auto !important; min-width: 6rem; }
  .st-key-re2_bar > :has([data-testid="stPageLink"]):has(+ * [data-testid="stPageLink"]) {
    flex-shrink: 200 !important; }
  .st-key-re2_bar [data-testid="stPageLink"] :is(a, span, div, p) { min-width: 0; overflow: hidden;
    text-overflow: ellipsis; white-space: nowrap; }
  body:has([class*="st-key-_bar_model"] [aria-expanded="true"]) [data-testid="stSelectboxVirtualDropdown"] {
    min-width: 17.5rem; }
  .st-key-re2_bar .stSelectbox { width: 100% !important; }
  .re2-purpose { display: none; }
  [class*="st-key-_save_message"] { width: 8rem !important; max-width: 8rem; min-width: 0; flex: 0 1 8rem !important; }
  .st-key-rules_propose [data-testid="stMarkdownContainer"], .st-key-rules_select [data-testid="stMarkdownContainer"],
  .st-key-rules_propose kbd { display: none; }
  [class*="st-key-_rules_view"] button { padding-left: .25rem; padding-right: .25rem; }
  [class*="st-key-_rules_view"] button p { font-size: .8rem; } }
@media (min-width: 1000px) and (max-width: 1250px) { .st-key-re2_bar { flex-wrap: nowrap !important; }
  .st-key-re2_bar > :first-child { flex-shrink: 0 !important; white-space: nowrap; } }
/* The button that opens a project lies over its whole card; what else can be clicked lies above that. */
[class*="st-key-re2_card_own_"] { position: relative; }
[class*="st-key-re2_card_own_"]:hover { border-color: var(--st-primary-color, #1f6f8b); }
[class*="st-key-re2_card_own_"] :is([class*="st-key-open_"], [class*="st-key-open_"] *) { position: static; }
[class*="st-key-re2_card_own_"] [class*="st-key-open_"] button::after { content: ""; position: absolute; inset: 0; }
[class*="st-key-re2_card_own_"] [class*="st-key-more_"] { position: relative; z-index: 1; }
/* The help is a panel at the side, and the page makes room for it: what is asked about stays in sight. */
[data-testid="stDialog"]:has(.st-key-re2_help) { background: none; pointer-events: none; display: block; }
[data-testid="stDialog"]:has(.st-key-re2_help) > div { pointer-events: auto; position: fixed; margin: 0;
  top: 3.6rem; right: 0; bottom: 0; width: clamp(20rem, 32vw, 30rem); max-width: none; height: auto; max-height: none;
  overflow-y: auto; border-radius: 0; border-left: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
body:has(.st-key-re2_help) [data-testid="stMainBlockContainer"] {
  padding-right: calc(clamp(20rem, 32vw, 30rem) + 1rem); }
/* A click on an empty place gives the whole page the focus; a frame around it tells nobody anything. */
[data-testid="stMain"]:focus { outline: none; box-shadow: none; }
/* Above the page they cover its bar and the button to save. */
[data-testid="stToastContainer"] { top: auto !important; bottom: 1rem !important; }
/* The tools of a table lie over what stands above it: while a row is chosen they would do so all the time. */
[data-testid="stElementContainer"]:not(:hover, :focus-within) [data-testid="stElementToolbar"] { opacity: 0;
  pointer-events: none; }
</style>
"""


def escape(text: str) -> str:
    """Text that can stand in HTML, in an attribute as well. What would turn the direction of all that follows is
    written out."""
    return _escape(visible(text), quote=True)


def html(body: str, *, width: Literal["stretch", "content"] = "stretch") -> None:
    """Draw HTML that was put together here. `width`: in a row, all that is left, or what it needs."""
    if body:
        st.html(body, width=width)


def draw_details(title: str, text: str) -> None:
    """Text that most people need not read, folded below its title."""
    _draw_folded(title, f"<div>{escape(text)}</div>")


def draw_points(title: str, text: str) -> None:
    """The same, a point for each sentence and each part of one behind a semicolon."""
    items = "".join(f"<li>{escape(point)}</li>" for point in points_of(text))
    _draw_folded(title, f'<ul class="re2-points">{items}</ul>')


_POINTS = re.compile(r"(?<=[.;])\s+(?![^()]*\))")


def points_of(text: str) -> list[str]:
    """What stands between full stops or semicolons outside of brackets, each with a capital in front."""
    parts = [part.strip().rstrip(".;") for part in _POINTS.split(text)]
    return [part[0].upper() + part[1:] for part in parts if part]


def _draw_folded(title: str, body: str) -> None:
    html(f'<details class="re2-muted"><summary>{escape(title)}</summary>{body}</details>')


def explained(text: str, meaning: str) -> str:
    """Words with what they mean as a tooltip, as HTML; without one where `meaning` is empty."""
    return f'<abbr class="re2-term" title="{escape(meaning)}">{escape(text)}</abbr>' if meaning else escape(text)


def section(title: str, note: str = "", *, meaning: str = "") -> None:
    """The heading of a part of the page, as one for screen readers too; below it a note, and `meaning` as its
    tooltip."""
    below = f'<div class="re2-muted">{escape(note)}</div>' if note else ""
    html(f'<h2 class="re2-section">{explained(title, meaning)}</h2>{below}')


def styles() -> None:
    """The style sheet of the application; the bar draws it once a page."""
    st.html(STYLE)


def figures(items: Iterable[tuple[str, str, str]], meanings: Mapping[str, str] = MappingProxyType({})) -> str:
    """Numbers in a row: (value, what it counts, a note as HTML); `meanings`: tooltips of what is counted."""
    cells = (
        f'<div class="re2-figure"><b>{escape(value)}</b> '
        f"<span>{explained(name, meanings.get(name, ''))}</span>{note}</div>"
        for value, name, note in items
    )
    return f'<div class="re2-figures">{"".join(cells)}</div>'


def count_figure(number: int, noun: str, plural: str = "") -> tuple[str, str, str]:
    """A count for `figures`: `1 span`, `2 spans`."""
    value, what = counted(number, noun, plural).split(" ", 1)
    return value, what, ""


def difference(change: float | None, *, percent: bool = False, digits: int = 0, better: Better = "more") -> str:
    """A change since before, with its sign and an arrow: never colour alone. Empty for none. With `percent` it is one
    of shares of 1, in points: from 80.1% to 88.9% are 8.8 points.

    `better` says which direction is the good one; "neither" leaves the change without a colour.
    """
    if change is None:
        return ""
    number = f"{100 * change:+.1f}" if percent else f"{change:+,.{digits}f}"
    if not number.strip("+-0.,"):  # no digit shows a change
        return ""
    text = f"{number} points" if percent else number
    arrow = "▲" if change > 0 else "▼"
    kind = "re2-muted" if better == "neither" else "re2-up" if (change > 0) == (better == "more") else "re2-down"
    return f' <span class="{kind}">{arrow} {text}</span>'
