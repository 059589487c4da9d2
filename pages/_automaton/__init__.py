"""Parts of the page See automaton."""
