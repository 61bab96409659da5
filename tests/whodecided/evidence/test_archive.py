"""Archives have one form; both readers take it and refuse everything else."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools import verify_bundle
from whodecided.evidence.archive import ArchiveFault, read_archive, write_archive

FILES = {"b.txt": b"second", "a/c.json": b"{}", "a.txt": b"first" * 50, "empty": b""}
ARCHIVE = write_archive(FILES)
NAMES = st.from_regex(r"[a-z0-9][a-z0-9_.-]{0,5}(/[a-z0-9][a-z0-9_.-]{0,5})?", fullmatch=True)


def refused(data: bytes) -> str:
    """The code with which both readers refuse an archive."""
    with pytest.raises(ArchiveFault) as mine:
        read_archive(data)
    with pytest.raises(verify_bundle.Rejected) as theirs:
        verify_bundle.unpack(data)
    assert theirs.value.step == "archive"
    assert theirs.value.code == mine.value.code
    return mine.value.code


@given(st.dictionaries(NAMES, st.binary(max_size=40), max_size=6))
def test_files_come_back_and_both_writers_give_the_same_bytes(files: dict[str, bytes]) -> None:
    data = write_archive(files)

    assert read_archive(data) == files
    assert verify_bundle.pack(files) == data
    assert verify_bundle.unpack(data) == files


def test_the_standard_librarys_reader_takes_it() -> None:
    with zipfile.ZipFile(io.BytesIO(ARCHIVE)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == sorted(FILES)
        assert {name: archive.read(name) for name in FILES} == FILES
        assert {item.date_time for item in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_order_in_which_files_are_given_does_not_matter() -> None:
    assert write_archive(dict(reversed(FILES.items()))) == ARCHIVE


@pytest.mark.parametrize("mask", [0x01, 0x80])
def test_every_byte_counts_for_both_readers(mask: int) -> None:
    for place in range(len(ARCHIVE)):
        flipped = bytearray(ARCHIVE)
        flipped[place] ^= mask
        with pytest.raises(ArchiveFault):
            read_archive(bytes(flipped))
        with pytest.raises(verify_bundle.Rejected) as caught:
            verify_bundle.unpack(bytes(flipped))
        assert caught.value.step == "archive"


def test_an_archive_that_is_cut_short_anywhere_is_damaged() -> None:
    for size in range(len(ARCHIVE)):
        with pytest.raises(ArchiveFault):
            read_archive(ARCHIVE[:size])
        with pytest.raises(verify_bundle.Rejected):
            verify_bundle.unpack(ARCHIVE[:size])


def test_nothing_may_stand_before_between_or_behind() -> None:
    assert refused(ARCHIVE + b"more") == "archive-damaged"
    assert refused(b"more" + ARCHIVE) == "archive-damaged"
    assert refused(b"") == "archive-damaged"
    assert refused(b"text that is no archive") == "archive-damaged"


def zipped(
    fill: Callable[[zipfile.ZipFile], object], compression: int = zipfile.ZIP_STORED
) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library warns of doubled names
        fill(archive)
    return target.getvalue()


def member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.create_system = 3
    info.external_attr = 0o100644 << 16
    return info


def test_compressed_files_are_refused_without_unpacking_them() -> None:
    bomb = zipped(lambda z: z.writestr("bomb", bytes(50_000_000)), zipfile.ZIP_DEFLATED)
    assert len(bomb) < 100_000

    assert refused(bomb) == "archive-unsafe"


@pytest.mark.parametrize(
    "name",
    [
        "../outside",
        "a/../../outside",
        "/etc/passwd",
        "a//b",
        "a/",
        "./a",
        "a\\b",
        "C:/a",
        "UPPER",
        "a b",
        "\u00e4",
        "a" * 201,
    ],
)
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    assert refused(zipped(lambda z: z.writestr(member(name), b"x"))) == "archive-unsafe"


def test_two_files_of_one_name_are_refused() -> None:
    def fill(archive: zipfile.ZipFile) -> None:
        archive.writestr(member("a"), b"one")
        archive.writestr(member("a"), b"two")

    assert refused(zipped(fill)) == "archive-unsafe"


def test_too_many_files_are_refused() -> None:
    many = {f"{number:05}": b"" for number in range(4097)}

    assert refused(write_archive(many)) == "archive-unsafe"


def test_an_archive_larger_than_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whodecided.evidence.archive.MAX_ARCHIVE", 100)
    monkeypatch.setattr(verify_bundle, "LARGEST", 100)

    assert refused(ARCHIVE) == "archive-unsafe"


def out_of_order(archive: zipfile.ZipFile) -> None:
    archive.writestr(member("b"), b"x")
    archive.writestr(member("a"), b"x")


def dated_today(archive: zipfile.ZipFile) -> None:
    archive.writestr("a", b"x")


def with_a_comment(archive: zipfile.ZipFile) -> None:
    archive.comment = b"hidden"
    archive.writestr(member("a"), b"x")


def with_an_extra_field(archive: zipfile.ZipFile) -> None:
    archive.writestr(extra(member("a")), b"x")


@pytest.mark.parametrize("fill", [out_of_order, dated_today, with_a_comment, with_an_extra_field])
def test_other_forms_of_the_same_files_are_damaged(
    fill: Callable[[zipfile.ZipFile], object],
) -> None:
    assert refused(zipped(fill)) == "archive-damaged"


def extra(info: zipfile.ZipInfo) -> zipfile.ZipInfo:
    info.extra = struct.pack("<HH4s", 0x9999, 4, b"data")
    return info


def test_an_encrypted_file_is_refused() -> None:
    data = bytearray(write_archive({"a": b"x"}))
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(header) + flags] |= 1

    assert refused(bytes(data)) == "archive-unsafe"


def test_files_that_overlap_do_not_multiply() -> None:
    """The central directory names one content many times."""
    content = b"x" * 10_000
    one = write_archive({"a": content})
    at = one.index(b"PK\x01\x02")
    entry = one[at : at + 47]
    entries = b"".join(entry[:46] + bytes([97 + number]) for number in range(20))
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 20, 20, len(entries), at, 0)

    bomb = one[:at] + entries + end

    with pytest.raises(ArchiveFault):
        read_archive(bomb)
    with pytest.raises(verify_bundle.Rejected) as caught:
        verify_bundle.unpack(bomb)
    assert caught.value.code == "archive-unsafe"


@given(st.binary(max_size=200))
def test_any_bytes_end_in_a_typed_refusal(data: bytes) -> None:
    for junk in (data, ARCHIVE[:40] + data, data + ARCHIVE[-60:], b"PK\x03\x04" + data):
        with pytest.raises(ArchiveFault):
            read_archive(junk)
        with pytest.raises(verify_bundle.Rejected):
            verify_bundle.unpack(junk)
