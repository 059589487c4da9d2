"""How the page Label looks: the text is what the eye has to find first."""

STYLE = """
<style>
.re2-card { border: 1px solid color-mix(in srgb, currentColor 18%, transparent); border-radius: .5rem;
  padding: 1rem 1.2rem .7rem; background: color-mix(in srgb, currentColor 3%, transparent); }
/* Room for three lines, so that what is below stays where it is from text to text; blanks as they are. */
.re2-card-text { font-size: 1.38rem; line-height: 1.5; min-height: 6.3rem; margin-bottom: .5rem;
  white-space: pre-wrap; tab-size: 4; overflow-wrap: anywhere; max-height: 15rem; overflow-y: auto; }
.re2-meter { display: inline-block; width: 7rem; height: .5em; border-radius: .3em; vertical-align: middle;
  margin-left: .4em; background: color-mix(in srgb, currentColor 12%, transparent); opacity: 1 !important; }
.re2-meter i { display: block; height: 100%; border-radius: .3em; background: light-dark(#1f6f8b, #3f93ae); }
.re2-queue { display: flex; align-items: center; gap: .6rem; font-size: .88em; opacity: .8; }
.re2-wide { flex: 1; }
.re2-flag { border-left: 3px solid #b7791f; padding: .25rem .7rem; margin-top: .3rem; overflow-wrap: anywhere;
  background: color-mix(in srgb, #b7791f 9%, transparent); border-radius: 0 .3rem .3rem 0; }
[class*="st-key-label_"] button p { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
@media (max-height: 800px) {
  [data-testid="stVerticalBlock"]:has(> [data-testid="stElementContainer"] .re2-card) { gap: .6rem; }
  .re2-card { padding: .6rem 1rem .4rem; }
  .re2-card-text { min-height: 4.2rem; max-height: 9rem; margin-bottom: .2rem; } }
</style>
"""
