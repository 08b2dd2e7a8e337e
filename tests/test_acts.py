"""People count acts from 1, wherever they read of one; links, JSON and the database keep the index from 0."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from analyzer.evening_files import export_evening
from analyzer.locale import LANGUAGES, translate
from analyzer.logs.reading import read
from analyzer.reports.account import make_account
from analyzer.reports.comparison import compare, comparison_text
from analyzer.reports.text import render
from analyzer.rules.loading import preset
from analyzer.store.ingest import ingest
from dashboards import data
from tests.test_pages import opened, texts
from tests.test_sheets import read_csv

SAMPLES = Path(__file__).parents[1] / "sample_logs"
EVENING = "clb-mau-2026-11-28"


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("acts")
    ingest([SAMPLES / f"{EVENING}.ndjson"], folder / "db")
    return folder / "db"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_account_counts_from_one_and_the_forfeit_names_the_act_so(lang: str) -> None:
    hand, _, _ = read((SAMPLES / "mien-nam" / "den-bai.json").read_bytes())
    account = make_account(hand, preset("mien-nam"))
    assert account.verdict.forfeit is not None
    told = render(account, lang)
    numbers = [int(found[1]) for found in re.finditer(r"^ +(\d+)  \[", told, re.MULTILINE)]
    assert numbers == list(range(1, len(hand.events) + 1))
    act = account.verdict.forfeit.event + 1
    assert f"({translate('act {n}', lang).format(n=act)})" in told
    assert json.loads(json.dumps(account.verdict.forfeit.event)) == act - 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_comparison_parts_at_the_act_that_the_account_numbers(lang: str) -> None:
    hand, _, _ = read((SAMPLES / "mien-nam" / "den-bai.json").read_bytes())
    found = compare(hand, [preset("mien-nam"), preset("mien-bac")])
    assert found.parts_at is not None
    text = translate("They part at act {act}", lang).format(act=found.parts_at + 1)
    assert text in comparison_text(found, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_of_violations_and_the_link_beside_it(
    monkeypatch: pytest.MonkeyPatch, db: Path, lang: str
) -> None:
    app = opened(monkeypatch, db, "violations", lang, code="forfeit")
    (row,) = data.open_version().rows("SELECT event FROM forfeits")
    assert translate("act {n}", lang).format(n=row["event"] + 1) in texts(app)
    links = [link.proto.query_string for link in app.get("page_link")]
    assert [link for link in links if f"event={row['event']}" in link.split("&")]


def test_the_exported_transfers(db: Path, tmp_path: Path) -> None:
    export_evening(db, EVENING, tmp_path / "t.csv", None, "transfers", True, "en")
    head, *rows = read_csv((tmp_path / "t.csv").read_bytes())
    assert head[2] == "Act number"
    from analyzer.store.database import Database
    from analyzer.store.reader import open_reader

    with open_reader(Database(db)) as reader:
        stored = reader.rows(
            "SELECT hands.hand_id, event FROM transfers JOIN hands USING (hand_key) WHERE event IS NOT NULL"
        )
    told = sorted((row[1], int(row[2])) for row in rows if row[2])
    assert told == sorted((row["hand_id"], row["event"] + 1) for row in stored)
    assert told
