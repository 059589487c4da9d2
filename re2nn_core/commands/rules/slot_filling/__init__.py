"""The same commands for rules with captures."""
