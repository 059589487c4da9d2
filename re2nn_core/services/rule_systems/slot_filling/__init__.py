"""Rules with captures and their priorities as one system that tags words, and where it is read from."""
