"""Explanations of labels: rules that match, scores as sums over rules, flips."""
