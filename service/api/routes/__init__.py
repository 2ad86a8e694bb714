"""The HTTP routes: each translates, calls the application once, and answers."""
