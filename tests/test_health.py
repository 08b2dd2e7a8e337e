"""The page of data health, in both languages: what was read, refused, set aside, and what is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from analyzer.locale import LANGUAGES, translate
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.reader import open_reader
from dashboards import access, data, health
from tests.browser.club import HOSTILE
from tests.hands import DEAL, Log, log, plays, raw
from tests.test_between import FIRST, hand
from tests.test_pages import SAMPLES, opened, texts

TURNED = '{"hand_id": "\u202egnp.exe <img src=x onerror=alert(1)>\u200b\u2066'
"""No JSON, with signs that turn the writing round."""


@pytest.fixture(params=LANGUAGES)
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def put(folder: Path, name: str, *lines: Log | bytes) -> Path:
    path = folder / name
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else raw(line) for line in lines) + b"\n")
    return path


def codes(app: AppTest) -> list[str]:
    """What stands on the page letter by letter."""
    return [str(getattr(element, "value", "")) for element in app.get("code")]


def said(app: AppTest, lang: str, text: str, **values: object) -> bool:
    """Whether a text of the catalogue stands on the page."""
    return translate(text, lang).format(**values) in texts(app)


# -- what was read -------------------------------------------------------------------------------


def test_the_sample_evening_is_well(monkeypatch: Any, tmp_path: Path, lang: str) -> None:
    # Worked by hand: 28 records, all of them new hands numbered 1 to 28, all played to their end.
    ingest([SAMPLES / "clb-mau-2026-11-28.ndjson"], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "health", lang)
    records = translate("{n} records", lang).format(n=28)
    new = translate("new hands: {n}", lang).format(n=28)
    assert f"**{records} = {new}**" in texts(app)
    for text in (
        "Every record is accounted for.",
        "No record was refused.",
        "No record contradicts a stored hand.",
        "No hand number is missing in any evening.",
        "Every log goes on to the end of its hand.",
        "The cards dealt are known in every hand.",
    ):
        assert said(app, lang, text), text
    assert not app.error
    assert not app.warning
    assert not app.exception


def test_the_sum_is_that_of_the_sources_and_adds_up(monkeypatch: Any, tmp_path: Path, lang: str) -> None:
    first = put(tmp_path, "a.ndjson", log(hand_id="a"), log(hand_id="b"), b"{")
    ingest([first], tmp_path / "db")
    revised = log(hand_id="a", stake=1, revision={"number": 2})
    ingest([first, put(tmp_path, "b.ndjson", revised, log(hand_id="b", stake=2))], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "health", lang)
    whole = health.totals(data.open_version())
    with open_reader(Database(tmp_path / "db")) as reader:
        (row,) = reader.rows(
            "SELECT count(*) AS sources, sum(records)::BIGINT AS records, sum(accepted)::BIGINT AS accepted, "
            "sum(unchanged)::BIGINT AS unchanged, sum(superseded)::BIGINT AS superseded, "
            "sum(conflicting)::BIGINT AS conflicting, sum(quarantined)::BIGINT AS quarantined FROM sources"
        )
    assert whole == row
    assert (whole["records"], whole["unchanged"], whole["superseded"], whole["conflicting"]) == (5, 2, 1, 1)
    parts = [
        ("known already: {n}", 2),
        ("other revisions: {n}", 1),
        ("conflicts: {n}", 1),
        ("refused: {n}", 1),
    ]
    told = " + ".join(translate(text, lang).format(n=n) for text, n in parts)
    assert translate("{n} records", lang).format(n=5) + " = " + told in texts(app)
    assert said(app, lang, "read {n} times", n=2)


def test_a_sum_that_does_not_add_up_is_told(monkeypatch: Any, tmp_path: Path, lang: str) -> None:
    ingest([put(tmp_path, "a.ndjson", log())], tmp_path / "db")
    real = health.totals
    monkeypatch.setattr(health, "totals", lambda version: {**real(version), "records": 2})
    app = opened(monkeypatch, tmp_path / "db", "health", lang)
    assert "tienlen db verify" in app.error[0].value


# -- refused and set aside -----------------------------------------------------------------------


def test_a_refused_record_is_shown_harmless_with_what_to_do(
    monkeypatch: Any, tmp_path: Path, lang: str
) -> None:
    ingest(
        [put(tmp_path, f"{HOSTILE[:4]}.ndjson", log(), TURNED.encode(), b"\xff\x07" + b"x" * 3000)],
        tmp_path / "db",
    )
    app = opened(monkeypatch, tmp_path / "db", "health", lang)
    assert said(app, lang, "**{n}** records could not be taken in and are kept as they were.", n=2)
    shown = codes(app)
    assert any("tienlen quarantine retry" in text and str(tmp_path / "db") in text for text in shown)
    assert '{"hand_id": "\\u202egnp.exe <img src=x onerror=alert(1)>\\u200b\\u2066' in shown
    assert any(text.startswith("\\xff\\u0007xxx") and len(text) < 2100 for text in shown)
    assert said(app, lang, "Only the beginning is shown.")
    assert len(app.get("download_button")) == 1
    everything = "\n".join([*shown, *(str(element.value) for element in app.markdown)])
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\x07]", everything)
    with open_reader(Database(tmp_path / "db")) as reader:
        for row in reader.rows(f"SELECT message_{lang} AS message FROM quarantine"):
            assert health.visible(row["message"]) in texts(app)


def test_a_conflict_is_told_field_by_field_with_the_way_out(
    monkeypatch: Any, tmp_path: Path, lang: str
) -> None:
    players = [{"id": "an", "name": f"\u202e{HOSTILE}"}, *({"id": id_} for id_ in ("binh", "chi", "dung"))]
    first = log(hand_id="a")
    other = log(hand_id="a", players=players, result={"net": [0.125, 0, 0, -0.125]})
    ingest([put(tmp_path, "a.ndjson", first, other)], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "health", lang)
    assert said(app, lang, "{path}: stored {before}, set aside {after}", path="**players[0].name**", before="—",
                after=f'"\\u202e{HOSTILE}"')  # fmt: skip
    assert said(app, lang, "{path}: stored {before}, set aside {after}", path="**result**", before="—",
                after='{"net":[0.125,0,0,-0.125]}')  # fmt: skip
    assert '`"revision": {"number": 2}`' in texts(app)
    (link,) = [link for link in app.get("page_link") if "≠" in link.proto.label]
    assert link.proto.query_string == "hand=a"
    assert health.visible(raw(other).decode()) in codes(app)


def test_a_conflict_that_was_corrected_since_is_told_no_more_and_the_next_number_is_free(
    monkeypatch: Any, tmp_path: Path, lang: str
) -> None:
    first = log(hand_id="a")
    third = log(hand_id="a", stake=3, revision={"number": 3})
    ingest([put(tmp_path, "a.ndjson", first, third, log(hand_id="a", stake=7))], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "health", lang)
    assert '`"revision": {"number": 4}`' in texts(app)
    ingest([put(tmp_path, "b.ndjson", log(hand_id="a", stake=7, revision={"number": 4}))], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "health", lang)
    assert said(app, lang, "No record contradicts a stored hand.")


def test_what_shows_nothing_or_turns_the_writing_is_told_by_its_number() -> None:
    assert (
        health.visible("a\u202eb\x00c\u200d\ufeff\u2028\td")
        == "a\\u202eb\\u0000c\\u200d\\ufeff\\u2028\\u0009d"
    )
    assert health.visible("Ngô Đức 🃏 ♠\r\nx") == "Ngô Đức 🃏 ♠\nx"
    assert health.excerpt(b"\xffab") == ("\\xffab", False)
    assert health.excerpt("x" * 5000) == ("x" * 2000, True)


# -- between the hands, and in them --------------------------------------------------------------


def test_missing_numbers_are_those_found_between_the_hands(
    monkeypatch: Any, tmp_path: Path, lang: str
) -> None:
    hands = [hand(n, lead=FIRST) for n in (1, 2, 4, 8)] + [
        hand(n, session_id="b", hand_id=f"b{n}") for n in (3, 4)
    ]
    ingest([put(tmp_path, "a.ndjson", *hands)], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "health", lang)
    assert said(app, lang, "In **{n}** evenings hand numbers are missing:", n=1)
    assert said(app, lang, "missing: {hands}", hands="3, 5–7")
    (total, (row,)) = health.gaps(data.open_version())
    version = data.open_version()
    found = data.between_hands(version, data.Evening("", row["evening"]))
    gaps = [(f.facts["first"], f.facts["last"]) for f in found if f.code == "session_gap"]
    assert (total, row["missing"]) == (1, 4)
    assert [(gap["first"], gap["last"]) for gap in row["gaps"]] == gaps
    app.selectbox(key="health-evening").set_value(data.Evening("", row["evening"])).run()
    shown = " ".join(re.sub(r"\\(.)", r"\1", str(element.value)) for element in app.warning)
    for finding in found:
        if finding.severity != "info":
            assert finding.message.render(lang) in shown


def test_unknown_cards_and_unfinished_hands_are_counted(monkeypatch: Any, tmp_path: Path, lang: str) -> None:
    part = [DEAL[0], None, *DEAL[2:]]
    some = [["??", *DEAL[0][1:]], *DEAL[1:]]
    logs_ = [log(plays("0 3S"), hand_id="known"), log(plays("0 3S"), hand_id="none", deal=None)]
    logs_ += [log(hand_id="part", deal=part), log(hand_id="some", deal=some, _note="null ??")]
    logs_ += [log(hand_id="spoken", _deal=None, events=[{"type": "note", "text": "null ?? deal"}])]
    ingest([put(tmp_path, "a.ndjson", *logs_)], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "health", lang)
    text = "Without any record of the deal: {none} hands; with some cards unknown: {part} hands"
    assert said(app, lang, text, none=1, part=2)
    found = health.unknown_cards(data.open_version(), lambda share: None)
    assert sorted(row["hand_id"] for row in found.latest) == ["none", "part", "some"]
    assert said(app, lang, "The log ends before the hand does: {n} hands", n=5)
    (link,) = [link for link in app.get("page_link") if link.proto.page.endswith("violations")]
    assert link.proto.query_string == "code=hand_unfinished"
    assert said(app, lang, "Without a date: {n} hands", n=5)


def test_logs_are_looked_into_only_when_asked_where_there_are_many(
    monkeypatch: Any, tmp_path: Path, lang: str
) -> None:
    ingest([put(tmp_path, "a.ndjson", log())], tmp_path / "db")
    real = health.outcomes
    monkeypatch.setattr(health, "outcomes", lambda version: {**real(version), "hands": 1_000_000})
    app = opened(monkeypatch, tmp_path / "db", "health", lang)
    assert not said(app, lang, "The cards dealt are known in every hand.")
    app.button(key="health-ask").click().run()
    assert said(app, lang, "The cards dealt are known in every hand.")


# -- the folder, and nothing at all --------------------------------------------------------------


def test_the_folder_is_told_as_it_lies_there(monkeypatch: Any, tmp_path: Path, lang: str) -> None:
    database = tmp_path / "db"
    for name in ("a", "b"):
        ingest([put(tmp_path, f"{name}.ndjson", log(hand_id=name))], database)
    app = opened(monkeypatch, database, "health", lang)
    found = health.folder(data.open_version())
    assert found is not None
    sizes = [path.stat().st_size for path in (database / "segments").iterdir()]
    assert (found.segments, found.size, found.older_size) == (len(sizes), sum(sizes), 0)
    assert found.number == int((database / "CURRENT").read_text())
    assert found.revisions == 2
    assert found.older_versions == len(list((database / "manifests").iterdir())) - 1
    assert str(database) in texts(app)
    (database / "segments" / "00000099.duckdb").write_bytes(b"x" * 10)
    assert getattr(health.folder(data.open_version()), "older_size", None) == 10


def test_who_may_only_look_is_not_told_of_the_folder(monkeypatch: Any, tmp_path: Path, lang: str) -> None:
    database = tmp_path / "db"
    ingest([put(tmp_path, "a.ndjson", log())], database)
    monkeypatch.setattr(access, "editor", lambda: None)
    app = opened(monkeypatch, database, "health", lang)
    assert not said(app, lang, "The database")
    assert said(app, lang, "Sources")


def test_many_small_files_are_to_be_merged(monkeypatch: Any, tmp_path: Path, lang: str) -> None:
    monkeypatch.setattr(health, "MANY", 0)
    ingest([put(tmp_path, "a.ndjson", log())], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "health", lang)
    assert any("tienlen db compact" in str(info.value) for info in app.info)


@pytest.mark.parametrize("page", ["health", "violations"])
def test_without_hands_the_pages_say_what_to_do(
    monkeypatch: Any, tmp_path: Path, page: str, lang: str
) -> None:
    assert "tienlen demo" in texts(opened(monkeypatch, tmp_path / "none", page, lang))
    with Database(tmp_path / "db").lock():
        pass
    app = opened(monkeypatch, tmp_path / "db", page, lang)
    assert "tienlen ingest" in texts(app)
    ingest([put(tmp_path, "a.ndjson", b"{")], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "health", lang)
    assert said(app, lang, "**{n}** records could not be taken in and are kept as they were.", n=1)


def test_differences_keep_amounts_exact() -> None:
    assert health.shown(json.loads('{"net": [0.5]}')) == '{"net":[0.5]}'
    assert health.shown("x" * 999).endswith(" …")
