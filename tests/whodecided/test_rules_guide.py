"""The guide to rules files shows files that the loaders take."""

from __future__ import annotations

import re
from pathlib import Path

from tests.shared import PROJECT_ROOT
from whodecided.cards import load_cards
from whodecided.policy import load_policies
from whodecided.rulebook import load_rules
from whodecided.tomlfiles import rule_folders

GUIDE = (PROJECT_ROOT / "docs" / "rules-data.md").read_text(encoding="utf-8")


def test_the_examples_of_the_guide_can_be_used(tmp_path: Path) -> None:
    edition, card, policy = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)
    for name, content in (
        ("editions/724.toml", edition),
        ("cards.toml", card),
        ("policy/league.toml", policy),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert load_rules(tmp_path).on("2027-03-01").section == "724"
    assert load_cards(tmp_path).control_card("Marionnette Maison") is not None
    assert load_policies(tmp_path).policy("2027-03-01").pack.id == "league-2027"


def test_the_guide_names_every_kind_of_file() -> None:
    (own,) = rule_folders(None)
    for name in own.files:
        folder, slash, _ = name.partition("/")
        assert f"`{folder}{slash and '/*.toml'}`" in GUIDE
