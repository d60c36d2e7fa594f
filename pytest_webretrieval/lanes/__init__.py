"""What one run has: slot, world with its hosts, credentials, clocks."""
