"""The style of a review as an HTML page: light and dark, for the screen and for paper."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --ink: light-dark(#20262a, #e4e8ea); --quiet: light-dark(#5d676c, #9aa5aa);
  --page: light-dark(#f5f6f7, #14181a); --paper: light-dark(#fff, #1c2124); --line: light-dark(#dfe3e5, #343c40);
  --added: light-dark(#176b44, #6fd3a2); --added-soft: light-dark(#dff3e8, #173c2b);
  --removed: light-dark(#a83a2a, #f0978a); --removed-soft: light-dark(#fbe6e3, #45211d);
  --changed: light-dark(#6f4590, #c9a4e6); --link: light-dark(#1b5e9b, #86bdf0); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
h3 { font-size: .95rem; margin: 1.1rem 0 .35rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
.quiet, .re2-muted { color: var(--quiet); }
.lead { max-width: 52rem; }
.re2-thin { color: light-dark(#8a5a12, #e2b566); }
.up, .re2-up { color: var(--added); } .down, .re2-down { color: var(--removed); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; }
th, td { padding: .3rem .8rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
th { font-weight: 600; color: var(--quiet); font-size: .85rem; }
.re2-patterns { margin: .5rem 0 .7rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.changes { width: 100%; } .changes td:first-child { overflow-wrap: anywhere; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem 1.25rem;
  margin-top: 1.25rem; }
.card > header { display: flex; flex-wrap: wrap; gap: .35rem .7rem; align-items: center; }
.state { margin-left: auto; border: 1px solid currentColor; border-radius: 4px; padding: .05rem .5rem;
  font-size: .85rem; }
.state.accepted, .state.edited { color: var(--added); } .state.rejected { color: var(--removed); }
.chip { display: inline-block; border-radius: 4px; padding: 0 .45rem; font-size: .85em; white-space: nowrap;
  background: light-dark(hsl(var(--hue) 60% 93%), hsl(var(--hue) 30% 23%));
  color: light-dark(hsl(var(--hue) 65% 24%), hsl(var(--hue) 55% 84%)); }
.chip.none { background: none; border: 1px solid var(--line); color: var(--quiet); }
.re2-rule-text { font: .92em/1.75 ui-monospace, monospace; border: 1px solid var(--line); border-radius: 6px;
  background: var(--page); padding: .5rem .75rem; overflow-wrap: anywhere; }
.re2-rule-text details, .re2-inline { display: inline; }
:is(.re2-rule-text details, .re2-inline):not([open])::details-content { display: none; }
:is(.re2-rule-text, .re2-inline) summary { display: inline; cursor: pointer; text-decoration: underline dotted; }
.re2-rule-text details > div { margin: .2rem 0 .2rem 1.5rem; } .re2-rule-text i { color: var(--quiet); }
.re2-new { color: var(--added); background: var(--added-soft); text-decoration: underline; border-radius: 2px; }
.re2-refused { color: #8a5a00; }
.re2-rewritten { opacity: .5; text-decoration: underline dotted; }
.re2-gone { color: var(--removed); background: var(--removed-soft); text-decoration: line-through; border-radius: 2px; }
.drawing { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; margin: 0; }
.drawing svg { display: block; margin: 0 auto; }
.drawing svg > rect { fill: var(--paper); }
.drawing svg text { fill: var(--ink); } .drawing .s { fill: var(--paper); }
.drawing .g, .drawing .t.g { stroke: var(--paper); }
.drawing .kept { stroke: var(--quiet); } .drawing marker[id$=kept] path { fill: var(--quiet); }
.drawing .added { stroke: var(--added); } .drawing marker[id$=added] path, .drawing svg .ladded { fill: var(--added); }
.drawing .removed { stroke: var(--removed); }
.drawing marker[id$=removed] path, .drawing svg .lremoved { fill: var(--removed); }
.drawing .changed { stroke: var(--changed); }
.drawing marker[id$=changed] path, .drawing svg .lchanged { fill: var(--changed); }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.5rem; }
.sides.single { grid-template-columns: 1fr; } .single ul.texts { columns: 2; column-gap: 1.5rem; }
.sides h3 { border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
ul.texts { list-style: none; margin: 0; padding: 0; }
ul.texts li { break-inside: avoid; padding: .35rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
ul.texts li:last-child { border-bottom: 0; }
ul.texts .moved { font-size: .85em; color: var(--quiet); }
mark { color: inherit; background: light-dark(#fff0b8, #55481a); border-radius: 2px; padding: 0 .1em; }
mark.wildcard { background: none; border-bottom: 1px dotted var(--quiet); }
:is(mark.learned, mark.new) { background: var(--added-soft); border-bottom: 2px solid var(--added); }
mark.incorrect { background: var(--removed-soft); border-bottom: 2px solid var(--removed); }
mark.lost { background: none; color: var(--removed); border-bottom: 2px dashed var(--removed); }
mark.gone { background: none; border-bottom: 2px dashed var(--removed); }
mark small { color: var(--quiet); margin-left: .25em; }
.witness { font-family: ui-monospace, monospace; font-size: .92em; overflow-wrap: anywhere; }
.how { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; font-size: .9em; color: var(--quiet); margin: .6rem 0 1rem; }
@media (max-width: 820px) { .sides { grid-template-columns: 1fr; } .single ul.texts { columns: 1; }
  main { padding: 1.25rem 1rem 3rem; } }
@media print { :root { color-scheme: light; } body { background: none; font-size: 12px; }
  main { max-width: none; padding: 0; } .card { break-before: page; border: 0; padding: 0; }
  .drawing { overflow: visible; break-inside: avoid; } .drawing svg { max-width: 100%; height: auto; }
  ul.texts li, .re2-rule-text { break-inside: avoid; }
  details::details-content { display: block; content-visibility: visible; } }
"""
