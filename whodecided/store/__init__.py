"""Where a log lives: the embedded event store, its directory, and the twin in memory."""
