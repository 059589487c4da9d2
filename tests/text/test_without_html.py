"""Texts without HTML, and texts that only look like it."""

from __future__ import annotations

import pytest

from re2nn_core.text.without_html import without_html


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("late.<br /><br />And lost", "late. And lost"),
        ("<p>late</p>\n<p class='x'>and <b>lo</b>st</p>", "late and lost"),
        ("late &amp; lost&nbsp;&#39;now&#x27; &lt;b&gt;", "late & lost 'now' <b>"),
        ('<a href="http://example.org">here</a>, see', "here, see"),
        ("<ul><li>one</li><li>two</li></ul>", "one two"),
        ("a<!-- hidden <b>x</b> -->b", "a b"),
        ("<style>p { color: red }</style><div>late</div>", "late"),
        ("<html><body>late\n\nagain</body></html>", "late again"),
        ("<p></p>", ""),
        ("to  oslo\nnow", "to  oslo\nnow"),
        ("1 < 2 & 3 > 2", "1 < 2 & 3 > 2"),
        ("I <3 <you> AT&T; and R&D", "I <3 <you> AT&T; and R&D"),
        ("<unk> to <city>", "<unk> to <city>"),
        ("&unknown; &;", "&unknown; &;"),
    ],
)
def test_tags_and_entities_are_left_out(text: str, plain: str) -> None:
    assert without_html(text) == plain
