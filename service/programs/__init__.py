"""The programs of the command line that do not serve."""
