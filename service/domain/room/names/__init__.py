"""Names of rooms and people, and the Unicode tables that their checks need."""
