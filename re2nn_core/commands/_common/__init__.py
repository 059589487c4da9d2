"""What several commands share: results, options, inputs, settings, files that are written. No command stands here."""
