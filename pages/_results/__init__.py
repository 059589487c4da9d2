"""The parts of the page Results."""
