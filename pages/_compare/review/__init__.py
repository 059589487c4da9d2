"""The review of changes: a queue, one change with its rule and automata, and its evidence, on one screen."""
