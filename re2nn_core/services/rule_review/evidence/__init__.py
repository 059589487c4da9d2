"""What labelled texts say of a change: whether it is chance, and how many more texts would decide."""
