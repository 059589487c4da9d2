"""What several commands share for slots: data, inputs, settings."""
