"""Words that hold sentences together and say nothing of what a text is about, in some languages: a rule on one of them
alone fires by chance, however well it does on few texts."""

from __future__ import annotations

_ENGLISH = """
a an the this that these those some any each every all both no not none
i me my mine we us our you your he him his she her it its they them their who whom whose which what
am is are was were be been being do does did have has had having can could will would shall should may might must
's 'm 're 've 'll 'd n't isn't aren't don't doesn't didn't can't won't i'm it's that's there's what's
of in on at by for from to into onto with without about as than over under between through up down out off
and or but if then so because while when where why how there here
please just also too very only
"""
# None that is a word of its own in English ("hat", "die", "war").
_OTHERS = """
der das ein eine einen einem einer dem des ist sind bin haben wird und oder aber nicht ich er sie es wir ihr mein mit
von zu im auf für bei aus
le la les un une du de et ou est sont je tu il elle nous vous ne pas que qui dans en avec au aux
el los una es yo tú él ella con por para del al lo se mi
的 了 是 在 我 你 他 她 它 们 有 和 与 也 就 都 而 及 吗 呢 吧 啊 这 那 一 个 不
"""
FUNCTION_WORDS = frozenset((_ENGLISH + _OTHERS).split())


def is_function_word(word: str) -> bool:
    """True for a word of the list, in any case of letters."""
    return word.casefold() in FUNCTION_WORDS
