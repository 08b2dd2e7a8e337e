"""The checks between hands give the same from stored rows as from the logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.judge.between import SessionHand, check_evening, session_hand
from analyzer.judge.judging import judge
from analyzer.logs.reading import read
from analyzer.rules.house import house_of
from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.reader import open_reader
from analyzer.store.sessions import evening_findings
from tests.hands import Log, raw
from tests.test_between import FIRST, hand


def from_logs(logs: list[Log]) -> list[tuple[str, str, str]]:
    hands: list[SessionHand] = []
    for entry in logs:
        log, rules, _ = read(raw(entry))
        hands.append(session_hand(judge(log, house_of(rules)), rules))
    return [(f.code, f.hand.hand_id, f.message.render("vi")) for f in check_evening(hands)]


def from_store(logs: list[Log], folder: Path) -> list[tuple[str, str, str]]:
    path = folder / "evening.ndjson"
    path.write_bytes(b"\n".join(raw(entry) for entry in logs))
    ingest([str(path)], folder / "db")
    with open_reader(Database(folder / "db")) as reader:
        (evening,) = reader.rows("SELECT club_id, evening FROM sessions")
        found = evening_findings(reader, evening["club_id"], evening["evening"])
    return [(f.code, f.hand.hand_id, f.message.render("vi")) for f in found]


@pytest.mark.parametrize(
    "logs",
    [
        [hand(1, lead=FIRST), hand(2), hand(3)],
        [
            hand(1, lead=FIRST, rules="mien-bac"),
            hand(2, lead=FIRST),
            hand(5),
            hand(6, lead={"reason": "opening"}),
        ],
    ],
)
def test_stored_rows_tell_what_the_logs_tell(logs: list[Log], tmp_path: Path) -> None:
    assert from_store(logs, tmp_path) == from_logs(logs)
    assert bool(from_logs(logs)) == (len(logs) == 4)


@pytest.mark.parametrize("id_", ["mien-nam", "mien-bac", "phong-cua"])
def test_a_simulated_evening_has_no_wrong_lead(id_: str, tmp_path: Path) -> None:
    logs = list(simulate(25, 8, preset(id_), players=4, session=True))
    found = from_store(logs, tmp_path)
    assert found == from_logs(logs)
    assert {code for code, _, _ in found} <= {"player_bust"}
