"""What commands lead to, one module per subject: members, seats, moves, offers, clocks, bots."""
