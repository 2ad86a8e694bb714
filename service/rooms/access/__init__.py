"""Who may do what: the access policy, passwords, moderation and the audit log."""
