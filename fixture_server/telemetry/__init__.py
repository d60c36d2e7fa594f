"""A receiver of OpenTelemetry's protocol over HTTP: the world's one ear for what systems tell of themselves."""
