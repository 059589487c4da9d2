"""Reconstruction of rules with captures and the changes it proposes."""
