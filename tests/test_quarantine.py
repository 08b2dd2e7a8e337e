"""The quarantine desk: listing, explaining, taking in again; and conflicts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from analyzer.logs.reading import MAX_RECORD
from analyzer.logs.refusal import RAW_LIMIT
from analyzer.store.compaction import compact
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.quarantine import NotInQuarantine, conflicts, listed, refused, retry
from analyzer.store.reader import open_reader
from analyzer.store.verification import verify
from analyzer.store.versions import rollback
from tests.hands import log, plays, raw
from tests.test_cli import tienlen
from tests.test_versions import reseal

BAD_CARD = raw(log(plays("0 3S"), hand_id="bad-card")).replace(b'"cards":["3S"]', b'"cards":["3X"]')


def take(database: Database, name: str, *entries: bytes | dict[str, Any]) -> str:
    source = database.path.parent / name
    source.write_bytes(b"\n".join(entry if isinstance(entry, bytes) else raw(entry) for entry in entries))
    ingest([source], database)
    return str(source)


@pytest.fixture(scope="module")
def refused_records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One stored hand and three refused records, in two versions; the last is too long to be kept whole."""
    database = Database(tmp_path_factory.mktemp("refused") / "db")
    take(database, "one.ndjson", log(hand_id="a"), BAD_CARD, b"\x1b[2J\xff not json \xe2\x80\xae")
    take(database, "two.ndjson", b'{"x":"' + b"x" * RAW_LIMIT + b'"}')
    return database.path


@pytest.fixture
def database(refused_records: Path, tmp_path: Path) -> Database:
    """A copy of them for one test to work on."""
    return Database(shutil.copytree(refused_records, tmp_path / "db"))


def numbers(database: Database, **filters: Any) -> list[int]:
    with open_reader(database) as reader:
        return [row["number"] for row in listed(reader, **filters)]


def test_refused_records_are_listed_by_reason_and_source(database: Database) -> None:
    assert numbers(database) == [1, 2, 3]
    assert numbers(database, reason="bad_card") == [1]
    assert numbers(database, source="two") == [3]
    assert numbers(database, source="%") == []
    with open_reader(database) as reader:
        row = refused(reader, 1)
        assert (row["reason"], row["json_path"], row["source_line"]) == ("bad_card", "events[0].cards[0]", 2)
        assert row["raw"] == BAD_CARD
        with pytest.raises(NotInQuarantine, match="no record 4"):
            refused(reader, 4)


def test_a_mended_record_is_taken_in_and_solved(database: Database) -> None:
    mended = json.dumps(log(plays("0 3S"), hand_id="bad-card"), indent=2).encode() + b"\r\n"
    done = retry(database, 1, mended, "mended.json")
    assert done.taken
    assert done.report is not None
    assert (done.report.accepted, done.report.version, done.hand_id) == (1, "00000003", "bad-card")
    assert numbers(database) == [2, 3]
    assert numbers(database, every=True) == [1, 2, 3]
    with open_reader(database) as reader:
        assert reader.rows("SELECT hand_id, revision FROM mended") == [{"hand_id": "bad-card", "revision": 1}]
        assert {row["hand_id"] for row in reader.rows("FROM hands")} == {"a", "bad-card"}
    with pytest.raises(NotInQuarantine, match="Record 1 was mended and taken in already"):
        retry(database, 1, mended)
    assert verify(database).faults == []


def test_numbers_stay_what_they_are(database: Database) -> None:
    retry(database, 1, raw(log(hand_id="bad-card")))
    take(database, "three.ndjson", b"{}")
    before = numbers(database, every=True)
    compact(database)
    assert numbers(database, every=True) == before == [1, 2, 3, 4]
    assert numbers(database) == [2, 3, 4]
    with open_reader(database) as reader:
        assert refused(reader, 4)["source_path"].endswith("three.ndjson")


def test_a_solution_goes_with_its_version(database: Database) -> None:
    retry(database, 1, raw(log(hand_id="bad-card")))
    rollback(database)
    assert numbers(database) == [1, 2, 3]
    assert retry(database, 1, raw(log(hand_id="bad-card"))).taken


def test_what_is_still_wrong_changes_nothing(database: Database) -> None:
    before = database.current()
    for text in (b"{}", b"", b"not json", raw(log()) + b"\n" + raw(log()), b"[" + raw(log()) + b"]"):
        done = retry(database, 1, text, "mended.json")
        assert not done.taken
        assert done.refusal is not None
        assert str(done.refusal.place) == "mended.json"
    done = retry(database, 1, b'{"a": "' + b"x" * MAX_RECORD + b'"}')
    assert done.refusal is not None
    assert done.refusal.reason == "record_too_large"
    assert database.current() == before


