"""Conversations: who says what in them, in lists and in texts."""
