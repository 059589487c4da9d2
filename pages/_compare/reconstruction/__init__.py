"""Reconstructed rules for labels beside the written ones."""
