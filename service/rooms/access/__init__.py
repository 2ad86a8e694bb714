"""Who may do what: passwords, moderation, and the log of operators' actions."""
