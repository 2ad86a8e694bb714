"""What the service is measured against: the plainest programs that do a part of its work."""
