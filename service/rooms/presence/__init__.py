"""Who is connected to which room."""
