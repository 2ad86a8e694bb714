"""Workers: they claim due rooms, and issue system commands for what is due in them."""
