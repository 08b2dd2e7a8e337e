"""The pages, in both languages: every figure against plain SQL over the same database."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from analyzer.locale import LANGUAGES, translate
from analyzer.logs.reading import read
from analyzer.reports.account import make_account
from analyzer.reports.money import NBSP, format_amount, format_signed
from analyzer.reports.rule_sheet import paths_of
from analyzer.reports.table_view import LABELS, assets, labels
from analyzer.reports.view import view_of
from analyzer.rules.loading import preset
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.reader import Reader, open_reader
from dashboards import charts, data, money
from dashboards.charts import causes_chart
from dashboards.data import Evening, Filters
from dashboards.money import Scope
from dashboards.words import plain
from tests.browser.club import CLUB, FLAGGED, HOSTILE, MARKED, NAMES, SATURDAY, SUNDAY, logs, make_club
from tests.hands import log, raw
from tests.test_between import FIRST, hand

APP = str(Path(__file__).parents[1] / "dashboards" / "app.py")
SAMPLES = Path(__file__).parents[1] / "sample_logs"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_club(tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="module")
def sql(club: Path) -> Iterator[Reader]:
    with open_reader(Database(club)) as reader:
        yield reader


@pytest.fixture(params=LANGUAGES)
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def opened(
    monkeypatch: pytest.MonkeyPatch, folder: Path, page: str, lang: str, **address: str | list[str]
) -> AppTest:
    monkeypatch.setenv("TIENLEN_DB", str(folder))
    app = AppTest.from_file(APP, default_timeout=60)
    app.switch_page(f"views/{page}.py")
    for key, value in {"lang": lang, **address}.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception, app.exception
    return app


def texts(app: AppTest) -> str:
    """Everything that is read on a page, Markdown escapes taken off."""
    found = [
        str(getattr(element, "value", ""))
        for kind in ("title", "header", "subheader", "markdown", "caption", "info", "warning", "error")
        for element in app.get(kind)
    ]
    found += [str(link.proto.label) for link in app.get("page_link")]
    return re.sub(r"\\(.)", r"\1", "\n".join(found)).replace(NBSP, " ").replace("\u2060", "")


# -- the list ------------------------------------------------------------------------------------


def test_list_counts_and_shows_every_hand(monkeypatch: Any, club: Path, sql: Reader, lang: str) -> None:
    app = opened(monkeypatch, club, "hands", lang)
    (row,) = sql.rows("SELECT count(*) AS n FROM hands")
    assert row["n"] == len(logs())
    assert f"**{row['n']}**" in texts(app)
    assert app.title[0].value == translate("Hands", lang)
    assert len(app.get("number_input")) == 1


def test_list_shows_amounts_by_language(monkeypatch: Any, club: Path, sql: Reader, lang: str) -> None:
    app = opened(monkeypatch, club, "hands", lang, club=CLUB, evening=f"session {SATURDAY['session_id']}")
    rows = sql.rows("SELECT net FROM seats WHERE hand_id = $id", {"id": FLAGGED["hand_id"]})
    app.text_input(key="text").set_value("thu-bay-2").run()
    for row in rows:
        assert format_signed(row["net"], "VND", lang).replace(NBSP, " ") in texts(app)
    assert ("28/11/2026" if lang == "vi" else "28 Nov 2026") in texts(app)


def test_filters_are_cleared_even_where_another_was_used_in_the_same_moment(
    monkeypatch: Any, club: Path
) -> None:
    app = opened(monkeypatch, club, "hands", "en", text="nobody", violation="1")
    (clear,) = (button for button in app.button if button.label == "Clear all filters")
    app.text_input(key="text").set_value("nobody else")  # leaving the box for the button tells both at once
    clear.click().run()
    assert app.text_input(key="text").value == ""
    assert not {"text", "violation"} & set(app.query_params)


def test_a_link_counts_where_another_page_was_looked_at_in_between(monkeypatch: Any, club: Path) -> None:
    evenings = [f"session {name}" for name in (SATURDAY["session_id"], "chủ nhật")]
    app = opened(monkeypatch, club, "violations", "en", club=CLUB, evening=evenings[0])
    for page, address in (("rules", {}), ("violations", {"club": CLUB, "evening": evenings[1]})):
        app.switch_page(f"views/{page}.py")
        app.query_params.clear()
        for key, value in {"lang": "en", **address}.items():
            app.query_params[key] = value
        app.run()
    assert app.selectbox(key="evening").value == Evening(CLUB, evenings[1])


@pytest.mark.parametrize(
    ("filters", "where"),
    [
        (Filters(violation=True), "severity IN ('error', 'warning')"),
        (Filters(forfeit=True), "hand_key IN (SELECT hand_key FROM forfeits)"),
        (Filters(rules="mien-nam-diem"), "rules_id = 'mien-nam-diem'"),
        (Filters(since=date(2026, 11, 29)), "played_on >= '2026-11-29'"),
        (Filters(until=date(2026, 11, 28)), "played_on <= '2026-11-28'"),
        (Filters(player=(CLUB, "chi")), "club_id = 'hoa-mai'"),
        (Filters(text="TEN DAI"), "true"),
        (Filters(text="CHU-NHAT"), "session_id = 'chủ nhật'"),
        (Filters(text="lac"), "hand_id = 'lạc'"),
        (Filters(text="' OR true --"), "false"),
        (Filters(evening=Evening(CLUB, "session chủ nhật")), "session_id = 'chủ nhật'"),
        (
            Filters(violation=True, rules="mien-nam"),
            "severity IN ('error', 'warning') AND rules_id = 'mien-nam'",
        ),
    ],
)
def test_filters(monkeypatch: Any, club: Path, sql: Reader, filters: Filters, where: str) -> None:
    monkeypatch.setenv("TIENLEN_DB", str(club))
    version = data.open_version()
    expected = {row["hand_id"] for row in sql.rows(f"SELECT hand_id FROM hands WHERE {where}")}
    found = every_hand(version, filters)
    assert sorted(hand["hand_id"] for hand in found) == sorted(expected)
    assert {hand["total"] for hand in found} <= {len(expected)}


def test_namesakes_are_told_apart_as_far_as_it_is_needed(monkeypatch: Any, tmp_path: Path) -> None:
    """In one club by their ids, across clubs by the club; nobody else."""
    seated = [{"id": id_, "name": name} for id_, name in (("an", "An"), ("an-2", "An"), ("ba", "Ba"))]
    records = [
        log(hand_id=f"h-{club}", club_id=club, players=seated[first:], deal=None)
        for club, first in (("một", 0), ("hai", 1))
    ]
    (tmp_path / "x.ndjson").write_bytes(b"\n".join(map(raw, records)))
    assert ingest([tmp_path / "x.ndjson"], tmp_path / "db").accepted == 2
    monkeypatch.setenv("TIENLEN_DB", str(tmp_path / "db"))
    people = data.people(data.open_version())
    own = {("một", "an"): "An (an)", ("một", "an-2"): "An (an-2)", ("một", "ba"): "Ba"}
    assert people == {**own, ("hai", "an-2"): "An", ("hai", "ba"): "Ba"}
    assert data.apart(people) == {
        **own,
        ("hai", "an-2"): "An",
        ("một", "ba"): "Ba (một)",
        ("hai", "ba"): "Ba (hai)",
    }
    assert charts._short("Nguyễn Thị Thùy Dương (duong-2)") == "Dương (duong-2)"


def every_hand(version: data.Version, filters: Filters) -> list[data.Row]:
    """All pages of the list, one after the other."""
    found: list[data.Row] = []
    while page := data.find_hands(version, filters, len(found) // data.PAGE):
        found += page
        if len(found) % data.PAGE:
            break
    return found


def test_every_hand_is_on_one_page_of_the_list_and_the_latest_come_first(
    monkeypatch: Any, club: Path
) -> None:
    monkeypatch.setenv("TIENLEN_DB", str(club))
    version = data.open_version()
    found = every_hand(version, Filters())
    assert len({hand["hand_key"] for hand in found}) == len(logs())
    assert found[0]["hand_id"] == "chu-nhat-8"
    assert found[-1]["hand_id"] == "lạc"


def test_list_narrowed_to_nothing_says_what_to_do(monkeypatch: Any, club: Path, lang: str) -> None:
    app = opened(monkeypatch, club, "hands", lang)
    app.text_input(key="text").set_value("không có ai tên này").run()
    assert translate("No hand passes these filters. Take one of them away, or all:", lang) in texts(app)
    app.button[0].click().run()
    assert f"**{len(logs())}**" in texts(app)


def test_filters_by_widget(monkeypatch: Any, club: Path, sql: Reader) -> None:
    app = opened(monkeypatch, club, "hands", "vi")
    app.checkbox(key="forfeit").check().run()
    (row,) = sql.rows("SELECT count(*) AS n FROM hands WHERE has_forfeit")
    assert f"**{row['n']}**" in texts(app)


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("mien-nam/den-bai.json", ":red[₫] pays for the table"),
        ("mien-nam/chua-ro-bai-co-the-den.json", ":orange[₫] may have to pay for the table"),
    ],
)
def test_a_forfeit_that_is_only_possible_is_not_told_as_one_that_was_charged(
    monkeypatch: Any, tmp_path: Path, name: str, mark: str
) -> None:
    ingest([SAMPLES / name], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "hands", "en")
    assert [link for link in texts(app).splitlines() if "₫]" in link] == [mark]


# -- the replay ----------------------------------------------------------------------------------


def test_replay_without_a_hand_offers_some(monkeypatch: Any, club: Path, lang: str) -> None:
    app = opened(monkeypatch, club, "replay", lang)
    assert translate("Choose a hand in the list, or open one of the latest:", lang) in texts(app)
    assert translate("Hand {n}", lang).format(n=8) in texts(app)


def test_replay_of_an_unknown_hand_says_so(monkeypatch: Any, club: Path, lang: str) -> None:
    app = opened(monkeypatch, club, "replay", lang, hand="[x](http://y)")
    assert "[x](http://y)" in texts(app)
    assert not app.get("bidi_component")


def test_replay_is_the_account_of_the_stored_log(monkeypatch: Any, club: Path, lang: str) -> None:
    monkeypatch.setenv("TIENLEN_DB", str(club))
    version = data.open_version()
    hand = data.find_hand(version, FLAGGED["hand_id"], CLUB)
    assert hand is not None
    log, rules, _ = read(
        (version.rows("SELECT log FROM hands WHERE hand_id = $h", h=FLAGGED["hand_id"])[0]["log"]).encode()
    )
    view = data.view(version, hand)
    assert view == view_of(make_account(log, rules))
    assert [flag["code"] for flag in view["events"][4]["flags"]] == ["wrong_kind"]
    app = opened(monkeypatch, club, "replay", lang, hand=FLAGGED["hand_id"], club=CLUB, event="4")
    (table,) = app.get("bidi_component")
    sent = json.loads(table.proto.json)
    assert (sent["view"], sent["lang"], sent["event"]) == (view, lang, 4)
    assert ("28/11/2026 20:02" if lang == "vi" else "28 Nov 2026 20:02") in texts(app)
    before, after = data.neighbours(version, hand)
    assert before is not None
    assert after is not None
    assert (before["hand_id"], after["hand_id"]) == ("thu-bay-1", "thu-bay-3")


FILES = ("Save", "Ruling sheet", "Save its log (.van)", "Save its log (.json)")


def test_replay_offers_the_hand_as_a_file(monkeypatch: Any, club: Path, lang: str) -> None:
    app = opened(monkeypatch, club, "replay", lang, hand=FLAGGED["hand_id"])
    offered = [button.proto.label for button in app.get("download_button")]
    assert offered == [translate(text, lang) for text in FILES]
    app.checkbox(key="anonymous").check().run()
    assert not app.exception


@pytest.mark.parametrize("event", ["9" * 5000, "٣", "-1", "1e3"])
def test_an_odd_event_in_the_address_costs_nothing(monkeypatch: Any, club: Path, event: str) -> None:
    app = opened(monkeypatch, club, "replay", "vi", hand=FLAGGED["hand_id"], event=event)
    assert app.get("bidi_component")


def test_stored_rules_outlive_their_preset(monkeypatch: Any, club: Path) -> None:
    monkeypatch.setenv("TIENLEN_DB", str(club))
    version = data.open_version()
    for name in ("mien-nam", "mien-nam-diem"):
        rules = preset(name)
        stored = data.stored_rules(version, rules.sha256)
        assert stored is not None
        assert stored.knobs == rules.knobs
        assert stored.sha256 == rules.sha256
        assert stored.provenance == rules.provenance
    assert data.stored_rules(version, "0" * 64) is None


# -- the money -----------------------------------------------------------------------------------


def test_totals_are_the_sums_of_the_seats(monkeypatch: Any, club: Path, sql: Reader, lang: str) -> None:
    app = opened(monkeypatch, club, "money", lang, club=CLUB, evening=f"session {SATURDAY['session_id']}")
    rows = sql.rows(
        "SELECT player_id, sum(net) AS net FROM seats JOIN hands USING (hand_key) WHERE session_id = $s GROUP BY ALL",
        {"s": SATURDAY["session_id"]},
    )
    assert {row["player_id"] for row in rows} == set(NAMES)
    for row in rows:
        assert f"**{format_signed(row['net'], 'VND', lang)}**".replace(NBSP, " ") in texts(app)
    for name in NAMES.values():
        assert name in texts(app)


def test_payments_settle_the_evening_and_are_the_fewest(monkeypatch: Any, club: Path, sql: Reader) -> None:
    monkeypatch.setenv("TIENLEN_DB", str(club))
    version = data.open_version()
    totals = money.totals(version, Evening(CLUB, f"session {SATURDAY['session_id']}"))
    owed = {row["player_id"]: row["net"] for row in totals}
    paid = money.payments(owed)
    assert len(paid) < len(owed)
    for payment in paid:
        assert payment.amount > 0
        owed[payment.from_player] += payment.amount
        owed[payment.to_player] -= payment.amount
    assert not any(owed.values())


def every_line(
    version: data.Version, scope: Scope, currency: str, player: str, reason: str
) -> list[data.Row]:
    """All pages of the transfers behind a figure."""
    found: list[data.Row] = []
    while page := money.lines(version, scope, currency, player, reason, len(found) // money.LINES):
        found += page
        if len(found) % money.LINES:
            break
    return found


def test_causes_add_up_to_the_totals(monkeypatch: Any, club: Path) -> None:
    monkeypatch.setenv("TIENLEN_DB", str(club))
    version = data.open_version()
    for session in (SATURDAY, SUNDAY):
        evening = Evening(CLUB, f"session {session['session_id']}")
        scope = Scope(evening.club_id, evening.evening)
        causes = money.causes(version, scope)
        assert (causes["won"] + causes["lost"] == causes["net"]).all()
        for row in money.totals(version, evening):
            mine = causes.filter(pl.col("player_id") == row["player_id"])
            assert sum(mine["net"].to_list(), Decimal(0)) == row["net"]
            for reason, net in mine.select("reason", "net").iter_rows():
                behind = every_line(version, scope, row["currency"], row["player_id"], reason)
                assert sum((line["amount"] for line in behind), Decimal(0)) == net
                assert {(line["found"], line["total"]) for line in behind} == {(len(behind), net)}


def test_each_figure_leads_to_its_transfers(monkeypatch: Any, club: Path, lang: str) -> None:
    monkeypatch.setenv("TIENLEN_DB", str(club))
    evening = Evening(CLUB, f"session {SATURDAY['session_id']}")
    version = data.open_version()
    (first, *_) = money.totals(version, evening)
    app = opened(monkeypatch, club, "money", lang, club=CLUB, evening=evening.evening)
    for line in money.lines(version, Scope(CLUB, evening.evening), "VND", first["player_id"], None):
        transfer = data.view(version, line)["transfers"][line["number"]]
        assert format_amount(abs(line["amount"]), "VND", lang) in transfer["text"][lang]
        assert " ".join(transfer["text"][lang].split()) in texts(app)


def test_currencies_are_never_added(monkeypatch: Any, tmp_path: Path) -> None:
    mixed = [dict(log) for log in logs()[:2]]
    mixed[1]["currency"] = "POINT"
    file = tmp_path / "mixed.ndjson"
    file.write_text("\n".join(json.dumps(log) for log in mixed), "utf-8")
    ingest([file], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "money", "vi")
    assert [header.value for header in app.header] == [translate("points", "vi"), "VND"]
    assert "+40.000 ₫" in texts(app)
    assert "+25.000 điểm" in texts(app)
    assert "65.000" not in texts(app)


# -- nothing there yet ---------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["hands", "replay", "money"])
def test_without_a_database_a_page_says_what_to_do(
    monkeypatch: Any, tmp_path: Path, page: str, lang: str
) -> None:
    app = opened(monkeypatch, tmp_path / "none", page, lang)
    assert "tienlen ingest" in texts(app)
    assert "tienlen demo" in texts(app)


@pytest.mark.parametrize("page", ["hands", "replay", "money"])
def test_an_empty_database_says_what_to_do(monkeypatch: Any, tmp_path: Path, page: str, lang: str) -> None:
    with Database(tmp_path / "db").lock():
        pass
    app = opened(monkeypatch, tmp_path / "db", page, lang)
    assert "tienlen ingest" in texts(app)


def test_new_hands_appear_at_the_next_interaction(monkeypatch: Any, tmp_path: Path) -> None:
    for number, one in enumerate(logs()[:2]):
        (tmp_path / f"{number}.json").write_text(json.dumps(one), "utf-8")
    ingest([tmp_path / "0.json"], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "hands", "vi")
    assert "**1**" in texts(app)
    ingest([tmp_path / "1.json"], tmp_path / "db")
    app.run()
    assert "**2**" in texts(app)


# -- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [HOSTILE, MARKED, "a\n# b", "![x](http://y)", ":red[x] :material/home:", "`c` ~d~ **e**"]
)
def test_plain_text_is_no_markup(name: str) -> None:
    escaped = plain(name)
    assert not re.search(r"(?<!\\)[*_\[\]()<>:$`~#!|]", escaped)
    assert "\n" not in escaped
    assert re.sub(r"\\(.)", r"\1", escaped).replace("\u2060", "") == " ".join(name.split())


def test_language_follows_the_address_and_the_switch(monkeypatch: Any, club: Path) -> None:
    app = opened(monkeypatch, club, "hands", "en")
    assert app.title[0].value == "Hands"
    app.segmented_control(key="lang").set_value("vi").run()
    assert app.title[0].value == translate("Hands", "vi")
    assert app.query_params["lang"] == "vi"


def test_the_table_has_its_words_in_both_languages() -> None:
    for key, both in labels().items():
        assert both["en"] == LABELS[key]
        assert set(both) == set(LANGUAGES)
    html, css, js = assets()
    for key in re.findall(r'data-go="(\w+)"', html):
        assert key in LABELS
    for key in re.findall(r'\bsay\("(\w+)"', js):
        assert key in LABELS, key
    assert "innerHTML" not in js
    assert "://" not in (html + css + js).replace("http://www.w3.org/2000/svg", "")


def test_no_text_hides_from_the_catalogue_in_an_f_string() -> None:
    for path in Path(APP).parent.glob("**/*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                assert "N_(" not in ast.unparse(node), f"{path}:{node.lineno}"


def test_chart_shows_names_as_they_are() -> None:
    frame = pl.DataFrame(
        {
            "player_id": ["a", "b"],
            "reason": ["place", "place"],
            "won": [Decimal(5), Decimal(0)],
            "lost": [Decimal(0), Decimal(-5)],
        }
    )
    figure = causes_chart(frame, {"a": HOSTILE, "b": "B"}, {"place": "<b>x</b>"}, str, ",.")
    assert isinstance(figure, go.Figure)
    assert figure.data[0].name == "&lt;b&gt;x&lt;/b&gt;"
    assert "<img" not in figure.to_json()
    assert list(figure.data[0].x) == [5.0, -5.0]
    assert list(figure.data[0].y) == ["a", "b"]


# -- house rules, other rules, between hands -----------------------------------------------------


def test_rules_page_shows_every_value_with_its_source(monkeypatch: Any, club: Path, lang: str) -> None:
    app = opened(monkeypatch, club, "rules", lang, rules="phong-cua")
    shown = texts(app)
    for path in paths_of(preset("phong-cua")):
        assert f"`{path}`" in shown
    assert "«Luật Tiến lên phòng tiền cửa» L38" in shown
    assert app.title[0].value == translate("House rules", lang)
    app.toggle[0].set_value(True).run()
    assert "`frozen.mode`" in texts(app)
    assert not app.exception


def test_rules_page_proves_a_club_file(monkeypatch: Any, club: Path, lang: str) -> None:
    app = opened(monkeypatch, club, "rules", lang)
    area = app.text_area[0]
    assert 'extends = "mien-nam"' in str(area.value)
    area.set_value('extends = "mien-nam"\n[prices]\ntwo_heart = 1\n').run()
    assert any("prices.two_hearts" in re.sub(r"\\(.)", r"\1", str(e.value)) for e in app.error)
    app.text_area[0].set_value('extends = "mien-nam"\n[prices]\ntwo_hearts = 1.5\n').run()
    assert not app.error
    assert "1 " in str(app.success[0].value)


def test_replay_page_compares_with_other_rules(monkeypatch: Any, club: Path, lang: str) -> None:
    app = opened(monkeypatch, club, "replay", lang, hand=FLAGGED["hand_id"])
    app.selectbox(key=f"other-rules-{lang}").set_value(preset("phong-cua").title[lang]).run()
    assert not app.exception
    shown = texts(app)
    assert translate("Rules that alone change the verdict", lang) in shown
    assert "phong-cua **" in shown
    assert "L58" in shown


def test_money_page_tells_what_is_found_between_hands(monkeypatch: Any, tmp_path: Path, lang: str) -> None:
    path = tmp_path / "e.ndjson"
    path.write_bytes(b"\n".join(raw(hand(n, lead=FIRST)) for n in (1, 2, 5)))
    ingest([str(path)], tmp_path / "db")
    app = opened(monkeypatch, tmp_path / "db", "money", lang)
    told = " ".join(re.sub(r"\\(.)", r"\1", str(element.value)) for element in app.warning)
    assert "h2: " in told
    assert "h5: " in told
