"""Long work in processes of its own: launched, watched, cancelled, found again after a restart."""
