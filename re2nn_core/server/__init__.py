"""Models as an HTTP service: predictions and explanations for programs of any language."""
