"""What is known about the store outside the store, so that lost data is noticed."""
