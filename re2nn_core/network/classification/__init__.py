"""The recurrent classifier FA-RNN: label logic over states, bundles, parts of scores, transplants."""
