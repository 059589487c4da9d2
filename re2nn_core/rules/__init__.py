"""The rule language: syntax tree, lexer, parser, printer, rule sets, label logic, published files."""
