"""What answers say in English, French and Japanese: words by key, and whole sentences."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from domain.rules.text import LANGUAGES, Language

__all__ = ["Speech", "speech"]

_FOLDER: Final = Path(__file__).with_name("lang")
_PART: Final = re.compile(r"\{(\w+)\}")
_THEN: Final = ", then "
_JOINTS: Final = {" ": "sentence", "; ": "part"}
"""What stands between sentences, and between the parts of one -> key of `joint`."""

_Words = Mapping[str, Mapping[str, Mapping[str, str]]]
_Pattern = tuple[re.Pattern[str], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Speech:
    """The words of one language.

    Words are kept by table and key, sentences by what they are in English.
    """

    language: Language
    words: _Words = field(repr=False)
    patterns: Sequence[_Pattern] = field(repr=False)

    def word(self, table: str, key: str) -> str:
        """The word for a key; a code that the tables do not have is shown as it is, with spaces."""
        found = self.words[table].get(key)
        return key.replace("_", " ").replace("-", " ") if found is None else found[self.language]

    def say(self, key: str, **parts: object) -> str:
        """A phrase with its parts filled in. Raises KeyError for a key or part that is missing."""
        return self.words["say"][key][self.language].format_map(parts)

    def label(self, key: str) -> str:
        """What a line of an answer is called. Raises KeyError for a key that is missing."""
        return self.words["label"][key][self.language]

    def knows(self, text: str) -> bool:
        """Whether every sentence of an English text can be said in the other languages."""
        return None not in self._said(text)

    def sentence(self, text: str) -> str:
        """An English text in this language; what nobody has put into it stays in English.

        As lines of an answer do, Japanese leaves out the last full stop.
        """
        if self.language == "en":
            return text
        said = list(self._said(text))
        if None in said:
            return text
        whole = "".join(one for one in said if one)
        return whole.removesuffix("。") if self.language == "ja" else whole

    def _said(self, text: str) -> Iterator[str | None]:
        """Sentences and what joins them, in this language; None for the first one not known."""
        rest = text
        while rest:
            match = self._longest(rest)
            if match is None:
                yield None
                return
            found, local = match
            parts = {name: self._part(name, value) for name, value in found.groupdict().items()}
            yield local[self.language].format_map(parts)
            rest = rest[found.end() :]
            if rest:
                joint = "; " if rest.startswith("; ") else " "
                yield self.words["joint"][_JOINTS[joint]][self.language]
                rest = rest[len(joint) :]

    def _longest(self, text: str) -> tuple[re.Match[str], Mapping[str, str]] | None:
        """The known sentence that takes most of the beginning of a text."""
        every = ((pattern.match(text), local) for pattern, local in self.patterns)
        found = [(match, local) for match, local in every if match is not None]
        return max(found, key=lambda one: one[0].end(), default=None)

    def _part(self, name: str, value: str) -> str:
        if name != "effects":
            return value
        return value.replace(_THEN, self.words["joint"]["then"][self.language])


@cache
def speech(language: Language) -> Speech:
    """The words of a language. Raises ValueError for one that the product does not speak."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}")
    words, sentences = _files()
    return Speech(language, words, tuple((_pattern(one["en"]), one) for one in sentences))


@cache
def _files() -> tuple[_Words, Sequence[Mapping[str, str]]]:
    words: Any = tomllib.loads((_FOLDER / "words.toml").read_text(encoding="utf-8"))
    told: Any = tomllib.loads((_FOLDER / "sentences.toml").read_text(encoding="utf-8"))
    return words, told["sentences"]


def _pattern(english: str) -> re.Pattern[str]:
    """What fits the sentence with any parts, up to its end or the next sentence."""
    pieces = _PART.split(english)
    body = "".join(
        f"(?P<{piece}>.+?)" if place % 2 else re.escape(piece) for place, piece in enumerate(pieces)
    )
    return re.compile(rf"{body}(?=; | |$)")
