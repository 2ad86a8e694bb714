"""What the search for a move at Nine Men's Morris is made of."""
