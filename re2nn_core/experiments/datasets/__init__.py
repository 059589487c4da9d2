"""Data sets of experiments and portions of them."""
