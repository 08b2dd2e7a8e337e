"""The players' page: every figure against plain SQL, on the sample evening also worked by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from analyzer.locale import translate
from analyzer.reports.money import NBSP
from analyzer.reports.rating import rate
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.journal import Journal
from analyzer.store.people import ALIAS, UNDONE
from analyzer.store.reader import Reader, open_reader
from dashboards import access, data, players
from dashboards.charts import trend_chart
from dashboards.data import Filters, Row, Version
from dashboards.definitions import ORDERS
from dashboards.people import known
from dashboards.players import half_width, rounded, student
from tests.browser.club import CLUB, HOSTILE, MARKED, NAMES, make_club
from tests.hands import log, raw
from tests.test_pages import SAMPLES, lang, opened, texts

__all__ = ["lang"]

SAMPLE = "clb-mau"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample evening of 28 hands."""
    folder = tmp_path_factory.mktemp("evening") / "db"
    ingest([SAMPLES / "clb-mau-2026-11-28.ndjson"], folder)
    return folder


@pytest.fixture(scope="module")
def sql(evening: Path) -> Iterator[Reader]:
    with open_reader(Database(evening)) as reader:
        yield reader


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_club(tmp_path_factory.mktemp("players"))


@pytest.fixture
def version(monkeypatch: pytest.MonkeyPatch, evening: Path) -> Version:
    monkeypatch.setenv("TIENLEN_DB", str(evening))
    return data.open_version()


def mine(version: Version, player: str, filters: Filters | None = None) -> Row:
    return players.figures(version, SAMPLE, player, filters or Filters())


# -- the figures ---------------------------------------------------------------------------------


def test_figures_of_ha_are_those_worked_by_hand_from_the_28_hands(version: Version) -> None:
    # Places of hands 1 to 28: 1442 1121 -121 2342 2331 1141 3232; hand 9 was an instant win of Lan's.
    found = mine(version, "ha")
    assert (found["hands"], found["placed"], found["undated"]) == (28, 27, 0)
    assert [found[key] for key in ("firsts", "seconds", "thirds", "lasts")] == [10, 8, 5, 4]
    # Frozen in 15 and 19; chopped in 8, 17 and 21, was chopped in 11 and, unpaid at the end, in 22.
    assert [found[key] for key in ("times_frozen", "chops_made", "chops_suffered")] == [2, 3, 2]
    assert [found[key] for key in ("forfeits", "forfeits_possible", "instant_wins")] == [0, 0, 0]
    # Firsts 20 to 22, lasts 2 and 3, won 4 to 8, lost 2 and 3.
    assert {row["run"]: row["length"] for row in found["runs"]} == {
        "firsts": 3, "lasts": 2, "won": 5, "lost": 2
    }  # fmt: skip
    # Chops 5 + 5 + 10 - 5, rotten 15 + 5 - 10 - 5 - 25, frozen 25 + 25 - 20, instant win -20 (thousands);
    # eight firsts of a last, eight seconds of a third, three lasts and four thirds that nobody frozen was in.
    assert {row["reason"]: (row["received"], row["paid"]) for row in found["causes"]} == {
        "chop": (20_000, 5_000),
        "frozen": (50_000, 20_000),
        "instant_win": (0, 20_000),
        "place": (120_000, 50_000),
        "rotten": (20_000, 40_000),
    }
    (day,) = found["trend"]
    assert (day["day"], day["hands"], day["net"], day["balance"]) == (date(2026, 11, 28), 28, 75_000, 75_000)
    every, southern = found["nets"]
    assert (every["currency"], every["rules_id"], every["hands"], every["net"]) == ("VND", None, 28, 75_000)
    assert southern["rules_id"] == "mien-nam"
    # The sum of the squared nets is 5,525 (thousands squared): 75 / 28 = 2.679,
    # sqrt((5,525 - 75 * 75 / 28) / 27) = 14.042, and 2.0518 * 14.042 / sqrt(28) = 5.445.
    assert every["mean"] == pytest.approx(2678.571, abs=0.001)
    assert half_width(28, every["deviation"]) == pytest.approx(5445.1, abs=0.2)


