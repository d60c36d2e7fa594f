"""The gateway: listed hosts of the real world, passed on as they are, recorded and replayed."""
