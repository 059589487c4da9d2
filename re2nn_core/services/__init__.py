"""What the pages and the command line call: one package for each use case, each importing only those before it in the
order of tests/architecture/imports.py. No widget, no plot and no SQL stands here.
"""
