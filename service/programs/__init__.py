"""The programs of the command line that do not serve, and `turnstream up`, which supervises those that do."""
