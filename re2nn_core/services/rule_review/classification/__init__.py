"""Review of reconstructed rules for labels."""