def test_the_page_tells_every_cause_so_that_they_add_up(
    monkeypatch: pytest.MonkeyPatch, evening: Path, version: Version
) -> None:
    found = mine(version, "ha")
    assert sum(row["received"] - row["paid"] for row in found["causes"]) == found["nets"][0]["net"]
    shown = texts(opened(monkeypatch, evening, "players", "vi", player="ha", club=SAMPLE))
    assert "**Tiền thứ hạng**" in shown
    for row in found["causes"]:
        assert f"{row['received']:,.0f}".replace(",", ".") in shown


def test_ha_against_lan_worked_by_hand(version: Version) -> None:
    # Hà came in behind Lan in 2, 3, 14, 15, 18, 19, 23 and 27; places 10 - 10 + 5 + 5 - 5 - 5 + 5, and
    # chop 5 (8), instant win -20 (9), frozen -20 (19) and 25 (24), rotten -5 (3) and 5 (25).
    (lan,) = [row for row in players.opponents(version, SAMPLE, "ha", Filters()) if row["person_id"] == "lan"]
    assert (lan["hands"], lan["ahead"], lan["behind"]) == (28, 19, 8)
    assert lan["net"] == {"VND": Decimal(-5_000)}


@pytest.mark.parametrize("player", ["ha", "khoa", "lan", "son"])
def test_every_figure_equals_plain_sql(version: Version, sql: Reader, player: str) -> None:
    found = mine(version, player)
    (row,) = sql.rows(
        """
        SELECT
            count(*) AS hands, count(place) AS placed,
            count(*) FILTER (place = 1) AS firsts, count(*) FILTER (place = 2) AS seconds,
            count(*) FILTER (place = 3) AS thirds, count(*) FILTER (place = 4) AS lasts,
            count(*) FILTER (frozen) AS times_frozen, count(instant_win) AS instant_wins,
            (SELECT count(*) FROM chops JOIN seats USING (hand_key, seat) WHERE player_id = $p) AS chops_made,
            (SELECT count(*) FROM chops JOIN seats ON seats.hand_key = chops.hand_key AND victim = seats.seat
             WHERE player_id = $p) AS chops_suffered,
            (SELECT count(*) FROM forfeits JOIN seats USING (hand_key, seat)
             WHERE player_id = $p AND certainty = 'certain') AS forfeits
        FROM seats WHERE player_id = $p
        """,
        {"p": player},
    )
    assert {key: found[key] for key in row} == row
    (total,) = sql.rows("SELECT sum(net) AS net FROM seats WHERE player_id = $p", {"p": player})
    assert found["nets"][0]["net"] == found["trend"][-1]["balance"] == total["net"]
    causes = sql.rows(
        """
        SELECT reason, sum(if(to_player = $p, amount, 0)) AS received, sum(if(from_player = $p, amount, 0)) AS paid
        FROM transfers WHERE $p IN (from_player, to_player) GROUP BY reason ORDER BY reason
        """,
        {"p": player},
    )
    assert [{key: row[key] for key in ("reason", "received", "paid")} for row in found["causes"]] == causes
    (passes,) = sql.rows(
        """
        SELECT count(*) AS passes, count(*) FILTER (certainty = 'certain') AS missed,
            count(*) FILTER (certainty = 'possible') AS possible
        FROM events JOIN seats USING (hand_key, seat) LEFT JOIN missed_blocks USING (hand_key, event, seat)
        WHERE type = 'pass' AND player_id = $p
        """,
        {"p": player},
    )
    # Nobody at the sample table passed out of turn.
    assert sql.rows("SELECT DISTINCT code FROM violations") == [{"code": "net_mismatch"}]
    assert players.blocks(version, SAMPLE, player, Filters()) == passes
    for other in players.opponents(version, SAMPLE, player, Filters()):
        (row,) = sql.rows(
            """
            SELECT count(*) FILTER (one.place < other.place) AS ahead,
                count(*) FILTER (one.place > other.place) AS behind, count(*) AS hands,
                (SELECT sum(if(to_player = $p, amount, -amount)) FROM transfers
                 WHERE (from_player, to_player) IN (($p, $o), ($o, $p))) AS net
            FROM seats AS one JOIN seats AS other USING (hand_key)
            WHERE one.player_id = $p AND other.player_id = $o
            """,
            {"p": player, "o": other["person_id"]},
        )
        assert {
            **{key: other[key] for key in ("ahead", "behind", "hands")},
            "net": other["net"]["VND"],
        } == row


