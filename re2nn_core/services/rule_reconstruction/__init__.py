"""A trained network as rules again, and these rules beside the written ones.

What is shown of it on the page, kept in files or accepted one by one belongs to rule_review.
"""
