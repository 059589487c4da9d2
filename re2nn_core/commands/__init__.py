"""The commands of `re2nn`, one module for each group of them; cli.py joins them.

A command reads its options, makes one service call and hands back a CommandResult. Heavy imports (NumPy, torch,
pandas) stand inside the functions, so that a command loads only what it uses.
"""
