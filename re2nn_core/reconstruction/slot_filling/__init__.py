"""Rules with captures out of a trained tagger: votes, changes chosen, rules rewritten, mined and shortened."""
