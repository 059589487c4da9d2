"""Rule systems of both tasks and edits of their text: rules, label logic or priorities, and what they predict.

Nothing here knows of a network, of a project in the store, or of people.
"""
