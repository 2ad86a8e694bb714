"""Notable matches: what was special about public matches between persons, and the best of them by game and time."""
