"""Review of reconstructed rules with captures."""
