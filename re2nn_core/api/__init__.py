"""The Python interface, `import re2nn_core as re2nn`: rules and networks as models, with the services behind them.

`re2nn_core/__init__.py` hands these names on and loads them when they are asked for. The command line uses the same.
"""
