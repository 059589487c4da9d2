"""Texts without their HTML: tags left out, entities such as &amp; as the characters they stand for."""

from __future__ import annotations

import html
import re

# Between these words are apart; other tags may be within one.
_APART = "br|p|div|li|ul|ol|td|th|tr|table|h[1-6]|hr|blockquote|pre|section|article|header|footer|dd|dt|dl|option"
_WITHIN = "b|i|u|s|a|em|strong|span|font|small|big|sub|sup|code|tt|img|mark|q|cite|abbr|del|ins|html|body|tbody|thead"
_UNSEEN = re.compile(r"<!--.*?-->|<(script|style|head)\b[^<>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(rf"</?(?:{_APART})\b[^<>]*>|<!DOCTYPE[^<>]*>", re.IGNORECASE)
_TAG = re.compile(rf"</?(?:{_WITHIN})\b[^<>]*>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")


def without_html(text: str) -> str:
    """The text without tags, comments and scripts, with entities as characters, and one blank where blanks and ends of
    blocks were; a text without any of these as it is."""
    plain = _TAG.sub("", _BREAK.sub(" ", _UNSEEN.sub(" ", text))) if "<" in text else text
    plain = _ENTITY.sub(lambda entity: html.unescape(entity.group()), plain) if "&" in plain else plain
    return text if plain == text else " ".join(plain.split())
