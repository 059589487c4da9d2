"""A review as one self-contained HTML page: every change with its rule, its automata, the texts that it moves, and what
was decided. It needs nothing beside it, no script and no network. Every text is escaped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from re2nn_core.plots.difference_legend import LEGEND
from re2nn_core.plots.difference_scene import RIGHT, readable_scene
from re2nn_core.plots.difference_svg import SIDES, embedded_svg
from re2nn_core.plots.review.change_html import RulePiece, escape, rule_as_html, with_rewritten
from re2nn_core.plots.review.change_verdict import ChangeFigures, verdict_as_html
from re2nn_core.plots.review.condition_lines import conditions_as_html
from re2nn_core.plots.review.learned_words import WordFacts, learned_as_html
from re2nn_core.plots.review.overridden import overridden_as_html
from re2nn_core.plots.review.pattern_table import better_as_html, left_out_as_html, patterns_as_html
from re2nn_core.plots.review.reviewed import Document, FiguresOfSplit, ShownChange, TextRows
from re2nn_core.plots.review.style import STYLE
from re2nn_core.plots.review.texts import Chips, texts_as_html
from re2nn_core.text.counting import counted

_TITLES = "Original", "Reconstructed"
_WIDEST = 520.0  # a panel that is wider stands above the other one, so that both fit the column
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def review_page(document: Document) -> str:
    """The HTML text of a review."""
    chips = Chips(group for rule in document.rules for group in rule.groups)
    cards = "".join(_card(number, rule, document, chips) for number, rule in enumerate(document.rules, start=1))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{escape(document.title)}</title><style>{STYLE}</style></head>\n"
        f"<body><main>{''.join(_head(document, chips))}{cards}</main></body></html>\n"
    )


def _head(document: Document, chips: Chips) -> Iterator[str]:
    yield f'<h1>{escape(document.title)}</h1><p class="quiet">{escape(document.subject)}</p>'
    count = len(document.rules)
    came = f"{counted(count, 'change')} came out of it." if count else "No rule changed."
    each = (
        "Each is shown with what it does alone: the rule, its automaton before and after, and the texts whose "
        f"{'spans' if document.tagging else 'predicted label'} it fixes or breaks."
    )
    yield (
        '<p class="lead">A network was trained from written rules, and rules were reconstructed from it and from '
        f"labelled texts. {came} "
        f"{each if count else ''}</p>"
    )
    if document.figures:
        yield _figures(document)
        yield from (f'<p class="lead quiet">{escape(note)}</p>' for note in document.notes)
    if count:
        yield _changes(document, chips)
        yield _how(document)


def _figures(document: Document) -> str:
    rows = "".join(_figure(one, document.measure) for one in document.figures)
    heads = "".join(f'<th class="number">{head}</th>' for head in ("Texts", "Original", "Network", "Reconstructed"))
    return (
        f'<h3>{escape(document.measure)}, all changes together</h3><div class="wide"><table><thead><tr>'
        f"<th>Split</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _figure(one: FiguresOfSplit, measure: str) -> str:
    cells = "".join(
        f'<td class="number">{_shown(share, measure)}</td>' for share in (one.written, one.network, one.reconstructed)
    )
    return f'<tr><td>{escape(one.split)}</td><td class="number">{one.texts:,}</td>{cells}</tr>'


def _shown(share: float | None, measure: str) -> str:
    if share is None:
        return "–"
    return f"{100 * share:.1f}" if measure == "F1" else f"{share:.1%}"


def _changes(document: Document, chips: Chips) -> str:
    """A list of all changes, each with a link to its card."""
    kind = "Slots" if document.tagging else "Label"
    held = f"Of {escape(document.held_name)}" if document.held_name else "Held-out texts"
    decided = any(rule.state for rule in document.rules)
    heads = f'<th>Rule</th><th>{kind}</th><th class="number">Fixed</th><th class="number">Broken</th>'
    heads += f'<th class="number">{held}</th>{"<th>State</th>" if decided else ""}'
    rows = "".join(
        f'<tr><td><a href="#c{number}">{escape(rule.name)}</a>{_fresh(rule)}</td><td>{chips.row(rule.groups)}</td>'
        f'<td class="number">{rule.fixed.count:,}</td><td class="number">{rule.broken.count:,}</td>'
        f'<td class="number">{_held(rule, document)}</td>{f"<td>{escape(rule.state)}</td>" if decided else ""}</tr>'
        for number, rule in enumerate(document.rules, start=1)
    )
    return (
        f'<h3>Changes</h3><div class="wide"><table class="changes"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _fresh(rule: ShownChange) -> str:
    return ' <span class="quiet">new</span>' if rule.new else ""


def _held(rule: ShownChange, document: Document) -> str:
    if not document.split:
        return "–"
    tone = "up" if rule.held_fixed > rule.held_broken else "down" if rule.held_fixed < rule.held_broken else "quiet"
    return f'<span class="{tone}">+{rule.held_fixed:,} −{rule.held_broken:,}</span>'


def _how(document: Document) -> str:
    """What the marks of the cards mean."""
    marks = (
        "<mark class='new'>span</mark> new and correct, <mark class='incorrect'>span</mark> new and incorrect, "
        "<mark class='gone'>span</mark> gone"
        if document.tagging
        else "<mark>word</mark> matched by the rule, <mark class='learned'>word</mark> learned, "
        "<mark class='lost'>word</mark> no longer matched, <mark class='wildcard'>word</mark> matched by its wildcard"
    )
    return (
        '<div class="how"><span>In rules: <ins class="re2-new">added</ins>, <del class="re2-gone">removed</del>, '
        '<s class="re2-refused">refused</s></span>'
        f"<span>In texts: {marks}</span>{_drawn_marks(document)}</div>"
    )


def _drawn_marks(document: Document) -> str:
    """The marks that some drawing has."""
    drawings = [rule.difference for rule in document.rules if rule.difference is not None]
    marks = {arc.mark for found in drawings for arc in found.arcs}
    marks |= {node.mark for found in drawings for node in found.nodes}
    named = ", ".join(meaning for mark, meaning in LEGEND if mark in marks)
    return f"<span>In drawings: {escape(named)}</span>" if named else ""


def _card(number: int, rule: ShownChange, document: Document, chips: Chips) -> str:
    words = _matched_words(rule)
    pieces = with_rewritten(rule.pieces, rule.difference)
    written = _learned(rule, pieces, words, document) + rule_as_html(pieces, words) if pieces else ""
    return (
        f'<section class="card" id="c{number}"><header><h2>{escape(rule.name)}</h2>{chips.row(rule.groups)}'
        f"{_new(rule)}{_state(rule)}</header>"
        f"{verdict_as_html(_effect(rule, document), _leads_to(document))}{written}{_edited(rule)}"
        f"{_drawing(number, rule)}{_moved(rule, chips)}{_sentences(rule)}</section>\n"
    )


def _learned(rule: ShownChange, pieces: Sequence[RulePiece], words: Mapping[str, float], document: Document) -> str:
    """What a rule learned: of a new one whose patterns were measured these, else its words and conditions."""
    overridden = "" if rule.overridden is None else overridden_as_html(rule.overridden, " ".join(rule.groups))
    found = rule.patterns
    if found is None:
        known = WordFacts(
            seen=document.seen, elsewhere=rule.words_elsewhere, around=rule.around, conditions=rule.conditions
        )
        return learned_as_html(pieces, words, known) + conditions_as_html(rule.conditions) + overridden
    better = "" if found.better is None else better_as_html(found.better)
    left = rule.left_out
    besides = "" if left is None else left_out_as_html(left.better, left.learned, document.held_name)
    return f"{overridden}{better}{patterns_as_html(found.rows, document.held_name)}{besides}"


def _leads_to(document: Document) -> Callable[[str], str]:
    """Names a rule by a link to its card."""
    numbers = {rule.name: number for number, rule in enumerate(document.rules, start=1)}
    return lambda name: f'<a href="#c{numbers[name]}">{escape(name)}</a>' if name in numbers else escape(name)


def _effect(rule: ShownChange, document: Document) -> ChangeFigures:
    """What a change does: to held-out texts, and to all others."""
    others = ("Other texts", rule.fixed.count - rule.held_fixed, rule.broken.count - rule.held_broken)
    measure = document.measure if document.tagging else ""
    held = rule.held_fixed, rule.held_broken
    return ChangeFigures(
        document.held_name,
        held,
        (others,),
        rule.other.count,
        rule.gain,
        measure,
        weak=rule.weak,
        repairs=rule.beside.repairs,
        repaired=rule.beside.repaired,
        safely=rule.beside.safely,
        broken=rule.broken.count,
    )


def _new(rule: ShownChange) -> str:
    return '<span class="quiet">new rule</span>' if rule.new else ""


def _state(rule: ShownChange) -> str:
    if not rule.state:
        return ""
    by = f' <span class="quiet">{escape(rule.by)}</span>' if rule.by else ""
    return f'<span class="state {escape(rule.state)}">{escape(rule.state.capitalize())}</span>{by}'


def _edited(rule: ShownChange) -> str:
    return f'<h3>As edited</h3><div class="re2-rule-text">{escape(rule.edited)}</div>' if rule.edited else ""


def _drawing(number: int, rule: ShownChange) -> str:
    remark = f'<p class="quiet">{escape(rule.refusal)}</p>' if rule.refusal else ""
    if rule.difference is None:
        return remark
    scene = readable_scene(rule.difference, most=0, counts=_matched_words(rule))
    picture = embedded_svg(scene, _TITLES, f"c{number}", widest=_WIDEST, sides=(RIGHT,) if rule.new else SIDES)
    return f'<h3>Automaton</h3>{remark}<div class="drawing">{picture}</div>'


def _matched_words(rule: ShownChange) -> Counter[str]:
    """How often the texts of a card have a word that the rule matches, those that it fixes where there are any: these
    words are named first."""
    texts = rule.fixed.shown or [*rule.broken.shown, *rule.other.shown]
    matched = (text.text[mark.start : mark.end] for text in texts for mark in text.marks)
    return Counter(word for part in matched for word in part.lower().split())


def _moved(rule: ShownChange, chips: Chips) -> str:
    """The texts that it fixes and breaks side by side, where there are both, and those with another prediction."""
    single = "" if rule.fixed.count and rule.broken.count else " single"
    other = _texts("Other changed predictions", "", rule.other, chips) if rule.other.count else ""
    fixed, broken = _texts("Fixed", "up", rule.fixed, chips), _texts("Broken", "down", rule.broken, chips)
    return f'<div class="sides{single}">{broken}{fixed}</div>{other}'


def _texts(title: str, tone: str, own: TextRows, chips: Chips) -> str:
    more = own.count - len(own.shown)
    rest = f'<p class="quiet">and {more:,} more</p>' if more else ""
    rows = texts_as_html(own.shown, chips) if own.shown else ""
    return f'<div><h3 class="{tone}">{title} {own.count:,}</h3>{rows}{rest}</div>'


def _sentences(rule: ShownChange) -> str:
    """Sentences that only one of the forms matches, where no text shows what the change does."""
    if rule.fixed.count or rule.broken.count or rule.other.count:
        return ""
    rows: Sequence[tuple[str, str | None]] = (
        ("Only the original matches", rule.only_before),
        ("Only the reconstructed rule matches", rule.only_after),
    )
    reported = "".join(
        f'<p><span class="quiet">{title}:</span> <span class="witness">{escape(sentence)}</span></p>'
        for title, sentence in rows
        if sentence is not None
    )
    return (
        f"<h3>No prediction of your texts changes. Made-up examples of the difference:</h3>{reported}"
        if reported
        else ""
    )