def test_a_line_break_inside_a_text_is_not_mended_in_passing(database: Database) -> None:
    text = raw(log(hand_id="x")).replace(b'"x"', b'"x\ny"')
    done = retry(database, 1, text)
    assert done.refusal is not None
    assert done.refusal.reason == "bad_json"


def test_a_later_program_reads_the_stored_text_again(database: Database) -> None:
    """The older program is played by one that refused a hand which this one reads."""
    hand = raw(log(hand_id="once-too-new"))
    statement = (
        f"UPDATE quarantine SET raw = '{hand.decode()}'::BLOB, reason = 'not_yet' WHERE source_line = 3"
    )
    reseal(database, "00000001.duckdb", statement)
    assert numbers(database, reason="not_yet") == [2]
    assert retry(database, 2).taken
    with open_reader(database) as reader:
        (row,) = reader.rows("FROM hands WHERE hand_id = 'once-too-new'")
    assert row["log"].encode() == hand
    still = retry(database, 1)
    assert still.refusal is not None
    assert still.refusal.place.line == 2


def test_a_text_that_was_cut_cannot_be_read_again(database: Database) -> None:
    with pytest.raises(NotInQuarantine, match="Of record 3 not all is stored"):
        retry(database, 3)


def test_a_mended_record_can_be_a_conflict(database: Database) -> None:
    done = retry(database, 1, raw(log(hand_id="a", stake=7)))
    assert done.report is not None
    assert not done.taken
    assert done.report.conflicting == 1
    assert numbers(database) == [1, 2, 3]
    assert retry(database, 1, raw(log(hand_id="a"))).taken, "the stored hand itself: nothing is left to do"


def test_conflicts_with_their_differences_until_a_revision_comes(database: Database) -> None:
    take(
        database,
        "three.ndjson",
        log(hand_id="a", stake=7, result={"net": [0.5, -0.5, 0, 0]}),
        log(hand_id="b"),
    )
    with open_reader(database) as reader:
        (row,) = conflicts(reader)
    assert (row["hand_id"], row["next_revision"], row["solved"]) == ("a", 2, False)
    assert {"path": "stake", "before": 1000, "after": 7} in row["differences"]
    take(database, "four.ndjson", log(hand_id="a", stake=7, revision={"number": 2}))
    with open_reader(database) as reader:
        assert list(conflicts(reader)) == []
        assert [row["next_revision"] for row in conflicts(reader, every=True)] == [3]
    take(database, "five.ndjson", log(hand_id="a", stake=9))
    with open_reader(database) as reader:
        assert [row["next_revision"] for row in conflicts(reader)] == [3], "it came after the correction"


# -- the commands --------------------------------------------------------------------------------


def test_list_and_show_as_commands(database: Database, refused_records: Path) -> None:
    at = ("--db", str(database.path))
    told = tienlen("quarantine", "list", *at)
    assert (told.returncode, told.stderr) == (0, "")
    lines = told.stdout.splitlines()
    assert len(lines) == 3
    assert lines[0].split() == [
        "1",
        f"{refused_records.parent}/one.ndjson:2",
        "events[0].cards[0]",
        "not",
        "a",
        "card",
    ]
    assert len(tienlen("quarantine", "list", *at, "--reason", "bad_card").stdout.splitlines()) == 1
    told = tienlen("quarantine", "list", *at, "--reason", "bad_crad")
    assert told.returncode == 2 and "bad_card" in told.stderr
    listed = [json.loads(line) for line in tienlen("quarantine", "list", *at, "--json").stdout.splitlines()]
    assert [entry["number"] for entry in listed] == [1, 2, 3]
    assert listed[0]["message"].keys() == {"vi", "en"}
    told = tienlen("quarantine", "show", "1", *at)
    assert "not a card: found '3X'" in told.stdout or "not a card: found 3X" in told.stdout
    assert BAD_CARD.decode() in told.stdout
    assert tienlen("quarantine", "show", "9", *at).returncode == 2


def test_everything_that_is_wrong_with_a_typed_hand_is_told_and_kept(tmp_path: Path) -> None:
    typed = "ván: a\nluật: mien-nam\ncược: 10k đ\nngười chơi: An, Bình\n\nAn 3x\nBình bpo\nAn 9c\n"
    file, at = tmp_path / "a.van", ("--db", str(tmp_path / "db"))
    file.write_text(typed, "utf-8")
    told = tienlen("ingest", str(file), *at)
    assert "1 quarantined" in told.stdout
    where = [f"line {line}, column" for line in (6, 7, 8)]
    assert [one in line for one, line in zip(where, told.stderr.splitlines(), strict=True)] == [True] * 3
    shown = tienlen("quarantine", "show", "1", *at)
    assert [one in line for one, line in zip(where, shown.stdout.splitlines(), strict=False)] == [True] * 3
    assert "--file mended.van" in shown.stdout
    file.write_text(typed.replace("3x", "3♠").replace("bpo", "bỏ").replace("9c", "9♣"), "utf-8")
    assert tienlen("quarantine", "retry", "1", "--file", str(file), *at).returncode == 0


