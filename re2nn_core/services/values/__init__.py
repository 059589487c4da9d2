"""Values of the stages below that services hand to pages, under one roof. Nothing is computed here, and pages import
nothing of those stages past it.
"""
