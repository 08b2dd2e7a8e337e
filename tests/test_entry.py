"""The page on which a hand is entered: in both languages, for organisers and for those who may only look."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from analyzer.locale import LANGUAGES, translate
from analyzer.logs.reading import read
from analyzer.reports.drafting import drafted, log_of, parse_draft
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.journal import Journal
from analyzer.store.reader import open_reader
from analyzer.store.variations import (
    DROPPED,
    SAVED,
    Dropping,
    Refused,
    Variation,
    may_drop,
    may_save,
    variations,
)
from dashboards import access, data, tapping, trying
from dashboards.offering import begin, offer
from dashboards.table import MOUNT as REPLAY
from dashboards.tapping import LABELS, SCRIPTS, labels, sent
from tests.browser.club import CLUB, FORFEIT, HOSTILE, make_club
from tests.hands import Log, hand_of, log, plays, raw
from tests.test_pages import opened, texts

FOLDER = Path(trying.__file__).parent / "tapping"
SHA = "0" * 64


@pytest.fixture(params=LANGUAGES)
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def club(tmp_path: Path) -> Path:
    return make_club(tmp_path)


# -- the page ------------------------------------------------------------------------------------


def test_the_page_opens_in_both_languages_with_a_database_and_without(
    monkeypatch: Any, club: Path, tmp_path: Path, lang: str
) -> None:
    for folder in (club, tmp_path / "not-there"):
        app = opened(monkeypatch, folder, "entry", lang)
        assert app.title[0].value == translate("Enter a hand", lang)
        assert not app.error


def test_a_hand_is_tried_another_way_from_the_event_that_was_asked_for(
    monkeypatch: Any, club: Path, lang: str
) -> None:
    for event in ("1", "99999", "x", ""):
        app = opened(monkeypatch, club, "entry", lang, hand=FORFEIT["hand_id"], club=CLUB, event=event)
        assert not app.error
        assert translate("What if, from act {n} on", lang).split("{")[0] in app.title[0].value
    app = opened(monkeypatch, club, "entry", lang, hand=HOSTILE)
    assert HOSTILE in re.sub(r"\\(.)", r"\1", app.warning[0].value)


def test_what_the_browser_is_given_is_plain_json_whatever_numbers_the_log_has() -> None:
    """A time or an amount is exact here, and JavaScript has no such numbers."""
    hand = hand_of(log([{"type": "pass", "seat": 0, "at": 8.5}], result={"net": [2.5, -2.5, 0, 0]}))
    told = tapping.plain({"tried": {"base": log_of(hand)}})
    base = json.loads(json.dumps(told))["tried"]["base"]
    assert base["events"][0]["at"] == 8.5
    assert base["result"]["net"] == [2.5, -2.5, 0, 0]


def test_the_variations_of_a_hand_stand_on_its_replay_page(monkeypatch: Any, club: Path, lang: str) -> None:
    with open_reader(Database(club)) as reader:
        (row,) = reader.rows(
            "SELECT content_sha256 AS sha FROM hands WHERE hand_id = $id", {"id": FORFEIT["hand_id"]}
        )
    journal = Journal(Database(club))
    for name, sha in ((HOSTILE, row["sha"]), ("cũ", SHA)):
        told = Variation(CLUB, FORFEIT["hand_id"], sha, 1, name, plays("1 KC"))
        journal.append(SAVED, told.data(), "tester", may_save(told))
    app = opened(monkeypatch, club, "replay", lang, hand=FORFEIT["hand_id"], club=CLUB)
    shown = texts(app)
    assert translate("{name}: from act {n} on", lang).format(name=HOSTILE, n=2) in shown
    assert translate("made on an earlier revision of this hand", lang) in shown
    app.button(key="drop-1").click().run()
    assert HOSTILE not in texts(app).split(translate("Variations", lang))[-1]
    assert [entry.kind for entry in journal.entries(SAVED, DROPPED)] == [SAVED, SAVED, DROPPED]


def test_every_word_of_the_tapping_table_is_there_in_both_languages() -> None:
    words = labels()
    for key, text in LABELS.items():
        assert words[key]["en"] == text
        assert set(words[key]) == set(LANGUAGES)
    js = "".join((FOLDER / f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    used = set(re.findall(r'\bsay\("(\w+)"', js)) | {
        f"act_{name}" for name in re.findall(r'"(\w+)"', js.split("];")[1])
    }
    for key in used & set(re.findall(r"\w+", js)):
        assert key in words, key
    html = (FOLDER / "entry.html").read_text("utf-8")
    for kind in re.findall(r'data-tab="(\w+)"', html):
        assert f"tab_{kind}" in words
    assert "innerHTML" not in js
    assert "://" not in (html + js + (FOLDER / "entry.css").read_text("utf-8"))
    assert "tryAt" in REPLAY


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '{"id": "a"}',
        '{"id": 3, "version": 1, "draft": {}}',
        "[" * 100_000,
        "x" * (5 << 20),
        3,
    ],
)
def test_what_a_browser_sends_may_be_anything(monkeypatch: Any, text: object) -> None:
    import streamlit as st

    monkeypatch.setattr(st, "session_state", {"entry": {"draft": text}})
    assert sent("entry") is None
    monkeypatch.setattr(st, "session_state", {})
    assert sent("entry") is None


# -- how a hand may begin ------------------------------------------------------------------------


def base_of(monkeypatch: Any, folder: Path, later: timedelta) -> Log:
    monkeypatch.setenv("TIENLEN_DB", str(folder))
    at = datetime.fromisoformat("2026-11-29T19:08:00+07:00") + later
    return begin(data.open_version(), at)


def test_the_next_hand_of_an_evening_goes_on_where_the_last_one_ended(monkeypatch: Any, club: Path) -> None:
    told = base_of(monkeypatch, club, timedelta(minutes=5))
    assert (told["hand_id"], told["session_id"], told["club_id"]) == ("chu-nhat-9", "chủ nhật", CLUB)
    assert (told["rules"], told["stake"], told["currency"]) == ("mien-nam-diem", 1, "POINT")
    assert told["lead"]["reason"] in ("won_previous", "forfeited_previous")
    assert len(told["players"]) == 3
    assert read(raw(told))[0].events == []


def test_days_later_another_evening_begins(monkeypatch: Any, club: Path) -> None:
    told = base_of(monkeypatch, club, timedelta(days=6))
    assert (told["session_id"], told["hand_no"], told["hand_id"]) == ("2026-12-05", 1, "2026-12-05-1")
    assert told["lead"] == {"reason": "opening"}


def test_no_id_is_offered_that_a_stored_hand_has(monkeypatch: Any, club: Path, tmp_path: Path) -> None:
    file = tmp_path / "more.json"
    file.write_bytes(raw({**FORFEIT, "hand_id": "2026-12-05-1", "played_at": "2026-11-20T20:00:00+07:00"}))
    ingest([file], club)
    assert base_of(monkeypatch, club, timedelta(days=6))["hand_id"] == "2026-12-05-2"


def test_without_a_database_four_players_may_begin() -> None:
    told = offer(None, datetime.fromisoformat("2026-11-29T19:00:00+07:00"))
    hand, _, _ = read(raw(told["log"]))
    assert len(hand.players) == 4
    assert told["people"] == told["clubs"] == []
    assert (
        drafted(parse_draft(json.dumps({"format": "tienlen-draft/1", "base": told["log"]}))).refused is None
    )


# -- variations ----------------------------------------------------------------------------------


def test_a_variation_is_kept_once_by_its_name_and_dropped_once(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    file.write_bytes(raw(log()))
    ingest([file], tmp_path / "db")
    journal = Journal(Database(tmp_path / "db"))
    told = Variation("", "t-1", SHA, 2, "chặn", plays("1 4S"))
    entry = journal.append(SAVED, told.data(), "an", may_save(told))
    assert variations(journal.entries(), "", "t-1") == [(entry, told)]
    assert variations(journal.entries(), "", "t-2") == variations(journal.entries(), CLUB, "t-1") == []
    with pytest.raises(Refused):
        journal.append(SAVED, told.data(), "an", may_save(told))
    for hand, number in (("t-2", 1), ("t-1", 7)):
        with pytest.raises(Refused):
            journal.append(DROPPED, Dropping("", number).data(), "an", may_drop("", hand, number))
    journal.append(DROPPED, Dropping("", 1).data(), "an", may_drop("", "t-1", 1))
    assert variations(journal.entries(), "", "t-1") == []
    with pytest.raises(Refused):
        journal.append(DROPPED, Dropping("", 1).data(), "an", may_drop("", "t-1", 1))
    journal.append(SAVED, told.data(), "an", may_save(told))


def test_whoever_may_only_look_enters_nothing(monkeypatch: Any, club: Path) -> None:
    import streamlit as st

    from dashboards import taking_in

    monkeypatch.setenv("TIENLEN_DB", str(club))
    monkeypatch.setattr(access, "editor", lambda: None)
    text = json.dumps({"id": "a", "version": 1, "draft": {"format": "tienlen-draft/1", "base": log()}})
    state: dict[str, Any] = {"entry": {"draft": text}}
    monkeypatch.setattr(st, "session_state", state)
    before = Database(club).current()
    taking_in._take_in("entry")
    assert Database(club).current() == before
    told = Variation(CLUB, FORFEIT["hand_id"], SHA, 1, "x", plays("1 KC"))
    trying._enter(SAVED, told, may_save(told))
    assert Journal(Database(club)).entries(SAVED) == ()
    assert state[trying.TOLD][0] is False
    monkeypatch.setattr(access, "editor", lambda: "an")
    taking_in._take_in("entry")
    assert Database(club).current() != before
    assert state[taking_in.TOLD][0].accepted == 1
