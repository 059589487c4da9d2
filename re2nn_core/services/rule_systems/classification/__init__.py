"""Rules with label logic as one system that labels texts, and where it is read from."""
