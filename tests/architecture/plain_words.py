"""Words and phrases that no person is to read: what to write instead, and where one is written.

python tests/architecture/plain_words.py [PREFIX ...]    prints each with its place
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from architecture.plain_strings import SeenText, seen_texts

ROOT = Path(__file__).resolve().parents[2]

# Retired phrase -> what to write. A phrase that has a plain sense too is matched in its retired context alone.
RETIRED = {
    r"reads? back|reading back|read-?back": "reconstruct, reconstructed rules",
    r"(take|takes|taken|taking|took) (it |them )?over": "accept",
    r"(?<!screen )readers?": "auxiliary encoder; or who reads",
    r"beside": "next to, in addition to; auxiliary",
    r"how sure|(?<!make )sure|surest|sureness": "confidence",
    r"at (its|their) word": "-",
    r"(?<!this )(?<!other )(?<!another )(?<!same )machines?": "automaton, transducer",
    r"arrows?(?! keys?)|arcs?": "transition",
    r"circles?|stroke": "state; slash",
    r"hits?": "matches",
    r"speaks?|spoke": "matches",
    r"idle rules?": "dead and subsumed rules",
    r"answers?|answered|answering": "prediction, predict; respond; model",
    r"recipes?": "training plan",
    r"(learn|learns|learned|learning) from": "used for training; training data",
    r"learns? (apart|by itself|by themselves)": "is trained separately",
    r"judg(e|es|ed|ing|e?ments?)": "annotation, to annotate",
    r"settle|settles|settled|settling": "adjudicated, agreed",
    r"told|tells?|telling": "show, list, report; distinguish",
    r"faults?|faulty": "errors",
    r"(hand|hands|handed|give|gives|given|giving) out": "assign, assigned",
    r"put(s|ting)? (it |them )?aside": "flag, skip",
    r"send(s|ing)? back|sent back": "return",
    r"mends?|mended|mending": "fix",
    r"swindles?|swindlers?": "spam",
    r"likewise|whoever|anew|just so|rather(?! than)": "plain words",
    r"stands?(?! for)|stood|standing": "is, are",
    r"lying": "left",
    r"so many (?!that)": "number of",
    r"copies(?= (of|are|in|is|learn|each|train))": "ensemble members",
    r"in turns|takes? turns": "cross-validation",
    r"held out": "out-of-fold; held-out",
    r"(?<!l2 )pull(s|ed)?": "L2 pull to the rules",
    r"gentle": "small learning rate",
    r"aims?|aimed": "objective",
    r"near rules": "faithful",
    r"persons?|newcomers?|gone people|by people": "annotator, member, user",
    r"(won|lost) (or|and|nor) (won|lost)|texts (won|lost)|(won|lost) texts": "fixed, broken",
    r"in the place of|the word less": "substitute, instead of",
    r"(?<!byte-order )(?<!question )(?<!quotation )(?<!exclamation )(?<!check )(?<!✓ )(marks?|marked|marking)": (
        "span, to annotate"
    ),
    r"right or wrong|right (answers?|labels?|predictions?|words?)|wrong (answers?|labels?|predictions?|spans?)|"
    r"(is|are|be|set|put|texts|were|was|more|often) right(?! (now|after|side|of|away))|as often right": (
        "correct, incorrect"
    ),
    r"more than chance": "statistically significant (sign test)",
    r"rules? says?|say the same|says nothing": "matches, predicts; agree",
    r"capital and small|small letters": "case",
    r"cut(s|ting)? texts?|cut into words": "tokenize",
    r"doubles": "duplicates",
    r"bears? out|bears": "confirm",
    r"comes? with the next": "is in the next",
}
# Of docstrings these are checked: elsewhere the words have a plain sense among engineers ("arc" is OpenFst's word).
_ALSO_OF_DOCSTRINGS = (
    "reads? back|", "(take|takes|", "how sure|", "at (its", "idle ", "(hand|", "put(s|", "mends", "swindles"
)  # fmt: skip

# (file or folder, phrase around the retired word as a regular expression, the reason why it stays)
ALLOWED: tuple[tuple[str, str, str], ...] = (
    ("re2nn_core/exchange/annotation_tools/", r"'answer' holds|\"answer\": \"accept\"", "a key of Prodigy's format"),
    ("re2nn_core/exchange/", r"\.arrow\b|Arrow( files|/Feather)|^Arrow$", "Apache Arrow, a file format"),
    ("re2nn_core/experiments/reproduce/", r"^read back$", "a kind of job and a figure, as stored in runs.json"),
    (
        "re2nn_core/experiments/reproduce/runs/runs_file.py",
        r"with a reader beside \(ours\)|rules read back( agree)?",
        "names of rows in runs.json of former versions",
    ),
    (
        "re2nn_core/services/fine_tuning/",
        r"^(dev, )?(held out|learned from)$",
        "stored names of former versions, values",
    ),
    ("re2nn_core/plots/automaton.py", r"shape=circle|tooltip=\"arc\"", "DOT, not shown"),
    ("re2nn_core/plots/difference_svg.py", r"stroke", "an attribute of SVG"),
    ("pages/_train/material.py", "^held out$", "a value that the split of a training has"),
    ("pages/_label/actions.py", "^Arrow$", "the name of keys"),
    ("pages/_label/slot_filling/assets/", "mark short", "a class of the style sheet"),
    ("pages/_shared/assets/", r"^\.?arc\b", "a class of the style sheet"),
    ("pages/_automaton/slot_filling/drawing.py", r"\.arc\.|stroke(?=[:-])", "a property of a style sheet"),
    ("pages/_shared/components/downloads.py", "mark=", "the name of a parameter of an address"),
)


def retired_words(root: Path, under: tuple[str, ...] = ("",)) -> list[str]:
    """Each retired phrase in a string of the files below `under`, with its place and what to write."""
    return [found for seen in seen_texts(root) if seen.path.startswith(under) for found in _of(seen)]


def _of(seen: SeenText) -> list[str]:
    spared = _spared(seen)
    return [
        f"{seen.path}:{seen.line + seen.text.count(chr(10), 0, match.start())}: "
        f"[{match.group()}] {_around(seen.text, match)} (write {instead})"
        for pattern, instead, of_docstrings in _compiled()
        if of_docstrings or not seen.is_docstring
        for match in pattern.finditer(seen.text)
        if not any(start <= match.start() and match.end() <= end for start, end in spared)
    ]


@cache
def _compiled() -> list[tuple[re.Pattern[str], str, bool]]:
    return [
        (
            re.compile(rf"(?<![\w-])(?:{phrase})(?![\w-])", re.IGNORECASE),
            instead,
            phrase.startswith(_ALSO_OF_DOCSTRINGS),
        )
        for phrase, instead in RETIRED.items()
    ]


_CODE = re.compile(r"\$\{[^}\"'`]*")  # of a template of JavaScript, up to the first string in it


def _spared(seen: SeenText) -> list[tuple[int, int]]:
    """Where the phrases lie that are allowed in this file, and code."""
    code = [found.span() for found in _CODE.finditer(seen.text)] if seen.path.endswith(".js") else []
    return code + [
        found.span()
        for path, phrase, _ in ALLOWED
        if seen.path.startswith(path)
        for found in re.finditer(phrase, seen.text)
    ]


def _around(text: str, match: re.Match[str]) -> str:
    return " ".join(text[max(0, match.start() - 70) : match.end() + 70].split())


def unused_permissions(root: Path) -> list[str]:
    """Entries of the allow-list whose phrase no longer occurs."""
    texts = list(seen_texts(root))
    return [
        f"{path}: {phrase}"
        for path, phrase, _ in ALLOWED
        if not any(seen.path.startswith(path) and re.search(phrase, seen.text) for seen in texts)
    ]


if __name__ == "__main__":
    hits = retired_words(ROOT, tuple(sys.argv[1:]) or ("",))
    print(*hits, f"{len(hits)} retired phrases", sep="\n")
