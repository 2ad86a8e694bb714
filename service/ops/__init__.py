"""What operators do: look at the service, check, keep copies of rooms, close rooms, mute and ban."""
