"""The papers' other systems: ordinary networks, alone or enhanced by the rules' predictions."""
