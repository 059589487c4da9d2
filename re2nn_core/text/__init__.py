"""From text to words: tokenizers with character offsets, spans and tags, kinds of words, vocabularies, corpora."""
