"""Importers: one package per source of recorded games."""
