"""Rules for labels out of a trained network: thresholds chosen, rules rebuilt, mined and written."""
