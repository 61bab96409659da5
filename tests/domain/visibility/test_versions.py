"""A versioned dictionary equals a list of copies of a plain one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from domain.visibility.versions import Versioned

_KEYS = "abc"
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.sampled_from(_KEYS), st.one_of(st.none(), st.integers(0, 3))),
        st.tuples(st.just("clear"), st.just("a"), st.none()),
        st.tuples(st.just("rewind"), st.just("a"), st.integers(0, 20)),
    ),
    max_size=30,
)


@given(_STEPS)
def test_every_earlier_state_stays_readable_across_rewinds(
    steps: list[tuple[str, str, int | None]],
) -> None:
    versions: Versioned[str, int] = Versioned()
    snapshots: list[dict[str, int | None]] = [{}]
    for number, (what, key, value) in enumerate(steps, 1):
        state = dict(snapshots[-1])
        if what == "set":
            versions.set(number, key, value)
            state[key] = value
        elif what == "clear":
            versions.clear(number)
            state.clear()
        else:
            to = min(value or 0, number - 1)
            versions.rewind(number, to)
            state = dict(snapshots[to])
        snapshots.append(state)

    for number, state in enumerate(snapshots):
        assert {key: versions.at(key, number) for key in _KEYS} == {
            key: state.get(key) for key in _KEYS
        }
    assert dict(versions.current()) == {k: v for k, v in snapshots[-1].items() if v is not None}
    assert all(versions.latest(key) == snapshots[-1].get(key) for key in _KEYS)


def test_the_last_of_several_values_in_one_event_counts() -> None:
    versions: Versioned[str, int] = Versioned()
    versions.set(3, "a", 1)
    versions.set(3, "a", 2)

    assert versions.at("a", 2) is None
    assert versions.at("a", 3) == 2
    assert versions.changed("a") == [3]
    assert list(versions.values("a")) == [2]


def test_a_key_that_was_never_set_is_absent() -> None:
    versions: Versioned[str, int] = Versioned()

    assert versions.latest("a") is None
    assert versions.at("a", 9) is None
    assert list(versions.changed("a")) == []
    assert list(versions.values("a")) == []
    assert list(versions) == []
