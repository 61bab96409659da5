"""Tests, folder for folder as the source tree; see CONTRIBUTING.md."""
