"""The page See automaton for projects whose texts carry spans."""
