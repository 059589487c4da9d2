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
    ("$", "wildcard: any one word", "$* flight $*"),
    ("%", "any number", "% dollars"),
    ("&", "any punctuation sign", "how much & ?"),
    ('re"..."', "one word that a regular expression matches", 're"book(ing)?s?"'),
    ('glob"..."', "one word by its letters: * any characters, ? one", 'glob"book*"'),
    ('~"..."', "one word with at most one typing error", '~"refund"'),
    ('case"..."', "one word with upper and lower case as written", 'case"Apple"'),
    ("@~word:0.6@", "one word of like meaning; see Word classes", "@~refund:0.6@"),
    ('lemma:"..."', "one word by its base form; lemma.de: for German", 'lemma:"book"'),
    ("[^ a b @name@ ]", "any one word but these", "book [^ a the ] flight"),
    ("BOS  EOS", "start and end of the text", "BOS when $*"),
    ("( a | b )", "alternatives", "( fare | price )"),
    ("*  +  ?", "repeated any number of times, at least once, at most once", "the? price"),
    ("{2}  {2,}  {2,4}", "repeated as often as given", "very{1,3}"),
    ("... but not ( ... )", "leaves out the texts that the second part matches", "$* flight $* but not ( $* back $* )"),
    ("@name@=( ... )", "defines a word class", "@city@=( rome | new york )"),
    ('@name@ = file("...")', "defines a word class by a word list", '@city@ = file("cities.txt")'),
    ("@name@", "uses a word class", "to @city@ $*"),
    ("[label]", "label of the rules below", "[fare]"),
    ("name := ...", "names a rule", "cheap := $* cheap $*"),
    ('"..."  \\', "makes an operator a plain word", '"$"  \\?'),
    ("// ...", "a comment", "// to do"),
    ("\\ at the end", "continues the rule on the next line", "a | b \\"),
)
SLOT_SYNTAX = (
    ("[ ... ]<slot>", "captures the words as a span", "to [ @city@ ]<to_city> $*"),
    ("w<:>slot  @c<:>slot@", "captures one word or word class", "@city<:>to_city@"),
    *(row for row in SYNTAX if row[0] != "[label]"),
    ("w<:>B-slot  w<:>I-slot", "tags the first or a further word by hand", "new<:>B-city york<:>I-city"),
)
SLOT_LOGIC = """\
Rules vote for words; the slot with most votes gets a word, in a tie the one named first in the rules. Options:

```toml
priorities = ["date > to_city"]   # date wins where both match a word
longest = true                    # of two spans of one slot, the longer one: "next friday" before "friday"
```
"""
LOGIC = """\
A label holds when one of its rules matches the text; with a formula, only rules named in it count. Options:

```toml
default = "other"                # the prediction when no label holds
priorities = ["fare > flight"]   # fare wins where both hold
logic = ["(price | cheap) & !refund -> fare"]   # a formula over rule names
first = ["deal -> fare"]         # where deal matches, nothing else counts
```
"""


def draw_cards(
    ruleset: RuleSet | None,
    *,
    slots: bool = False,
    lists: Callable[[], None] | None = None,
    more: Callable[[], None] | None = None,
) -> None:
    """Syntax, word classes with the word `lists`, and what `more` draws."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="re2_cards"):
        with st.popover("Syntax", icon=":material/help:"):
            rows = [
                [f"<code>{escape(sign)}</code>", escape(means), f"<code>{escape(example)}</code>"]
                for sign, means, example in (SLOT_SYNTAX if slots else SYNTAX)
            ]
            st.markdown("A rule matches the **whole** text, so most rules begin and end with `$*`.")
            html(html_table(["Sign", "Meaning", "Example"], rows))
            st.markdown(SLOT_LOGIC if slots else LOGIC)
        with st.popover("Word classes", icon=":material/list:"):
            _word_classes(ruleset)
            if lists is not None:
                lists()
        if more is not None:
            more()


def draw_plain_switch() -> None:
    """The switch to a plain text area in the editor's place."""
    st.toggle(
        "Plain editor",
        value=plain(),
        key=f"{PLAIN}_switch",
        on_change=_switch_plain,
        help="A plain text area, for screen readers. Applies your text when you leave it or press Ctrl+Enter.",
    )


def _switch_plain() -> None:
    st.session_state[PLAIN] = bool(st.session_state[f"{PLAIN}_switch"])


def _word_classes(ruleset: RuleSet | None) -> None:
    classes = [entry for entry in ruleset.entries if isinstance(entry, WordClass)] if ruleset else []
    if not classes:
        st.markdown("No word class yet. Write `@city@=( rome | new york )` above the rules that use it.")
        return
    rows = []
    for entry in classes:
        text = print_expression(entry.tree)
        shown = text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."
        rows.append([f"<code>@{escape(entry.name)}@</code>", str(entry.line), escape(shown)])
    html(html_table(["Class", "Line", "Words"], rows, numbers=(1,)))
