"""What commands lead to, one module per subject: members, seats, matches, moves, offers, timeouts, bots, ..."""
