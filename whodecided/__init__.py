"""The application: store, importers, command line and Python API."""
