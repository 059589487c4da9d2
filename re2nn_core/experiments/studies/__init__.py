"""Cells run for several seeds, with what a file of results has already left alone."""
