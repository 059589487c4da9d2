"""Fine-tuning: configuration, the loop, checkpoints that resume."""
