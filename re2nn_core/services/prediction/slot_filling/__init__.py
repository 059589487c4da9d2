"""Spans for many texts: rules, untrained and trained taggers, evaluation, files of predictions."""
