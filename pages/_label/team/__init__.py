"""The page Label over the queue of a team."""
