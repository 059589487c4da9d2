"""Lists and objects inside of rows: which of their values are columns."""
