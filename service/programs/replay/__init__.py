"""The verbs `replay` and `verify` of the command line, which show and check matches from outside the service."""
