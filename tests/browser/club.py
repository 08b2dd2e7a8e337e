"""A small club in a database: the hands that the tests of the pages look at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from analyzer.store.ingest import ingest
from tests.hands import plays

Log = dict[str, Any]

CLUB: Final = "hoa-mai"
HOSTILE: Final = "<img src=x onerror=alert(1)>"
MARKED: Final = "*Sơn* [x](javascript:alert(1)) :smile: $a$"
NAMES: Final = {"an": "An Tên Dài Ơi Là Dài", "binh": HOSTILE, "chi": MARKED}
SATURDAY: Final = {"club_id": CLUB, "session_id": "tối thứ bảy", "table_id": "bàn 1"}
SUNDAY: Final = {"club_id": CLUB, "session_id": "chủ nhật", "table_id": "bàn 1"}
SIMULATED: Final = 30

DEAL: Final = [
    cards.split()
    for cards in (
        "3S 4H 5S 6H 7S 8H 9S 10S 10H JH QH KS KH",
        "3C 3D 4C 5C 5D 6C 7C 7D 8C 9C 9D KC KD",
        "3H 4S 4D 5H 6S 6D 7H 8S 8D 9H 10C 10D QS",
    )
]
RUN: Final = "0 3S 4H 5S 6H 7S 8H 9S 10S JH QH KH"


def _hand(number: int, acts: list[str]) -> Log:
    return {
        "format": "tienlen-hand/1",
        "hand_id": f"thu-bay-{number}",
        "rules": "mien-nam",
        "stake": 10_000,
        "currency": "VND",
        **SATURDAY,
        "hand_no": number,
        "played_at": f"2026-11-28T20:{number:02}:00+07:00",
        "players": [{"id": id_, "name": name} for id_, name in NAMES.items()],
        "lead": {"reason": "won_previous", "seat": 0},
        "deal": DEAL,
        "events": plays(*acts),
    }


FORFEIT: Final = _hand(1, ["0 10H", "1", "2", RUN, "1", "2", "0 KS"])
"""The second player pays for the table, for the pass of event 1."""

FLAGGED: Final = _hand(2, ["0 10H", "1", "2", RUN, "1 3C 3D", "2", "0 KS"])
"""A pair on a sequence: wrong_kind at event 4 (and again at event 6)."""


def logs() -> list[Log]:
    """Two evenings, in đồng and in points, and one hand that belongs nowhere."""
    found = [FORFEIT, FLAGGED]
    for number, log in enumerate(simulate(SIMULATED, 11, preset("mien-nam"), players=3, faults=0.3), 3):
        found.append({**_hand(number, []), "lead": None, **_played(log)})
    for number, log in enumerate(simulate(8, 12, preset("mien-nam-diem"), players=3), 1):
        sunday = {**SUNDAY, "hand_id": f"chu-nhat-{number}", "rules": "mien-nam-diem", "stake": 1}
        at = f"2026-11-29T19:{number:02}:00+07:00"
        found.append({**_hand(number, []), **_played(log), **sunday, "currency": "POINT", "played_at": at})
    stray = _hand(1, ["0 10H", "1", "2", RUN, "1", "2", "0 KS"]) | {"hand_id": "lạc", "session_id": None}
    found.append({**stray, "club_id": None, "table_id": None, "played_at": None, "hand_no": None})
    return [{key: value for key, value in log.items() if value is not None} for log in found]


def _played(log: dict[str, object]) -> Log:
    return {key: log.get(key) for key in ("deal", "events", "lead")}


def make_club(folder: Path) -> Path:
    """The database folder."""
    file = folder / "club.ndjson"
    file.write_text("".join(json.dumps(log, ensure_ascii=False) + "\n" for log in logs()), "utf-8")
    report = ingest([file], folder / "club-db")
    assert report.accepted == len(logs()), report
    return folder / "club-db"