def test_a_fault_of_turn_is_no_opportunity_to_block(monkeypatch: Any, club: Path) -> None:
    monkeypatch.setenv("TIENLEN_DB", str(club))
    version = data.open_version()
    counted = sum(players.blocks(version, CLUB, player, Filters())["passes"] for player in NAMES)
    (row,) = version.rows(
        """
        SELECT
            count(*) FILTER (type = 'pass') AS passes,
            count(*) FILTER (type = 'pass' AND (hand_key, event) IN (
                SELECT (hand_key, event) FROM violations
                WHERE code IN ('out_of_turn', 'pass_on_lead', 'acted_after_out', 'wrong_leader', 'event_after_end')
            )) AS faults
        FROM events WHERE club_id = 'hoa-mai'
        """
    )
    assert row["faults"] > 0
    assert counted == row["passes"] - row["faults"]


def test_the_list_has_the_sums_of_everybody(version: Version, sql: Reader) -> None:
    rows = sql.rows(
        """
        SELECT player_id, count(*) AS hands, count(place) AS placed, count(*) FILTER (place = 1) AS firsts,
            count(*) FILTER (place = 4) AS lasts, sum(net) AS net
        FROM seats GROUP BY player_id ORDER BY player_id
        """
    )
    found = players.standings(version, SAMPLE, Filters())
    assert [
        {"player_id": one.person, "hands": one.hands, "placed": one.placed, "firsts": one.firsts,
         "lasts": one.lasts, "net": one.net["VND"]} for one in found
    ] == rows  # fmt: skip


def test_currencies_are_never_added(monkeypatch: Any, club: Path) -> None:
    monkeypatch.setenv("TIENLEN_DB", str(club))
    version = data.open_version()
    for player in NAMES:
        found = players.figures(version, CLUB, player, Filters())
        for row in found["nets"]:
            (plain,) = version.rows(
                "SELECT count(*) AS hands, sum(seats.net) AS net FROM seats JOIN hands USING (hand_key) WHERE "
                "seats.club_id = $c AND player_id = $p AND currency = $k AND coalesce(rules_id = $r, true)",
                c=CLUB, p=player, k=row["currency"], r=row["rules_id"],
            )  # fmt: skip
            assert (row["hands"], row["net"]) == (plain["hands"], plain["net"])
        assert {row["currency"] for row in found["nets"]} == {"VND", "POINT"}


def test_filters_narrow_every_figure(monkeypatch: Any, club: Path) -> None:
    monkeypatch.setenv("TIENLEN_DB", str(club))
    version = data.open_version()
    for filters, where in [
        (Filters(since=date(2026, 11, 29)), "session_id = 'chủ nhật'"),
        (Filters(until=date(2026, 11, 28)), "session_id = 'tối thứ bảy'"),
        (Filters(rules="mien-nam-diem"), "rules_id = 'mien-nam-diem'"),
        (Filters(stake=(Decimal(1), "POINT")), "stake = 1 AND currency = 'POINT'"),
        (Filters(stake=(Decimal(1), "VND")), "false"),
        (Filters(table="bàn 1"), "true"),
        (Filters(players=4), "false"),
        (Filters(opponents=("binh", "chi")), "true"),
    ]:
        found = players.figures(version, CLUB, "an", filters)
        (row,) = version.rows(f"SELECT count(*) AS n FROM hands WHERE club_id = 'hoa-mai' AND {where}")
        assert found["hands"] == row["n"], filters
        assert sum(one.hands for one in players.standings(version, CLUB, filters)) == 3 * row["n"]


