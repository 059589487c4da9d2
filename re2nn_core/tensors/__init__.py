"""Machines as tensors: transition tensor, exact factors, lower ranks, the equality certificate."""
