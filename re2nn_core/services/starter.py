"""First rules for a new project, from the words that tell its labels apart: something to change, not a
blank page.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from re2nn_core.rules.lexer import print_word
from re2nn_core.rules.names import LABEL
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.kinds import is_number, is_punctuation
from re2nn_core.text.tokenization import Tokenization, words

LEAST_TEXTS = 2
LEAST_SHARE = 0.8  # of the texts with the word that carry the label
LEAST_GAIN = 0.5  # of the way from the label's share of all texts to all of them
MOST_WORDS = 4

HEAD = """\
// A rule reads the WHOLE text, so most begin and end with $* (any words, or none).
//     $  any one word      %  a number      &  a punctuation sign      *  +  ?  {1,3}  how often
//     ( a | b )  either    BOS  EOS  the two ends of the text           @name@=( ... )  a word class
"""


def starter_rules(corpus: Corpus, tokenization: Tokenization) -> str:
    """Rules text with a section for each label that can have one; each rule names the label's most telling
    words.
    """
    labels = [label for label in corpus.labels if LABEL.fullmatch(label)]
    telling = telling_words(corpus, tokenization)
    sections = [_section(label, telling.get(label, [])) for label in labels]
    if not any(telling.get(label) for label in labels):
        sections.append("\n[my_label]\n$* ( word | another ) $*     // put in words of your texts\n")
    return HEAD + "".join(sections)


def _section(label: str, found: list[str]) -> str:
    if not found:
        return f"\n// [{label}]\n// $* ... $*     // no single word tells these texts apart\n"
    named = " | ".join(map(print_word, found))
    rule = f"$* ( {named} ) $*" if len(found) > 1 else f"$* {named} $*"
    return f"\n[{label}]\n{rule}     // suggested from the texts; make it your own\n"


def telling_words(corpus: Corpus, tokenization: Tokenization) -> dict[str, list[str]]:
    """For each label the words that come mostly in its texts, the most frequent first.

    Texts of the splits dev and test are not looked at, so that they can still judge the rules.
    """
    total: Counter[str] = Counter()
    texts: Counter[str] = Counter()
    by_label: dict[str, Counter[str]] = defaultdict(Counter)
    for example in corpus:
        if example.label is None or example.split not in (None, "train"):
            continue
        distinct = {
            word for word in words(example.text, tokenization) if not is_number(word) and not is_punctuation(word)
        }
        total.update(distinct)
        texts[example.label] += 1
        by_label[example.label].update(distinct)
    shares = {label: count / texts.total() for label, count in texts.items()}
    return {label: _best(counts, total, shares[label]) for label, counts in by_label.items()}


def _best(counts: Counter[str], total: Counter[str], share: float) -> list[str]:
    least = max(LEAST_SHARE, share + LEAST_GAIN * (1 - share))
    good = [word for word, count in counts.items() if count >= LEAST_TEXTS and count >= least * total[word]]
    return sorted(good, key=lambda word: (-counts[word], word))[:MOST_WORDS]
