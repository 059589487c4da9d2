"""The published tables and figures, run again: data sets, portions, models, seeds, and the file of results."""
