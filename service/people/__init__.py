"""What is known of players, and what they have beside rooms."""
