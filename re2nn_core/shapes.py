"""Names of the tensor axes used in comments and docstrings throughout the package.

batch        sentences computed together
time         words of a sentence, padded to the longest of the batch
vocabulary   words with a number, the three unknown kinds first
dimensions   entries of a word vector
rank         rank-one terms of the factors
states       states of all machines in a row
machines     automata run side by side: one a label or one a rule
labels       answers
"""
