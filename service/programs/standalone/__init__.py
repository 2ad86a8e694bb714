"""`turnstream up`: an embedded store and the service's processes on one machine."""
