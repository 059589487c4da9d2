"""Projects as a whole: created, listed, imported, exported, archived, changed under guard.

Reading and writing of formats is the stage exchange.
"""
