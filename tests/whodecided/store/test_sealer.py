"""Seals are reproducible by the log's owner and by nobody else."""

from __future__ import annotations

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from domain.ports import Disclosure
from domain.sealed import Seal
from whodecided.store.sealer import LogSealer

SECRET = bytes(range(32))
GAME = "aaaaaaaa-1111-5111-8111-111111111111"


def test_a_seal_is_the_salted_digest_that_the_design_defines() -> None:
    seal: Seal = LogSealer(SECRET)

    digest = seal(GAME, 7, "card", "70123")

    salt = hmac.digest(SECRET, f"{GAME}|7|card".encode(), "sha256")
    assert digest == hashlib.sha256(salt + b"\0card\0" + b'"70123"').hexdigest()


def test_the_disclosures_of_a_stream_are_handed_over_once() -> None:
    sealer = LogSealer(SECRET)
    sealer(GAME, 1, "card", "70123")
    sealer("other", 1, "card", None)
    sealer(GAME, 2, "options", ["1", "2"])

    salts = [
        hmac.digest(SECRET, f"{GAME}|{place}".encode(), "sha256")
        for place in ("1|card", "2|options")
    ]
    assert sealer.take(GAME) == [
        Disclosure(1, "card", b'"70123"', salts[0]),
        Disclosure(2, "options", b'["1","2"]', salts[1]),
    ]
    assert sealer.take(GAME) == []
    assert len(sealer.take("other")) == 1


@given(st.binary(min_size=32, max_size=32), st.integers(1, 5000), st.text(max_size=8))
def test_the_same_secret_and_place_give_the_same_seal_and_another_secret_another(
    secret: bytes, number: int, value: str
) -> None:
    digest = LogSealer(secret)(GAME, number, "card", value)

    assert LogSealer(secret)(GAME, number, "card", value) == digest
    assert LogSealer(secret)(GAME, number + 1, "card", value) != digest
    assert LogSealer(secret)(GAME, number, "card", value + "x") != digest
    assert LogSealer(bytes(reversed(secret)) + b"x")(GAME, number, "card", value) != digest


def test_a_pseudonym_depends_on_secret_system_and_account() -> None:
    sealer = LogSealer(SECRET)
    pseudonym = sealer.pseudonym("arena", "ABCDEF")

    assert pseudonym == hmac.digest(SECRET, b"arena|ABCDEF", "sha256").hex()[:16]
    assert pseudonym != sealer.pseudonym("mtgo", "ABCDEF")
    assert pseudonym != sealer.pseudonym("arena", "ABCDEG")
    assert pseudonym != LogSealer(bytes(32)).pseudonym("arena", "ABCDEF")
