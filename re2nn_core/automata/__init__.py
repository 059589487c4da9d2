"""Rules as machines: position automata, deterministic machines, simulation, algebra, matching."""
