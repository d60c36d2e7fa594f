"""What the wire saw and what it carried: attempts, traces, representations, frames, secrets."""