def test_an_empty_list_says_so(tmp_path: Path) -> None:
    take(Database(tmp_path / "db"), "one.ndjson", log(hand_id="a"))
    for words, said in (
        (("list",), "There is no such refused record."),
        (("conflicts",), "No hand was set aside."),
    ):
        told = tienlen("quarantine", *words, "--db", str(tmp_path / "db"))
        assert (told.returncode, told.stdout, told.stderr.strip()) == (0, "", said)
        told = tienlen("quarantine", *words, "--db", str(tmp_path / "db"), "--json")
        assert (told.stdout, told.stderr) == ("", "")


def test_a_file_that_is_not_there_is_told_in_the_readers_language(tmp_path: Path) -> None:
    at = ("--db", str(tmp_path / "db"), "--lang", "vi")
    told = tienlen("ingest", str(tmp_path / "nhầm.van"), *at).stderr
    assert "nhầm.van: không đọc được nguồn: không có tệp hay thư mục này; cần" in told, told


def test_a_hostile_record_cannot_steer_the_terminal(database: Database) -> None:
    at = ("--db", str(database.path))
    for words in (("show", "2"), ("list",)):
        told = tienlen("quarantine", *words, *at).stdout
        assert not {"\x1b", "\u202e", "\xff"} & set(told)
    assert "�[2J\\xff not json �" in tienlen("quarantine", "show", "2", *at).stdout


def test_retry_and_conflicts_as_commands(database: Database) -> None:
    at = ("--db", str(database.path))
    told = tienlen("quarantine", "retry", "1", *at)
    assert told.returncode == 1 and "one.ndjson:2" in told.stderr
    mended = b"\xef\xbb\xbf" + raw(log(plays("0 3S"), hand_id="bad-card"))
    told = tienlen("quarantine", "retry", "1", "--file", "-", *at, stdin=mended)
    assert (told.returncode, told.stderr) == (0, "")
    assert "1 accepted" in told.stdout and "Record 1 is solved: hand bad-card." in told.stdout
    assert "already" in tienlen("quarantine", "show", "1", *at).stdout
    told = tienlen("quarantine", "retry", "2", "--file", "-", *at, stdin=raw(log(hand_id="a", stake=7)))
    assert told.returncode == 1 and '"revision": {"number": 2}' in told.stderr
    told = tienlen("quarantine", "conflicts", *at)
    assert told.stdout.splitlines() == [
        "Hand a, revision 1: -:1 says something else than what is stored.",
        "  stake: 1000 → 7",
        '  To take it, write "revision": {"number": 2} into it and ingest it.',
    ]
    (line,) = tienlen("quarantine", "conflicts", *at, "--json").stdout.splitlines()
    assert json.loads(line)["differences"] == [{"path": "stake", "before": 1000, "after": 7}]


def test_no_card_is_suggested_that_the_deal_has_already(tmp_path: Path) -> None:
    database = Database(tmp_path / "db")
    deal = log()["deal"]
    missing = deal[2][-1]  # the two of hearts, misspelt: every other card of its like is dealt
    deal[2] = [*deal[2][:-1], "2X"]
    take(database, "a.ndjson", log(hand_id="x", deal=deal))
    with open_reader(database) as reader:
        assert refused(reader, 1)["fix_en"] == f"write {missing}"


def test_a_refused_record_is_written_to_a_file_mended_there_and_taken_in(database: Database) -> None:
    at = ("--db", str(database.path), "--lang", "en")
    file = database.path.parent / "mended.json"
    told = tienlen("quarantine", "show", "1", "-o", str(file), *at)
    assert told.stderr == f"Wrote record 1 to {file}.\n"
    assert f"retry 1 --file {file} --db" in told.stdout
    assert file.read_bytes() == BAD_CARD
    again = tienlen("quarantine", "show", "1", "-o", str(file), *at)
    assert again.returncode == 2 and "--force" in again.stderr
    assert "its beginning only" in tienlen("quarantine", "show", "3", "-o", str(file), "--force", *at).stderr
    file.write_bytes(BAD_CARD.replace(b"3X", b"4S"))  # a card that An does not hold
    done = tienlen("quarantine", "retry", "1", "--file", str(file), *at)
    assert done.returncode == 0
    assert "Record 1 is solved: hand bad-card." in done.stdout
    assert "breaks the rules as it stands now, in 1 places" in done.stderr
    assert "card_not_held: " in done.stderr
