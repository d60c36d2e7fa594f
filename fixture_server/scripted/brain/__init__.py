"""What the scripted model thinks: a conversation in, a reply out. Nothing here reads, waits or remembers."""
