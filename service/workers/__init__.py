"""Claims due rooms and issues what they wait for through the one write path."""
