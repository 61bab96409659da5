"""The importer for client logs of MTG Arena."""
