"""The page Team."""
