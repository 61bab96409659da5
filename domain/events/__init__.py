"""The catalogue of events: what can be recorded."""
