"""Players: deliveries to their streams, and the feed of each."""
