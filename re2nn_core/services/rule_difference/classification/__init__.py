"""Weights of a trained network on a difference of automata."""
