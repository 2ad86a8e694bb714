"""What `turnstream up` runs on one machine: an embedded store and the service's processes."""
