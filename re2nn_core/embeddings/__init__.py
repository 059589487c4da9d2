"""Word vectors: from published files, from a small sentence encoder, or made here from spelling and texts."""
