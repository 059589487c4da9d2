"""Word lists kept in files: `@city@ = file("cities.txt")`, their content, and how it stays with the rules."""
