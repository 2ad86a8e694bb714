"""Who calls: the address, the host that was asked for, the token."""