def test_a_hand_past_midnight_belongs_to_the_day_that_the_clubs_clock_says(
    monkeypatch: Any, tmp_path: Path
) -> None:
    times = ["2026-11-28T23:50:00+07:00", "2026-11-29T00:40:00+07:00", "2026-11-29T06:10:00+07:00"]
    logs = [log(hand_id=str(n), club_id="c", played_at=at) for n, at in enumerate(times)]
    (tmp_path / "a.ndjson").write_bytes(b"\n".join(raw(one) for one in logs))
    ingest([tmp_path / "a.ndjson"], tmp_path / "db")
    monkeypatch.setenv("TIENLEN_DB", str(tmp_path / "db"))

    def by_day() -> list[int]:
        version = data.open_version()
        counts = [
            players.figures(version, "c", "an", Filters(since=day, until=day))["hands"]
            for day in (date(2026, 11, 28), date(2026, 11, 29))
        ]
        trend = players.figures(version, "c", "an", Filters())["trend"]
        assert [row["hands"] for row in trend] == counts
        assert [len(data.find_hands(version, Filters(since=date(2026, 11, 29))))] == counts[1:]
        return counts

    assert by_day() == [2, 1]
    setting = {"club": "c", "time_zone": "Asia/Ho_Chi_Minh", "day_starts": "00:30"}
    Journal(Database(tmp_path / "db")).append("setting", setting, "Hà")
    assert by_day() == [1, 2]


# -- statistics ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    [(1, 12.706), (2, 4.303), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (10**6, 1.960)],
)
def test_students_quantile_is_that_of_the_tables(degrees: int, quantile: float) -> None:
    assert student(degrees) == pytest.approx(quantile, rel=1e-3)


def test_one_hand_has_no_interval() -> None:
    assert half_width(1, None) is None
    assert half_width(2, 0.0) == 0


def test_a_mean_is_told_no_finer_than_its_interval() -> None:
    assert rounded(2678.571, 5445.1) == 2679
    assert rounded(0.123456, 0.5) == Decimal("0.12")
    assert rounded(0.123456, 0) == Decimal("0.123")


def test_who_wins_more_is_rated_higher_and_more_hands_make_it_surer() -> None:
    few, many = (rate([("a", "b", "c")] * hands) for hands in (5, 50))
    assert few["a"].mu > few["b"].mu > few["c"].mu
    assert math.isclose(few["b"].mu, 25, abs_tol=2)
    assert many["a"].sigma < few["a"].sigma < 25 / 3
    assert many["a"].hands == 50
    assert rate([("a", "a", "b")]) == {}


def test_ratings_take_the_latest_hands_in_which_everybody_has_a_place(
    monkeypatch: Any, version: Version, sql: Reader
) -> None:
    order = sql.rows(
        "SELECT list(player_id ORDER BY place) AS persons FROM seats JOIN hands USING (hand_key) "
        "WHERE outcome = 'finished' GROUP BY hand_key, hand_no ORDER BY hand_no"
    )
    assert len(order) == 27
    assert players.ratings(version, SAMPLE) == rate([row["persons"] for row in order])
    latest = version.ask("placings", club=SAMPLE, limit=5)
    assert [row["persons"] for row in latest] == [row["persons"] for row in order[-5:]]


def test_the_chart_draws_the_balance_of_each_club_day(monkeypatch: Any, club: Path) -> None:
    monkeypatch.setenv("TIENLEN_DB", str(club))
    found = players.figures(data.open_version(), CLUB, "an", Filters())
    for currency in ("VND", "POINT"):
        days = players.trend_frame(found, currency)
        chart = trend_chart(days, [HOSTILE] * len(days), ",.")
        assert list(chart.data[0].y) == [
            float(row["balance"]) for row in found["trend"] if row["currency"] == currency
        ]
        assert "<img" not in chart.to_json()


# -- the page ------------------------------------------------------------------------------------


def shown(app: AppTest) -> str:
    """What is read on the page, without the spaces that keep amounts together."""
    return texts(app).replace(NBSP, " ")


