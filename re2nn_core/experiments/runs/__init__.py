"""One run of a cell: what is run, with which system, and what is measured."""
