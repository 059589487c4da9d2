"""The page Rules for projects whose texts carry spans."""
