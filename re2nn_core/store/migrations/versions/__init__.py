"""One file a change, each with the number of the one before. A file that was published is never changed again."""
