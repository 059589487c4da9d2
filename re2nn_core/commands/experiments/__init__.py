"""Commands that run experiments: experiment, reproduce."""
