"""The event log on a PostgreSQL server, through the event sourcing library's own module."""
