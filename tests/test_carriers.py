"""Files, folders and standard input: every record accounted for, in bounded memory."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow
import pytest

from analyzer.logs.carriers import Read, records, source_files
from analyzer.logs.reading import MAX_RECORD
from analyzer.logs.refusal import Refusal
from tests.hands import log, plays, raw

HANDS = [log(plays("0 3S 3D"), hand_id=f"t-{n}", players=[{"id": "an", "name": "Ân «x» , ] }"}, {"id": "b"}], deal=None) for n in range(5)]  # fmt: skip
LINES = b"\n".join(raw(hand) for hand in HANDS)
ARRAY = json.dumps(HANDS, ensure_ascii=False, indent=1).encode()


def put(folder: Path, name: str, data: bytes) -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


def ids(source: str, stdin: io.BytesIO | None = None) -> list[str]:
    """Hand ids of what was read, reason codes of what was refused, in order."""
    return [r.hand.hand_id if isinstance(r, Read) else r.reason for r in records(source, stdin)]


ALL = [f"t-{n}" for n in range(5)]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.ndjson", LINES),
        ("a.jsonl", b"\xef\xbb\xbf" + LINES.replace(b"\n", b"\r\n\r\n") + b"\r\n"),
        ("a.ndjson.gz", gzip.compress(LINES)),
        ("a.jsonl.zst", pyarrow.compress(LINES, codec="zstd", asbytes=True)),
        ("a.json", ARRAY),
        ("a.json.gz", gzip.compress(b"\xef\xbb\xbf \n" + ARRAY + b"\n")),
        ("a.json.zst", pyarrow.compress(raw(HANDS), codec="zstd", asbytes=True)),
    ],
)
def test_every_carrier_gives_the_same_hands(tmp_path: Path, name: str, data: bytes) -> None:
    assert ids(put(tmp_path, name, data)) == ALL


def test_one_hand_in_a_file_and_none(tmp_path: Path) -> None:
    assert ids(put(tmp_path, "a.json", json.dumps(HANDS[0], indent=2).encode())) == ["t-0"]
    assert ids(put(tmp_path, "b.json", b"[]")) == []
    assert ids(put(tmp_path, "c.json", b"")) == []
    assert ids(put(tmp_path, "d.ndjson", b"\n \n\n")) == []


def test_standard_input_is_ndjson() -> None:
    assert ids("-", io.BytesIO(LINES)) == ALL


def test_places_point_into_the_file(tmp_path: Path) -> None:
    for name, data in (("a.ndjson", LINES), ("a.json", ARRAY)):
        for number, record in enumerate(records(put(tmp_path, name, data))):
            assert isinstance(record, Read)
            assert data[record.place.offset :].startswith(record.raw)
            assert (record.place.line, record.place.index) in ((number + 1, None), (None, number))


def test_one_bad_hand_among_a_hundred_costs_only_itself(tmp_path: Path) -> None:
    hands = [raw(log(hand_id=f"t-{n}")) for n in range(100)]
    hands[41] = hands[41].replace(b'"seat"', b'"saet"')
    for name, data in (("a.ndjson", b"\n".join(hands)), ("a.json", b"[" + b",\n".join(hands) + b"]")):
        found = ids(put(tmp_path, name, data))
        assert len(found) == 100
        assert found[41] == "unknown_key"
        assert [f for f in found if f.startswith("t-")] == [f"t-{n}" for n in range(100) if n != 41]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"[1," + ARRAY[1:], ["wrong_type", *ALL]),
        (b'[{"a":"x\n},' + ARRAY[1:], ["bad_json", *ALL]),
        (ARRAY + b" x", [*ALL, "bad_json"]),
        (ARRAY[:-40], [*ALL[:4], "bad_json", "unreadable"]),
        (b'["' + b"x" * 3_000_000 + b'",' + ARRAY[1:], ["record_too_large", *ALL]),
        (b"x" * 3_000_000, ["record_too_large"]),
    ],
)
def test_a_broken_array_keeps_its_good_elements(tmp_path: Path, data: bytes, expected: list[str]) -> None:
    assert ids(put(tmp_path, "a.json", data)) == expected


def test_a_line_too_long_is_skipped_with_its_size(tmp_path: Path) -> None:
    data = LINES + b"\n" + b"x" * 3_000_000 + b"\n" + raw(log(hand_id="after"))
    found = list(records(put(tmp_path, "a.ndjson", data)))
    refusal = found[5]
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.place.line, refusal.found) == ("record_too_large", 6, "3000000 B")
    assert isinstance(found[6], Read) and found[6].hand.hand_id == "after"
    assert data[found[6].place.offset :] == found[6].raw


def test_the_limit_itself_is_read(tmp_path: Path) -> None:
    hand = log(hand_id="big", _pad="")
    hand["_pad"] = "x" * (MAX_RECORD - len(raw(hand)))
    assert len(raw(hand)) == MAX_RECORD
    assert ids(put(tmp_path, "a.ndjson", raw(hand))) == ["big"]
    hand["_pad"] += "x"
    assert ids(put(tmp_path, "b.ndjson", raw(hand))) == ["record_too_large"]


def test_a_packed_file_that_breaks_off_gives_what_it_has(tmp_path: Path) -> None:
    many = b"\n".join(raw(log(hand_id=f"t-{n}", _x=os.urandom(800).hex())) for n in range(300))
    found = ids(put(tmp_path, "a.ndjson.gz", gzip.compress(many)[:-50_000]))
    assert found[-1] == "unreadable"
    assert len(found) > 100 and all(f.startswith("t-") for f in found[:-1])
    assert ids(put(tmp_path, "b.ndjson.gz", b"not gzip")) == ["unreadable"]
    assert ids(put(tmp_path, "c.ndjson.zst", b"not zstd")) == ["unreadable"]


@pytest.mark.parametrize("name", ["h.ndjson", "h.ndjson.gz", "h.ndjson.zst", "h.json.gz"])
def test_a_file_that_was_read_is_closed(tmp_path: Path, name: str) -> None:
    data = raw(log())
    packed = {"gz": gzip.compress(data), "zst": pyarrow.compress(data, codec="zstd", asbytes=True)}
    path = put(tmp_path, name, packed.get(name.rpartition(".")[2], data))
    for _ in range(3):
        assert len(list(records(path))) == 1
    opened = [os.readlink(link) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    assert path not in opened


def test_memory_stays_bounded_on_a_line_of_two_gigabytes(tmp_path: Path) -> None:
    path = tmp_path / "huge.ndjson"
    with path.open("wb") as file:
        file.truncate(2 * 1024**3)
        file.seek(0, 2)
        file.write(b"\n" + raw(log(hand_id="after")))
    code = (
        "from analyzer.logs.carriers import records\n"
        f"found = [getattr(r, 'reason', 'read') for r in records({str(path)!r})]\n"
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1]\n"
        "print(found, peak)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.startswith("['record_too_large', 'read']")
    assert int(told.split()[-1]) < 200_000


def test_folders_are_walked_in_order_and_other_files_left(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("b/2.json", "b/1.ndjson", "a.json", "c.txt", "z.json.gz"):
        put(tmp_path, name, b"[]")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.json")
    found = [str(f) for f in source_files([tmp_path])]
    assert found == [str(tmp_path / name) for name in ("a.json", "z.json.gz", "b/1.ndjson", "b/2.json")]


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    wrong = [str(tmp_path / "none.json"), put(tmp_path, "a.doc", b""), "/dev/null"]
    found = list(source_files([*wrong, "-"]))
    assert [f.reason for f in found if isinstance(f, Refusal)] == ["unreadable"] * 3
    assert found[-1] == "-"


def test_a_carrier_is_told_by_its_last_ending(tmp_path: Path) -> None:
    assert ids(put(tmp_path, "a.json.ndjson", LINES)) == ALL
    assert ids(put(tmp_path, "a.ndjson.json", ARRAY)) == ALL


@pytest.mark.parametrize("cut", [b"[", b"[ ", b"[" + raw(HANDS[0]), b"[" + raw(HANDS[0]) + b",\n"])
def test_an_array_that_is_not_closed_is_told(tmp_path: Path, cut: bytes) -> None:
    found = ids(put(tmp_path, "a.json", cut))
    assert found == (["t-0", "unreadable"] if len(cut) > 2 else ["unreadable"])


def test_a_database_folder_is_not_read_as_logs(tmp_path: Path) -> None:
    (tmp_path / "tienlen-db" / "manifests").mkdir(parents=True)
    put(tmp_path, "tienlen-db/CURRENT", b"00000001\n")
    put(tmp_path, "tienlen-db/manifests/00000001.json", b"{}")
    kept = put(tmp_path, "a.ndjson", LINES)
    assert list(source_files([tmp_path])) == [kept]
