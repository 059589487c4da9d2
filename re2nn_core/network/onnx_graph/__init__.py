"""Networks as ONNX graphs, built node by node: batch and time stay open, the recurrence is a Scan."""
