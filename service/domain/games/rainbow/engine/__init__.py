"""What the search for a move at Tic-Tac-Rainbow is made of."""
