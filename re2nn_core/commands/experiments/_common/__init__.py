"""What the experiment commands share: their options, the settings of baselines, and how results are written."""
