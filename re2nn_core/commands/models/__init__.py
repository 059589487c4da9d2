"""Commands on rules and networks with texts: train, evaluate, predict, explain, certify, reconstruct, edits."""
