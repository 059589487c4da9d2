"""Rows of a file that are no rows of its table: above it, below it, and names that come again."""
