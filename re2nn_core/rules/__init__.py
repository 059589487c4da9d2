"""The rule language: syntax tree, lexer, parser, printer, rule sets, label logic, published files.

What a rule accepts is computed in automata.
"""
