"""The operators' verbs: check the service and its rooms, export and back up rooms, close rooms."""
