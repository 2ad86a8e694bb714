"""Notable matches: what was special about public matches between people, and the best of them by game and time."""
