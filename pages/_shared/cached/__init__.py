"""What is read once and shared by all sessions: rules, networks, explainers, recent figures."""
