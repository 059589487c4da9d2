"""Running the cells of published tables: plan, processes, stored runs."""
