"""Child processes: how they are started, asked, limited and ended; the same for bots, pairings and `turnstream up`."""
