"""First rules for a new project, from the words that tell its labels apart: something to change, not a
blank page.

A word is taken where four of five texts with it, and more, carry the label. A word such as "is" never is: in few texts
it may stand beside one label by chance. Where no single word is left, two that stand together may tell a label
("how much").
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from re2nn_core.rules.lexer import print_word
from re2nn_core.rules.names import LABEL
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.function_words import is_function_word
from re2nn_core.text.kinds import is_number, is_punctuation
from re2nn_core.text.tokenization import Tokenization, words

Phrase = tuple[str, ...]
LEAST_TEXTS = 2
LEAST_SHARE = 0.8  # of the texts with the word that carry the label
LEAST_GAIN = 0.5  # of the way from the label's share of all texts to all of them
MOST_WORDS = 4
SUGGESTED = "// suggested from the texts; make it your own"

HEAD = """\
// A rule matches the WHOLE text, so most begin and end with $* (any words, or none).
//     $  any one word      %  a number      &  a punctuation sign      *  +  ?  {1,3}  how often
//     ( a | b )  either    BOS  EOS  the two ends of the text           @name@=( ... )  a word class
"""


def starter_rules(corpus: Corpus, tokenization: Tokenization, *, suggest: bool = True) -> str:
    """Rules text with a section for each label that can have one; each rule names the label's most telling
    words. Without `suggest`, or where no word tells, there are only comments and one rule to write over, which no text
    meets: for the first label, so that nobody is offered a label that the texts do not have.
    """
    labels = [label for label in corpus.labels if LABEL.fullmatch(label)]
    telling = telling_phrases(corpus, tokenization) if suggest else {}
    if not any(telling.get(label) for label in labels):
        first, *labels = labels or ["my_label"]
        head = f"{HEAD}\n[{first}]\n$* ( yourword | anotherword ) $*     // use words of your texts\n"
    else:
        head = HEAD
    return head + "".join(_section(label, telling.get(label, []), suggest) for label in labels)


def suggested_in(rules_text: str) -> tuple[str, ...]:
    """The labels for which `starter_rules` suggested a rule."""
    return tuple(re.findall(rf"^\[(.+)\]\n.*{re.escape(SUGGESTED)}$", rules_text, re.MULTILINE))


def _section(label: str, found: list[Phrase], suggest: bool) -> str:
    if not found:
        why = "     // no word or two distinguish these texts" if suggest else ""
        return f"\n// [{label}]\n// $* ... $*{why}\n"
    named = " | ".join(" ".join(map(print_word, phrase)) for phrase in found)
    rule = f"$* ( {named} ) $*" if len(found) > 1 else f"$* {named} $*"
    return f"\n[{label}]\n{rule}     {SUGGESTED}\n"


def telling_phrases(corpus: Corpus, tokenization: Tokenization) -> dict[str, list[Phrase]]:
    """For each label the words that come mostly in its texts, the most frequent first; where there is none, pairs of
    words that stand together.

    Texts of the splits dev and test are not looked at, so that they can still judge the rules.
    """
    total: Counter[Phrase] = Counter()
    texts: Counter[str] = Counter()
    by_label: dict[str, Counter[Phrase]] = defaultdict(Counter)
    for example in corpus:
        if example.label is None or example.split not in (None, "train"):
            continue
        distinct = set(_phrases(words(example.text, tokenization)))
        total.update(distinct)
        texts[example.label] += 1
        by_label[example.label].update(distinct)
    shares = {label: count / texts.total() for label, count in texts.items()}
    return {label: _best(counts, total, shares[label]) for label, counts in by_label.items()}


def _phrases(text: Sequence[str]) -> Iterator[Phrase]:
    """The words and pairs of words that may stand in a rule."""
    usable = [not is_number(word) and not is_punctuation(word) for word in text]
    for place, word in enumerate(text):
        if usable[place] and not is_function_word(word):
            yield (word,)
        if place and usable[place - 1] and usable[place]:
            pair = (text[place - 1], word)
            if not all(map(is_function_word, pair)):
                yield pair


def _best(counts: Counter[Phrase], total: Counter[Phrase], share: float) -> list[Phrase]:
    least = max(LEAST_SHARE, share + LEAST_GAIN * (1 - share))
    good = [phrase for phrase, count in counts.items() if count >= LEAST_TEXTS and count >= least * total[phrase]]
    single = [phrase for phrase in good if len(phrase) == 1]
    return sorted(single or good, key=lambda phrase: (-counts[phrase], phrase))[:MOST_WORDS]
