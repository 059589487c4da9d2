"""Training runs: data, plan, objective, start, progress, figures, comparison, and edits of trained networks.

The loop itself is the stage training; what a network learned as rules belongs to rule_reconstruction.
"""
