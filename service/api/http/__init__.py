"""What all routes share: requests, responses, addresses, tokens."""
