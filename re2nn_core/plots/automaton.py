"""A machine as a Graphviz drawing: DOT text, whose classes a page can restyle, and SVG or PNG where `dot`
is installed.

Words come from people, so every label is escaped: inside quotes Graphviz reads a backslash and the entities
of HTML, and nothing else. Living states carry a thick border and walked arcs a thick line, so that colour
is never the only mark.
"""

from __future__ import annotations

import subprocess
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from re2nn_core.automata.dfa import ExactDfa, PseudoDfa
from re2nn_core.automata.symbols import Symbol, show_symbols
from re2nn_core.errors import InputError

Machine = PseudoDfa | ExactDfa

DRAWABLE_STATES = 100
DRAWABLE_ARCS = 400
SHOWN_SYMBOLS = 3
LONGEST_SYMBOL = 24
_RENDER_SECONDS = 30

_INK, _QUIET, _ACCENT = "#23282b", "#6b7478", "#1f6f8b"
_HEAD = (
    'rankdir=LR; bgcolor="transparent"; nodesep=0.25; ranksep=0.45; pad=0.1;',
    f'node [shape=circle, fontname="sans-serif", fontsize=11, width=0.42, fixedsize=true, color="{_INK}", '
    f'fontcolor="{_INK}", style=filled, fillcolor="white"];',
    f'edge [fontname="sans-serif", fontsize=10, color="{_QUIET}", fontcolor="{_INK}", arrowsize=0.7];',
)


@dataclass(frozen=True)
class Highlight:
    """States to light and arcs to make bold; `marked` are arcs that somebody chose. `path`: the arcs of a whole
    sentence in the order of its words, whose numbers stand at them."""

    alive: frozenset[int] = frozenset()
    walked: frozenset[tuple[int, int]] = frozenset()
    marked: frozenset[tuple[int, int]] = field(default=frozenset())
    path: tuple[tuple[int, int], ...] = ()

    def numbers(self, arc: tuple[int, int]) -> str:
        """The words that take an arc of the path, by their numbers: `2. 5. `; empty for any other arc."""
        return "".join(f"{place}. " for place, taken in enumerate(self.path, 1) if taken == arc)


NOTHING = Highlight()


def drawing_refusal(machine: Machine) -> str | None:
    """Why the machine is not drawn, and what to do instead; None where it can be drawn."""
    return size_refusal(len(machine), sum(1 for _ in machine.arcs()), "label")


def size_refusal(states: int, arcs: int, whole: str) -> str | None:
    """Why a machine of this size is not drawn; `whole` is what machines of several rules are made of."""
    if states <= DRAWABLE_STATES and arcs <= DRAWABLE_ARCS:
        return None
    return (
        f"The automaton has {states:,} states and {arcs:,} transitions. Drawings have at most {DRAWABLE_STATES} states "
        f"and {DRAWABLE_ARCS} transitions. "
        f"Choose a single rule instead of a whole {whole}, or use the table of transitions below."
    )


def automaton_dot(machine: Machine, highlight: Highlight = NOTHING) -> str:
    """The machine as DOT. InputError for one that is too large to draw."""
    reason = drawing_refusal(machine)
    if reason is not None:
        raise InputError(reason)
    lines = []
    for state in range(len(machine)):
        lines.append(state_line(state, final=state in machine.finals, alive=state in highlight.alive))
    for source, target, symbols in machine.shown_arcs():
        label = quote(f" {highlight.numbers((source, target))}{arc_label(symbols)} ")
        lines.append(arc_line(source, target, label, highlight))
    return digraph("s0", lines)


def digraph(start: str, lines: Iterable[str], head: Iterable[str] = _HEAD) -> str:
    """States and arcs as a graph, with an arrow into the start."""
    begin = ('begin [shape=point, width=0.08, class="begin"];', f'begin -> {start} [class="begin"];')
    body = "\n".join(f"  {line}" for line in (*head, *begin, *lines))
    return f"digraph machine {{\n{body}\n}}\n"


