"""The rows of each table, from the events of one stream."""
