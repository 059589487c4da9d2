"""Chinese words, cut by jieba (MIT), an extra: its dictionary of words lies in its package, nothing is downloaded.

Only the dictionary cuts (HMM off): where it knows no word, characters stand alone. That is deterministic, can be
looked up, and cuts names that nobody foresaw into pieces instead of gluing wrong ones, so that a slot's borders are
borders of words more often. The dictionary is read straight from the package: jieba's own start would read and write
a cache in the shared folder for temporary files, in a format that is not safe to read, and tell of it on the terminal.
"""

from __future__ import annotations

import importlib.util
import logging
import warnings
from collections.abc import Callable
from functools import cache

from re2nn_core.errors import InputError

INSTALL = "pip install 're2nn-studio[chinese]'"


def jieba_is_installed() -> bool:
    """True where texts can be cut with jieba."""
    return importlib.util.find_spec("jieba") is not None


def cut(characters: str) -> list[str]:
    """Chinese characters as words, which joined are the characters again. InputError where jieba is missing."""
    return _cutter()(characters)


@cache
def _cutter() -> Callable[[str], list[str]]:
    with warnings.catch_warnings():
        # Its sources have escapes that newer versions of Python warn of.
        warnings.simplefilter("ignore")
        try:
            import jieba
        except ImportError as error:
            raise InputError(
                "The tokenizer 'jieba', which cuts Chinese into words, needs the package jieba, which is not "
                f"installed. Install it with {INSTALL}, or choose the tokenizer 'characters'."
            ) from error
        logging.getLogger("jieba").setLevel(logging.ERROR)
        tokenizer = jieba.Tokenizer()
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return lambda characters: list(tokenizer.cut(characters, HMM=False))