def test_page_shows_the_player(monkeypatch: Any, evening: Path, lang: str) -> None:
    app = opened(monkeypatch, evening, "players", lang, club=SAMPLE, player="ha")
    told = shown(app)
    assert app.title[0].value == translate("Players", lang)
    assert app.header[0].value == "Hà"
    for text in {
        "vi": ["**+75.000 ₫**", "37,0 %", "10 trên 27 ván", "+2.679 ₫", "−2.767 ₫", "+8.124 ₫", "22 trên 94"],
        "en": ["**+75,000 ₫**", "37.0 %", "10 of 27 hands", "+2,679 ₫", "−2,767 ₫", "+8,124 ₫", "22 of 94"],
    }[lang]:
        assert text in told
    rating = players.ratings(data.open_version(), SAMPLE)["ha"]
    assert f"**{rating.mu:.1f} ± {2 * rating.sigma:.1f}**".replace(".", "," if lang == "vi" else ".") in told
    for name in ("Khoa", "Lan", "Sơn"):
        assert f"**{name}**" in told


def test_every_figure_says_what_it_means(monkeypatch: Any, evening: Path, lang: str) -> None:
    app = opened(monkeypatch, evening, "players", lang, club=SAMPLE, player="ha")
    boxes = [caption for caption in app.caption if caption.help]
    assert len(boxes) >= 5 + 5 + 1 + 4 + 1
    assert translate(
        "The longest run, hand by hand in the order of play. A hand that ended otherwise, or without a place, breaks it.",
        lang,
    ) in [box.help for box in boxes]


def test_page_lists_everybody_and_leads_to_each(monkeypatch: Any, club: Path, lang: str) -> None:
    app = opened(monkeypatch, club, "players", lang, club=CLUB)
    told = shown(app)
    for name in (HOSTILE, MARKED):
        assert name in told
    for order in ORDERS.values():
        app.selectbox(key=f"order-{lang}").set_value(translate(order, lang)).run()
        assert not app.exception
        assert HOSTILE in shown(app)
    links = [str(link.proto.query_string) for link in app.get("page_link")]
    assert any("player=an" in link and f"club={CLUB}" in link for link in links)


def test_the_address_holds_the_filters(monkeypatch: Any, club: Path, lang: str) -> None:
    app = opened(monkeypatch, club, "players", lang, club=CLUB, player="an", rules="mien-nam-diem")
    assert "**8**" in shown(app)
    app.selectbox(key="rules").set_value(None).run()
    app.segmented_control(key="count").set_value(3).run()
    assert app.query_params["count"] == "3"
    assert "rules" not in app.query_params
    app.date_input(key="days").set_value((date(2026, 11, 29), date(2026, 11, 29))).run()
    assert (app.query_params["from"], app.query_params["until"]) == ("2026-11-29", "2026-11-29")
    assert "**8**" in shown(app)
    app.multiselect(key="with").set_value([(CLUB, "binh")]).run()
    assert app.query_params["with"] in ("binh", ["binh"])
    assert not app.exception


@pytest.mark.parametrize(
    "hostile",
    [
        {"from": "x", "until": "9999-12-31"},
        {"from": "2026-11-29", "until": "2026-11-28"},
        {"stake": "sNaN VND"},
        {"stake": "1e999999999 VND", "count": "9"},
        {"player": "' OR true --", "with": "nobody", "rules": "<script>", "table": "[x](y)"},
        {"club": "no such club"},
        {"with": ["binh", "binh", "chi", "an", "x"]},
    ],
)
@pytest.mark.parametrize("page", ["players", "hands"])
def test_an_address_that_makes_no_sense_narrows_nothing(
    monkeypatch: Any, club: Path, page: str, hostile: dict[str, Any]
) -> None:
    app = opened(monkeypatch, club, page, "en", **{"club": CLUB, **hostile})
    assert not app.exception
    assert HOSTILE in shown(app)


def test_where_nothing_passes_the_page_says_what_to_do(monkeypatch: Any, club: Path, lang: str) -> None:
    app = opened(monkeypatch, club, "players", lang, club=CLUB, player="an", count="4")
    assert translate("No hand passes these filters. Take one of them away, or all:", lang) in shown(app)
    next(b for b in app.button if b.label == translate("Clear all filters", lang)).click().run()
    assert not app.exception
    assert "count" not in app.query_params


