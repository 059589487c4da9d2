"""Reconstruction of rules for labels and the changes it proposes."""
