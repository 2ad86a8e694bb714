"""What the search for a move at Turncoat is made of."""
