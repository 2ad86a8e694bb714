"""Event streams other than rooms: loading, commands, retention and following, for every kind of them."""
