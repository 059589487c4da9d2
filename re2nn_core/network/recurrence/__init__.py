"""The recurrence over words for all automata at once, its batches, and its fast forms.

What becomes of the last states belongs to classification and slot_filling.
"""
