"""How things look on every page: markup, labels, spans, tables, messages. Nothing here keeps state."""
