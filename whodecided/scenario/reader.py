"""Read scenario files strictly: every scalar is text, nothing is written twice or refers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from domain.errors import BadInput
from whodecided.inputs import read_text

__all__ = ["MAX_BYTES", "read_documents"]

MAX_BYTES: Final = 1 << 20
"""A scenario is written by people; a larger file is a mistake."""
_NOTHING: Final = ("", "~", "null")
_NO_TEXT: Final = frozenset({"Cc", "Cs"})
"""Categories of characters that are no text: controls, and halves of surrogate pairs."""


class _TextLoader(yaml.BaseLoader):
    """Scalars as text; aliases, anchors, tags and keys written twice are refused."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]  # the stubs lack types
        for refused, word in (
            (isinstance(event, yaml.AliasEvent), "aliases"),
            (getattr(event, "anchor", None) is not None, "anchors"),
            (getattr(event, "tag", None) is not None, "tags"),
        ):
            if refused:
                raise yaml.composer.ComposerError(
                    None, None, f"{word} are refused", event.start_mark
                )
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(
                    None, None, "a key must be a word", key.start_mark
                )
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key.value!r} is written twice", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep=True)

    def construct_scalar(self, node: Any) -> Any:
        text = super().construct_scalar(node)
        if any(unicodedata.category(char) in _NO_TEXT for char in text if char not in "\n\t"):
            raise yaml.constructor.ConstructorError(
                None, None, "control characters are refused", node.start_mark
            )
        return None if node.style is None and text in _NOTHING else text


_TextLoader.add_constructor("tag:yaml.org,2002:str", _TextLoader.construct_scalar)
_TextLoader.add_constructor("tag:yaml.org,2002:map", _TextLoader.construct_mapping)


def read_documents(path: Path) -> Iterator[Any]:
    """The documents of a file: nested dicts and lists of texts, None for a plain null.

    Raises BadInput with the line for anything that is not such a file.
    """
    text = read_text(path, MAX_BYTES)
    yield from (document for document in _parsed(str(path), text) if document is not None)


def _parsed(file: str, text: str) -> list[Any]:
    try:
        return list(yaml.load_all(text, Loader=_TextLoader))
    except RecursionError as error:
        raise BadInput(file, "the file is nested too deeply") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1
        raise BadInput(file, error.problem or "not YAML", line=line) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise BadInput(file, "a character is not allowed in YAML", line=line) from error
