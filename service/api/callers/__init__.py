"""Who calls: the address, the requested host, the token."""
