"""Ordinary encoders that are trained next to the rules, and start at zero."""
