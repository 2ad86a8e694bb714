"""What is sent beside the rooms' events: presence, chat, and the lobby."""
