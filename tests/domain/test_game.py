"""Recording: which stamp an observation gets."""

from __future__ import annotations

from tests.support.control_games import Game


def test_a_server_that_takes_a_seat_over_does_so_itself() -> None:
    game = Game()
    for event in ("seat_taken_over", "seat_returned"):
        fields = {"seat": 2, "by": "server:arena"}
        number = game.tell(event, 2, stated="server:arena", performer="server:arena", **fields)
        stamp = game.events[number - 1].stamp
        assert (stamp.acting_seat, stamp.deciding_player) == (2, "server:arena")
        assert (stamp.authority.kind, stamp.basis, stamp.reading) == ("server", "stated", None)


def test_what_nobody_is_stated_to_do_is_done_by_the_rules() -> None:
    game = Game()
    number = game.tell("life_changed", 2, seat=2, change=-1)
    stamp = game.events[number - 1].stamp
    assert (stamp.deciding_player, stamp.authority.kind, stamp.basis) == (
        "rules",
        "rules",
        "derived",
    )
