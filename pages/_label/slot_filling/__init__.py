"""The page Label for slots: the marks of one text after the other, or of many at once."""
