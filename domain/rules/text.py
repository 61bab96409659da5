"""Text in the languages the product speaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["LANGUAGES", "Language", "LocalText", "Status"]

Language = Literal["en", "fr", "ja"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "fr", "ja")

Status = Literal["seen", "indirect", "inferred"]
"""How a statement is known: read in the document itself, told by another page, or deduced."""


@dataclass(frozen=True, slots=True)
class LocalText:
    """A text in English and, where there is one, in French and Japanese."""

    en: str
    fr: str | None = None
    ja: str | None = None

    def get(self, language: Language) -> str:
        """The text in this language, in English where it has none."""
        found = {"en": self.en, "fr": self.fr, "ja": self.ja}[language]
        return self.en if found is None else found
