"""Reconstructed rules beside the written ones, for both tasks: figures, list, words, thresholds."""