@pytest.mark.parametrize("made", ["none", "empty"])
def test_without_hands_the_page_says_what_to_do(
    monkeypatch: Any, tmp_path: Path, made: str, lang: str
) -> None:
    if made == "empty":
        with Database(tmp_path / made).lock():
            pass
    assert "tienlen ingest" in shown(opened(monkeypatch, tmp_path / made, "players", lang))


# -- one person, several ids ---------------------------------------------------------------------


@pytest.fixture
def doubled(tmp_path: Path) -> Path:
    """An under two ids: ``an`` in hands 0 and 1, ``an2`` in hand 2."""
    people = [{"id": name, "name": name.title()} for name in ("an", "binh", "chi", "dung")]
    logs = [log(hand_id=str(n), club_id="c", hand_no=n + 1, currency="VND", players=people) for n in range(3)]
    logs[2]["players"] = [{"id": "an2", "name": "An <máy 2>"}, *people[1:]]
    (tmp_path / "a.ndjson").write_bytes(b"\n".join(raw(one) for one in logs))
    ingest([tmp_path / "a.ndjson"], tmp_path / "db")
    return tmp_path / "db"


def test_two_ids_are_made_one_person_and_two_again(monkeypatch: Any, doubled: Path, lang: str) -> None:
    app = opened(monkeypatch, doubled, "players", lang, club="c", player="an")
    assert translate("{count} of {n} hands", lang).format(count=0, n=2) in shown(app) or "**2**" in shown(app)
    app.selectbox(key="alias-c-an").set_value(("c", "an2"))
    next(b for b in app.button if b.label == translate("Count as one person", lang)).click().run()
    assert not app.exception
    assert "**3**" in shown(app)
    (entry,) = Journal(Database(doubled)).entries(ALIAS)
    assert entry.data == {"club": "c", "player": "an2", "is": "an"}
    assert entry.by in shown(app)
    version = data.open_version()
    assert list(data.people(version)) == [("c", "an"), ("c", "binh"), ("c", "chi"), ("c", "dung")]
    assert len(data.find_hands(version, Filters(player=("c", "an")))) == 3
    assert {one.person: one.hands for one in players.standings(version, "c", Filters())}["an"] == 3
    (met,) = [row for row in players.opponents(version, "c", "binh", Filters()) if row["person_id"] == "an"]
    assert met["hands"] == 3
    app.button(key=f"undo-{entry.number}").click().run()
    assert "**2**" in shown(app)
    assert known(str(doubled)).persons == {}
    assert [entry.kind for entry in Journal(Database(doubled)).entries()] == [ALIAS, UNDONE]


def test_who_sat_at_one_table_is_not_one_person(monkeypatch: Any, doubled: Path, lang: str) -> None:
    app = opened(monkeypatch, doubled, "players", lang, club="c", player="an")
    app.selectbox(key="alias-c-an").set_value(("c", "binh"))
    next(b for b in app.button if b.label == translate("Count as one person", lang)).click().run()
    text = "{player} and {person} sat at one table in {n} hands: they are not one person."
    assert translate(text, lang).format(player="binh", person="an", n=2) in shown(app)
    assert Journal(Database(doubled)).entries() == ()


def test_whoever_may_only_look_sees_aliases_and_no_way_to_change_them(
    monkeypatch: Any, doubled: Path, lang: str
) -> None:
    data_ = {"club": "c", "player": "an2", "is": "an"}
    Journal(Database(doubled)).append(ALIAS, data_, "<b>Hà</b>")
    monkeypatch.setattr(access, "editor", lambda: None)
    monkeypatch.setattr("dashboards.aliases.editor", lambda: None)
    app = opened(monkeypatch, doubled, "players", lang, club="c", player="an2")
    assert app.query_params["player"] in ("an", ["an"])
    assert "<b>Hà</b>" in shown(app)
    assert not [button for button in app.button if button.key and button.key.startswith("undo")]
    assert translate("Count as one person", lang) not in [button.label for button in app.button]
