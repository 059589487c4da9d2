"""What the cells of a column look like, where that has to be reported."""
