"""How the page Compare looks: what came is underlined and green, what went is struck through and red."""

STYLE = """
<style>
.re2-rule-text { font-family: var(--st-code-font, monospace); font-size: .9em; line-height: 1.75; padding: .45rem .6rem;
  background: color-mix(in srgb, currentColor 5%, transparent); border-radius: .3rem; overflow-wrap: anywhere;
  white-space: pre-wrap; }
.re2-rule-text details, .re2-inline { display: inline; }
.re2-rule-text details:not([open])::details-content, .re2-inline:not([open])::details-content { display: none; }
.re2-rule-text summary, .re2-inline summary { display: inline; cursor: pointer; text-decoration: none;
  border-bottom: 1px solid color-mix(in srgb, currentColor 40%, transparent); }
.re2-rule-text summary i { font-style: normal; opacity: .65; font-size: .88em; }
.re2-rule-text details > div { display: block; margin: .2rem 0 .3rem .8rem; padding-left: .6rem;
  border-left: 2px solid color-mix(in srgb, currentColor 25%, transparent); }
.re2-new { color: light-dark(#17683f, #7fd6ab); background: color-mix(in srgb, #2e9e6b 17%, transparent);
  text-decoration: underline; text-underline-offset: .18em; border-radius: .2em; padding: 0 .12em; }
.re2-gone { color: light-dark(#a3302b, #f0a09b); background: color-mix(in srgb, #c4514b 15%, transparent);
  border-radius: .2em; padding: 0 .12em; }
.re2-refused { color: light-dark(#8a5a00, #e3b868); }
.re2-rewritten { opacity: .55; text-decoration: underline dotted; text-underline-offset: .18em; cursor: help; }
.re2-patterns { border-collapse: collapse; table-layout: fixed; width: 100%; max-width: 56rem; }
.re2-patterns th { font-weight: 400; opacity: .75; text-align: left; font-size: .92em; cursor: help; }
.re2-patterns th:first-child { cursor: auto; }
.re2-patterns :is(th, td) { padding: .08rem .5rem .08rem 0; vertical-align: top; border: 0; }
.re2-patterns :is(th, td):not(:first-child) { width: 23%; }
.re2-patterns :is(th, td):last-child { width: 14%; }
.re2-patterns b { font-weight: 600; overflow-wrap: anywhere; }
.re2-thin { color: light-dark(#8a5a12, #e2b566); }
.re2-patterns .re2-thin { font-size: .92em; }
.re2-words { font-size: .94em; line-height: 1.7; overflow-wrap: anywhere; }
.re2-witness { font-size: .98em; border-left: 3px solid color-mix(in srgb, currentColor 30%, transparent);
  padding-left: .6rem; }
.re2-in-full { overflow-wrap: anywhere; } .re2-in-full summary { cursor: pointer; }
.re2-in-full ul { margin: .2rem 0 .4rem; padding-left: 1.2rem; max-height: 16rem; overflow: auto; }
.re2-in-full > div { margin-top: .25rem; max-height: 16rem; overflow: auto; }
.re2-muted + .re2-warn { margin-top: .45rem; }
.re2-head { font-weight: 600; font-size: .88em; opacity: .75; margin: .6rem 0 .2rem; }
.re2-state { font-size: 1.05em; margin-bottom: .3rem; }
.st-key-compare_head > :first-child { flex: 1 1 0 !important; min-width: 60%; }
.re2-lead { font-size: 1.05em; margin: .2rem 0 .3rem; line-height: 1.25; min-height: 2.5em; align-content: center; }
/* The review shows at once what was decided: it does not fade while the rest is measured. */
[class*="st-key-compare_review_"][data-stale="true"] { opacity: 1 !important; }
.st-key-compare_save_row { flex-wrap: nowrap !important; }
.st-key-compare_save_row > * { flex: none; }
.st-key-compare_save_row > :has(.stHtml) { flex: 1 1 0 !important; min-width: 0; }
[data-testid="stMainBlockContainer"] { padding-bottom: .6rem; }
@media (max-height: 760px) { [data-testid="stMainBlockContainer"] { padding-top: 3.7rem; }
  [data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: .45rem; }
  .re2-lead { font-size: .95em; margin: 0; } }
.re2-split-table { max-width: 56rem; margin-top: .3rem; overflow-x: auto; }
.re2-split-table > .re2-muted { margin-top: .35rem; }
.re2-split-table td:nth-child(n+2) { white-space: nowrap; }
.re2-split-table td:first-child { min-width: 6.4rem; }
@media (max-width: 1250px) { .re2-split-table { font-size: .9em; }
  .re2-split-table th, .re2-split-table td { padding-right: .35rem; } }
.re2-step { font-size: .92em; padding: .1rem 0 .1rem .7rem; overflow-wrap: anywhere;
  border-left: 3px solid color-mix(in srgb, currentColor 22%, transparent); }
.re2-answers { max-width: 56rem; overflow-x: auto; }
[data-testid="stGraphVizChart"] svg { max-width: 100%; height: auto; }
[data-testid="stGraphVizChart"] svg text[fill="#23282b"], [data-testid="stGraphVizChart"] svg text:not([fill]) {
  fill: currentColor; }
[data-testid="stGraphVizChart"] svg .state ellipse { fill: transparent; }
[data-testid="stGraphVizChart"] svg .state:not(.gone):not(.new) ellipse { stroke: currentColor; }
[data-testid="stGraphVizChart"] svg .arc:not(.gone):not(.new) path { stroke: currentColor; stroke-opacity: .55; }
[data-testid="stGraphVizChart"] svg .arc:not(.gone):not(.new) polygon { fill: currentColor; stroke: currentColor;
  fill-opacity: .55; stroke-opacity: .55; }
[data-testid="stGraphVizChart"] svg .begin path, [data-testid="stGraphVizChart"] svg .begin polygon,
[data-testid="stGraphVizChart"] svg .begin ellipse { stroke: currentColor; fill: currentColor; }
[data-testid="stGraphVizChart"] svg .begin path { fill: none; }
</style>
"""
