"""Explanations of tags: rules that claim words, scores as sums over rules, flips."""
