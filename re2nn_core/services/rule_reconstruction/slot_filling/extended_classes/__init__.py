"""Word classes of rules for slots extended by what their texts and word vectors have more of the same kind."""
