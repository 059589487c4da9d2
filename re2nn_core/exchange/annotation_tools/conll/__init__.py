"""CoNLL in its forms: words and tags by columns, and CoNLL-U."""
