"""What several commands share: answers, options, inputs, settings, files that are written. No command stands here."""
