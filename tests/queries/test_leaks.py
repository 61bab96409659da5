"""No answer, in no form, names a card that its viewer may not see."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec
import pytest

from queries.active import active
from queries.control import control
from queries.findings import findings
from queries.record import GameRecord
from queries.replay import replay
from queries.sees import sees
from queries.show import show
from queries.who import who
from tests.support.games import ALICE, BOB, Told
from tests.support.stories import CARDS, STORIES, controlled_turn, hidden_cards

VIEWERS = ("seat:1", "seat:2", ALICE, BOB, "person:zoe", "spectator")
NUMBER = re.compile(r"(?<!\d)8[1-5]10[1-3](?!\d)")


def cards_in(answer: object) -> set[str]:
    return set(NUMBER.findall(msgspec.json.encode(answer).decode()))


def allowed(record: GameRecord, viewer: str, numbers: Iterable[int]) -> set[str]:
    """The cards that the viewer may see at one of these events, or in it."""
    found: set[str] = set()
    for number in numbers:
        sources = set(record.folded.visible_cards(viewer, number).values())
        if number:
            sources |= {(number, name) for name in record.folded.clear_fields(viewer, number)}
        for source in sources:
            found |= set(NUMBER.findall(str(record.secrets.get(source, ""))))
    return found


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_answer_about_an_event_names_a_card_its_viewer_may_not_see(
    story: Callable[[], Told], viewer: str
) -> None:
    record = story().record()
    for number in range(1, record.folded.last + 1):
        around = range(max(1, number - 2), min(record.folded.last, number + 2) + 1)
        window = replay(record, number, viewer, before=2, after=2)

        assert cards_in(who(record, number, viewer)) <= allowed(record, viewer, [number])
        assert cards_in(sees(record, number, viewer)) <= allowed(record, viewer, [number])
        assert cards_in(active(record, number, viewer)) == set()
        assert cards_in(window) <= allowed(record, viewer, around)


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_answer_about_a_whole_game_names_a_hidden_card(
    story: Callable[[], Told], viewer: str
) -> None:
    record = story().record()

    for answer in (control(record, viewer), findings(record, viewer), show(record, (), viewer)):
        assert cards_in(answer) == set()


@pytest.mark.parametrize(
    ("story", "viewer", "never"),
    [
        (controlled_turn, "seat:2", {"81101", "81102", "82103", "83101"}),
        (controlled_turn, "spectator", CARDS - {"82101"}),
        (controlled_turn, "seat:1", {"82103"}),
        (hidden_cards, "seat:2", {"81101", "81102", "83101"}),
        (hidden_cards, "spectator", CARDS - {"82102"}),
        (hidden_cards, "seat:1", {"84101", "85101"}),
    ],
)
def test_what_a_viewer_may_never_see_stands_in_no_answer_about_any_event(
    story: Callable[[], Told], viewer: str, never: set[str]
) -> None:
    record = story().record()
    shown: set[str] = set()
    for number in range(1, record.folded.last + 1):
        for answer in (who(record, number, viewer), sees(record, number, viewer)):
            shown |= cards_in(answer)
    shown |= cards_in(replay(record, None, viewer, before=99))

    assert shown & never == set()
    assert shown != set() or viewer == "spectator"


def test_a_judge_sees_every_card_of_the_record() -> None:
    record = hidden_cards().record()

    assert cards_in(replay(record, None, "judge", before=99)) == CARDS
