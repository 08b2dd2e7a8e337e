"""`tienlen convert`, and notation as a carrier of hands like any other."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any, Final

import pyarrow
import pytest

from analyzer.logs.carriers import Read, records, source_files
from analyzer.logs.reading import MAX_RECORD
from analyzer.logs.refusal import Refusal
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.quarantine import retry
from analyzer.store.reader import open_reader
from tests.hands import log, plays, raw
from tests.test_cli import tienlen

ROOT: Final = Path(__file__).resolve().parents[1]
HEAD: Final = "ván: v-1\nluật: mien-nam\ncược: 10.000 VND\nngười chơi: An, Bình\n"
HAND: Final = HEAD + "\nAn 3♠\nBình 4♦ # ừ\n"
OTHER: Final = HAND.replace("v-1", "v-2")
WRONG: Final = HEAD.replace("v-1", "v-3") + "An 9c\nBinh bỏ\nAn 3x\n"


def put(folder: Path, name: str, text: str | bytes) -> str:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def logs(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# -- the command ---------------------------------------------------------------------------------


def test_text_to_log_and_back(tmp_path: Path) -> None:
    done = tienlen("convert", put(tmp_path, "a.van", HAND))
    assert (done.returncode, done.stderr) == (0, "")
    (made,) = logs(done.stdout)
    assert made["events"] == [
        {"type": "play", "seat": 0, "cards": ["3S"]},
        {"type": "play", "seat": 1, "cards": ["4D"]},
    ]
    back = tienlen("convert", put(tmp_path, "a.ndjson", done.stdout))
    assert (back.returncode, back.stdout, back.stderr) == (0, HAND, "")


def test_several_hands_come_one_a_line_and_go_back_as_one_text(tmp_path: Path) -> None:
    done = tienlen("convert", put(tmp_path, "a.txt", HAND + "\n" + OTHER))
    assert [made["hand_id"] for made in logs(done.stdout)] == ["v-1", "v-2"]
    back = tienlen("convert", "-", stdin=done.stdout.encode())
    assert back.stdout == HAND + "\n" + OTHER


def test_standard_input_is_text_or_logs() -> None:
    assert logs(tienlen("convert", "-", stdin=b"\xef\xbb\xbf" + HAND.encode()).stdout)[0]["hand_id"] == "v-1"
    assert tienlen("convert", "-", stdin=b"\n" + raw(log(plays("0 3S")))).stdout.startswith("ván: t-1\n")
    empty = tienlen("convert", "-", stdin=b"")
    assert (empty.returncode, empty.stdout) == (0, "")


def test_the_ending_of_the_output_says_how_hands_stand_in_it(tmp_path: Path) -> None:
    one, two = put(tmp_path, "a.van", HAND), put(tmp_path, "b.van", HAND + "\n" + OTHER)
    for source, name, count in ((one, "a.json", 1), (two, "b.json", 2), (two, "b.ndjson", 2)):
        done = tienlen("convert", source, "-o", str(tmp_path / name))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert len([r for r in records(str(tmp_path / name)) if isinstance(r, Read)]) == count
    assert isinstance(json.loads((tmp_path / "a.json").read_text("utf-8")), dict)
    assert isinstance(json.loads((tmp_path / "b.json").read_text("utf-8")), list)
    tienlen("convert", str(tmp_path / "b.json"), "-o", str(tmp_path / "c.van"))
    assert (tmp_path / "c.van").read_text("utf-8") == HAND + "\n" + OTHER


def test_a_file_is_replaced_only_on_demand_and_its_ending_must_fit(tmp_path: Path) -> None:
    source, output = put(tmp_path, "a.van", HAND), put(tmp_path, "a.json", "mine")
    refused = tienlen("convert", source, "-o", output)
    assert refused.returncode == 2
    assert "--force" in refused.stderr
    assert Path(output).read_text("utf-8") == "mine"
    assert tienlen("convert", source, "-o", output, "--force").returncode == 0
    assert json.loads(Path(output).read_text("utf-8"))["hand_id"] == "v-1"
    wrong = tienlen("convert", source, "-o", str(tmp_path / "b.van"))
    assert wrong.returncode == 2
    assert ".json" in wrong.stderr
    assert not (tmp_path / "b.van").exists()


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_every_problem_is_told_and_the_other_hands_are_converted(tmp_path: Path, lang: str) -> None:
    done = tienlen("convert", put(tmp_path, "a.van", f"{HAND}\n{WRONG}\n{OTHER}"), lang=lang)
    assert done.returncode == 2
    assert [made["hand_id"] for made in logs(done.stdout)] == ["v-1", "v-2"]
    first, second = done.stderr.splitlines()
    places = [
        ("a.van, hand 2, line 13, column 4: ", "9♣", "9♥"),
        ("a.van, hand 2, line 15, column 4: ", "3x"),
    ]
    if lang == "vi":
        places = [("a.van, ván 2, dòng 13, cột 4: ", "9♣", "9♥"), ("a.van, ván 2, dòng 15, cột 4: ", "3x")]
    assert all(part in first for part in places[0])
    assert all(part in second for part in places[1])


def test_what_cannot_be_read_ends_in_2(tmp_path: Path) -> None:
    for path in (
        str(tmp_path / "none.van"),
        put(tmp_path, "a.doc", HAND),
        put(tmp_path, "b.van", b"v\xe1n: 1\n"),
    ):
        done = tienlen("convert", path)
        assert done.returncode == 2, path
        assert done.stdout == ""
        assert done.stderr
    bad = tienlen("convert", put(tmp_path, "c.ndjson", raw(log(stake=-1)) + b"\n" + raw(log(plays("0 3S")))))
    assert bad.returncode == 2
    assert "c.ndjson:1" in bad.stderr
    assert bad.stdout.startswith("ván: t-1\n")


def test_every_json_sample_goes_there_and_back(tmp_path: Path) -> None:
    for name in ("mien-bac.json", "mien-nam/den-bai.json", "clb-mau-2026-11-28.ndjson"):
        source = ROOT / "sample_logs" / name
        text = put(tmp_path, "a.van", tienlen("convert", str(source)).stdout)
        made = logs(tienlen("convert", text).stdout)
        there = [json.loads(r.raw) for r in records(str(source)) if isinstance(r, Read)]
        assert made == there


# -- the carrier ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.van", "a.van.gz", "a.van.zst", "a.txt"])
def test_notation_is_read_like_any_other_carrier(tmp_path: Path, name: str) -> None:
    data = f"\ufeff{HAND}\n{WRONG}\n{OTHER}".replace("\n", "\r\n").encode()
    if name.endswith(".gz"):
        data = gzip.compress(data)
    elif name.endswith(".zst"):
        data = pyarrow.compress(data, codec="zstd", asbytes=True)
    (source,) = source_files([put(tmp_path, name, data)])
    assert isinstance(source, str)
    first, refused, last = records(source)
    assert isinstance(first, Read)
    assert isinstance(refused, Refusal)
    assert isinstance(last, Read)
    assert [first.hand.hand_id, last.hand.hand_id] == ["v-1", "v-2"]
    assert (refused.reason, refused.path, refused.place.line) == ("two_readings", "13:4", 9)
    assert refused.raw.decode().replace("\r\n", "\n").strip() == WRONG.strip()


def test_a_folder_holds_van_files_and_no_other_texts(tmp_path: Path) -> None:
    put(tmp_path, "a.van", HAND)
    put(tmp_path, "notes.txt", "not a hand")
    assert [Path(str(source)).name for source in source_files([tmp_path])] == ["a.van"]


def test_a_hand_is_bounded_and_costs_itself_only(tmp_path: Path) -> None:
    long = HEAD.replace("v-1", "v-9") + "# dài\n" * (MAX_RECORD // 4)
    source = put(tmp_path, "a.van", f"{HAND}\n{long}\n{OTHER}\n{HEAD}An {'9' * 3 * MAX_RECORD}\n\n{HAND}")
    found = [r.hand.hand_id if isinstance(r, Read) else r.reason for r in records(source)]
    assert found == ["v-1", "record_too_large", "v-2", "record_too_large", "v-1"]


def test_replay_judges_typed_hands_and_tells_line_and_column(tmp_path: Path) -> None:
    dispute = ROOT / "sample_logs" / "tranh-cai" / "17-doi-heo-ba-doi-thong.van"
    done = tienlen("replay", str(dispute), lang="vi")
    assert done.returncode == 1
    assert "không được chặt 2♦ 2♥" in done.stdout
    refused = tienlen("replay", put(tmp_path, "a.txt", WRONG))
    assert refused.returncode == 2
    first, second = refused.stderr.splitlines()
    assert "a.txt, hand 1, line 5, column 4: " in first
    assert "“9♣” / “9♥”" in first
    assert "a.txt, hand 1, line 7, column 4: " in second


def test_standard_input_is_named_in_words() -> None:
    done = tienlen("convert", "-", stdin=WRONG.encode())
    assert "standard input, hand 1, line 5, column 4: " in done.stderr
    done = tienlen("convert", "-", stdin=WRONG.encode(), lang="vi")
    assert "đầu vào chuẩn, ván 1, dòng 5, cột 4: " in done.stderr


def test_at_most_twenty_problems_of_a_hand_are_told(tmp_path: Path) -> None:
    done = tienlen("replay", put(tmp_path, "a.van", HAND + "An 3x\n" * 50))
    assert len(done.stderr.splitlines()) == 20


def test_typed_hands_are_taken_in_and_a_refused_one_is_mended(tmp_path: Path) -> None:
    database = Database(tmp_path / "db")
    source = put(tmp_path, "a.van", f"{HAND}\n{WRONG}")
    report = ingest([source], database)
    assert (report.accepted, report.quarantined) == (1, 1)
    assert ingest([source], database).unchanged == 1
    with open_reader(database) as reader:
        (row,) = reader.rows("SELECT number, reason, raw FROM quarantine")
    assert row["reason"] == "two_readings"
    again = retry(database, row["number"])
    assert again.refusal is not None
    assert again.refusal.path == "13:4"
    mended = WRONG.replace("9c", "9♣").replace("3x", "3♣").encode()
    assert retry(database, row["number"], mended, "mended.van").taken
    with open_reader(database) as reader:
        assert [r["hand_id"] for r in reader.rows("SELECT hand_id FROM hands ORDER BY hand_id")] == [
            "v-1",
            "v-3",
        ]


def test_records_of_standard_input_stay_logs() -> None:
    (only,) = records("-", io.BytesIO(raw(log(plays("0 3S")))))
    assert isinstance(only, Read)
