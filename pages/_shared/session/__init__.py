"""Who is in front of the page and what the session works on: sign-in, state, addresses, router."""
