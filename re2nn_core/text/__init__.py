"""From text to words: tokenizers with character offsets, kinds of words, vocabularies, corpora."""
