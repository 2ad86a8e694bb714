"""How players find each other: seeks, challenges, and the list of bots."""
