"""Corpora with spans, from any format and into some."""
