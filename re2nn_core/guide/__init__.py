"""The guide of the product: Markdown topics, their contents and a search. What explains the product to its users
belongs here, and nothing that computes; screens and the command line show it.
"""
