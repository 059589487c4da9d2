"""What a rule asks of the letters of one word, `re"book(ing)?s?"`, and the classes of words that this tells apart."""
