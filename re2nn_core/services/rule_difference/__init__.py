"""What differs between two rule sets: languages, witnesses, drawings, overlaps, texts with another prediction.

Nothing here trains or reconstructs.
"""
