"""How the page Team looks."""

STYLE = """
<style>
.re2-case { border: 1px solid color-mix(in srgb, currentColor 18%, transparent); border-radius: .5rem;
  padding: .9rem 1.2rem .6rem; background: color-mix(in srgb, currentColor 3%, transparent); }
/* Room for two lines, so that what is below stays where it is from text to text; blanks as they are. */
.re2-case-text { font-size: 1.34rem; line-height: 1.5; min-height: 4.02rem; margin-bottom: .4rem;
  white-space: pre-wrap; tab-size: 4; overflow-wrap: anywhere; max-height: 15rem; overflow-y: auto; }
.re2-under { display: flex; justify-content: space-between; gap: 1rem; }
.st-key-review_sides { min-height: 6rem; } /* two sides */
.re2-side { line-height: 1.9; overflow-wrap: anywhere; }
.re2-meter { display: inline-block; width: 5rem; height: .5em; border-radius: .3em; vertical-align: middle;
  margin-left: .4em; background: color-mix(in srgb, currentColor 12%, transparent); }
.re2-meter i { display: block; height: 100%; border-radius: .3em; background: light-dark(#1f6f8b, #3f93ae); }
@media (max-width: 1250px) { .re2-tall .re2-meter { width: 2.2rem; } }
.re2-tall { max-height: 26rem; overflow-y: auto; }
.re2-tall th { position: sticky; top: 0; background: light-dark(#fbfbfa, #15191b); }
.re2-team-table td { white-space: nowrap; }
.re2-team-table { overflow-x: auto; }
.re2-right th:nth-child(n+2) { text-align: right; }
.re2-undefined { opacity: .6; }
@media (max-width: 1150px) { .re2-team-table .re2-meter { display: none; } }
</style>
"""
