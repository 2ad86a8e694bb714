"""What is known of the store outside the store, so that lost data are noticed."""
