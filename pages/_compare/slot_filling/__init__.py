"""The page Compare for projects whose texts carry spans."""
