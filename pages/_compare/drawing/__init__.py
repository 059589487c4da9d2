"""How two rules stand side by side: words, automata on one canvas, a sentence through both."""
