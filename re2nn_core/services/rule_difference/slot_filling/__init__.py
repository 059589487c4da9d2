"""Weights of a trained tagger on a difference of transducers, and spans that changed."""
