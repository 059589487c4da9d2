"""What networks are made of, as frozen settings. No tensor stands here."""
