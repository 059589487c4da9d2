"""What can be looked up while writing: the syntax on one card, and the word classes of the rules."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages._shared.components.editor import PLAIN, plain
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from re2nn_core.services.values.rules import RuleSet, WordClass, print_expression

_LONGEST = 300
SYNTAX = (
    ("$", "any one word", "$* flight $*"),
    ("%", "a number", "% dollars"),
    ("&", "a punctuation sign", "how much & ?"),
    ("BOS  EOS", "start and end of the text", "BOS when $*"),
    ("( a | b )", "one or the other", "( fare | price )"),
    ("*  +  ?", "any number, one or more, none or one", "the? price"),
    ("{2}  {2,}  {2,4}", "so many times", "very{1,3}"),
    ("@name@=( ... )", "defines a word class", "@city@=( rome | new york )"),
    ("@name@", "uses it", "to @city@ $*"),
    ("[label]", "the label of the rules below", "[fare]"),
    ("name := ...", "gives a rule a name", "cheap := $* cheap $*"),
    ('"..."  \\', "makes an operator a plain word", '"$"  \\?'),
    ("// ...", "a comment", "// to do"),
    ("\\ at the end", "the rule goes on in the next line", "a | b \\"),
)
SLOT_SYNTAX = (
    ("[ ... ]<slot>", "marks the words inside", "to [ @city@ ]<to_city> $*"),
    ("w<:>slot  @c<:>slot@", "marks one word, or a word class", "@city<:>to_city@"),
    *(row for row in SYNTAX if row[0] != "[label]"),
    ("w<:>B-slot  w<:>I-slot", "marks the first word, or a further one, by hand", "new<:>B-city york<:>I-city"),
)
SLOT_LOGIC = """\
Each rule votes for each word it marks; the slot with most votes gets the word, of equals the one named first in the
rules. That can be refined:

```toml
priorities = ["date > to_city"]   # to_city keeps silent about a word that date wants
longest = true                    # of two marks of one slot, the longer one: "next friday" before "friday"
```
"""
LOGIC = """\
A label speaks when one of its rules accepts the text. That can be refined:

```toml
default = "other"                # the answer where nothing speaks
priorities = ["fare > flight"]   # flight keeps silent where fare speaks
logic = ["(price | cheap) & !refund -> fare"]   # a formula over rule names
first = ["deal -> fare"]         # where deal accepts, nothing else counts
```
"""


def draw_cards(ruleset: RuleSet | None, *, slots: bool = False, more: Callable[[], None] | None = None) -> None:
    """Syntax, word classes, what `more` draws, and the switch to a plain text area."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.popover("Syntax", icon=":material/help:"):
            rows = [
                [f"<code>{escape(sign)}</code>", escape(means), f"<code>{escape(example)}</code>"]
                for sign, means, example in (SLOT_SYNTAX if slots else SYNTAX)
            ]
            st.markdown("A rule reads the **whole** text, so most rules begin and end with `$*`.")
            html(html_table(["Sign", "Means", "Example"], rows))
            st.markdown(SLOT_LOGIC if slots else LOGIC)
        with st.popover("Word classes", icon=":material/list:"):
            _word_classes(ruleset)
        if more is not None:
            more()
        st.toggle(
            "Plain editor",
            value=plain(),
            key=f"{PLAIN}_switch",
            on_change=_switch_plain,
            help="A plain text area, for screen readers or if the live editor gives trouble. "
            "It takes the text over when you leave it or press Ctrl+Enter.",
        )


def _switch_plain() -> None:
    st.session_state[PLAIN] = bool(st.session_state[f"{PLAIN}_switch"])


def _word_classes(ruleset: RuleSet | None) -> None:
    classes = [entry for entry in ruleset.entries if isinstance(entry, WordClass)] if ruleset else []
    if not classes:
        st.markdown("There is none yet. Write `@city@=( rome | new york )` above the rules that use it.")
        return
    rows = []
    for entry in classes:
        text = print_expression(entry.tree)
        shown = text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."
        rows.append([f"<code>@{escape(entry.name)}@</code>", str(entry.line), escape(shown)])
    html(html_table(["Class", "Line", "Words"], rows, numbers=(1,)))
