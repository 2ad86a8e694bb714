"""The disk of the store, and the rejection of writes while it is nearly full."""