def arc_label(symbols: Iterable[Symbol], most: int = SHOWN_SYMBOLS) -> str:
    """What an arc reads, shortened: `flight | flights | +12`."""
    shown = show_symbols(symbols)
    # One more is written out where "+1" would be as long.
    kept = shown if len(shown) <= most + 1 else shown[:most]
    parts = [word if len(word) <= LONGEST_SYMBOL else word[: LONGEST_SYMBOL - 1] + "…" for word in kept]
    if len(kept) < len(shown):
        parts.append(f"+{len(shown) - len(kept)}")
    return " | ".join(parts)


def quote(text: str) -> str:
    """The text as a quoted DOT string that is drawn exactly as it stands."""
    escaped = text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    escaped = escaped.replace("<", "&lt;").replace(">", "&gt;")
    return '"' + "".join(sign if sign.isprintable() else "�" for sign in escaped) + '"'


def state_line(
    state: int, *, final: bool, alive: bool, label: str | None = None, colour: str | None = None, kind: str = ""
) -> str:
    """A state as a line of DOT. A label of several lines gets a box; `colour` and the class `kind` are a slot's."""
    classes = " ".join(filter(None, ("state", "final" * final, "alive" * alive, kind)))
    text = str(state) if label is None else label
    lit = f', penwidth=3, color="{_ACCENT}", fillcolor="#cfe6ee"' if alive else ""
    meaning = f"state {state}" + (", final" if final else "") + (", alive" if alive else "")
    ends = f'class="{classes}", tooltip="{meaning}"'
    if "\n" not in text:
        shape = "doublecircle, width=0.36" if final else "circle"
        return f's{state} [label="{text}", shape={shape}{lit}, {ends}];'
    lines = "\\n".join(quote(part)[1:-1] for part in text.split("\n"))
    shape = f'box, style="rounded,filled", fixedsize=false, margin="0.08,0.03", peripheries={1 + final}'
    edge = f', color="{colour}"' if colour and not alive else ""
    # Another name than a circle's: a viewer that fades one drawing into the next keeps the outline of an old shape.
    return f'b{state} [label="{lines}", shape={shape}{lit}{edge}, {ends}];'


def arc_line(
    source: int,
    target: int,
    label: str,
    highlight: Highlight,
    *,
    colour: str | None = None,
    kind: str = "",
    boxes: Collection[int] = (),
) -> str:
    """An arc as a line of DOT; the label is quoted already, `colour` and the class `kind` are those of a slot, `boxes`
    are the states with labels of several lines."""
    begin, end = (f"{'b' if state in boxes else 's'}{state}" for state in (source, target))
    pair = (source, target)
    on_path = pair in highlight.path
    walked, marked = on_path or pair in highlight.walked, pair in highlight.marked
    classes = " ".join(filter(None, ("arc", kind, "walked" * walked, "onpath" * on_path, "marked" * marked)))
    strong = f', penwidth=1.6, color="{colour}"' if colour else ""
    strong = f', penwidth=2.6, color="{_ACCENT}"' if walked else strong
    strong = ', penwidth=3, style=dashed, color="#b3501f"' if marked else strong
    return f'{begin} -> {end} [label={label}{strong}, class="{classes}", tooltip="arc"];'


def render(dot: str, format: str) -> bytes:
    """The drawing as "svg" or "png", by the `dot` program. InputError where there is none, or where it
    gives up.
    """
    if format not in ("svg", "png"):
        raise ValueError(f"the format must be svg or png (got {format!r})")
    try:
        done = subprocess.run(
            ["dot", f"-T{format}"], input=dot.encode("utf-8"), capture_output=True, timeout=_RENDER_SECONDS, check=True
        )
    except FileNotFoundError as error:
        raise InputError(
            "The program `dot` of Graphviz is not installed, so no picture file can be made here.\n"
            "Install Graphviz, or download the DOT text and open it in any Graphviz viewer."
        ) from error
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        raise InputError(f"`dot` could not draw the automaton within {_RENDER_SECONDS} seconds.") from error
    return done.stdout
