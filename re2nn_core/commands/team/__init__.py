"""Commands about people: users, agreement."""
