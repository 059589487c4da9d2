"""The papers' other systems, ordinary networks alone or enhanced by the rules' predictions; and a linear layer over the
sentence encoder."""
