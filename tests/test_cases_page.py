"""The dispute desk: every figure against plain SQL, every decision entered once, nothing by who may only look."""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from analyzer.judge.rulings import WHOLE
from analyzer.locale import LANGUAGES, translate
from analyzer.reports.cases import CLOSED_EARLIER
from analyzer.reports.money import NBSP, format_signed
from analyzer.store.database import Database
from analyzer.store.journal import Journal
from analyzer.store.reader import open_reader
from dashboards import access, data, money
from dashboards.access import Visitor
from dashboards.data import Evening
from dashboards.money import Scope
from tests.browser.club import HOSTILE, MARKED
from tests.test_pages import opened, texts
from tests.test_rulings import CLUB, charged, possible, rule, take_in

PEOPLE = [
    {"id": "an", "name": MARKED},
    {"id": "binh", "name": HOSTILE},
    {"id": "chi", "name": "=Chi\u202e"},
    {"id": "dung", "name": "Dũng"},
]
NIGHT = Evening(CLUB, "session s")


@pytest.fixture(scope="module")
def stored_hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two disputed hands of one evening, of players with hostile names."""
    folder = tmp_path_factory.mktemp("stored")
    return take_in(folder, charged(players=PEOPLE), possible(hand_id="v-2", players=PEOPLE)).path


@pytest.fixture
def folder(stored_hands: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of them for one test to write into."""
    shutil.copytree(stored_hands, tmp_path / "db")
    monkeypatch.setenv("TIENLEN_DB", str(tmp_path / "db"))
    return tmp_path / "db"


@pytest.fixture(params=LANGUAGES)
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def desk(monkeypatch: pytest.MonkeyPatch, folder: Path, hand: str = "v-1", lang: str = "en") -> AppTest:
    return opened(monkeypatch, folder, "cases", lang, hand=hand, club=CLUB)


def key(app: AppTest, part: str, ends: str) -> str:
    """The key of the one field that is about a finding and so called."""
    kinds = (*app.text_input, *app.text_area, *app.button, *app.selectbox, *app.segmented_control)
    (found,) = {str(one.key) for one in kinds if part in str(one.key) and str(one.key).endswith(ends)}
    return found


def decide(app: AppTest, finding: str, outcome: str, reason: str = "") -> AppTest:
    """Chooses an outcome for a finding and enters it."""
    part = f"-{finding}-"
    app.segmented_control(key=key(app, part, "-outcome")).set_value(outcome).run()
    app.text_input(key=key(app, part, "-reason")).set_value(reason)
    app.button(key=key(app, part, "-enter")).click().run()
    assert not app.exception, app.exception
    return app


def amount(value: Decimal | int, lang: str) -> str:
    return format_signed(value, "VND", lang).replace(NBSP, " ")


def nets(folder: Path, column: str = "net", hand: str | None = None) -> dict[str, Decimal]:
    """Plain SQL: what each player won or lost, in all or in one hand."""
    with open_reader(Database(folder)) as reader:
        rows = reader.rows(
            f"SELECT player_id, sum({column}) AS net FROM seats WHERE $hand IS NULL OR hand_id = $hand GROUP BY ALL",
            {"hand": hand},
        )
    return {row["player_id"]: row["net"] for row in rows}


def test_a_forfeit_is_dismissed_with_a_reason_and_the_money_follows(
    monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str
) -> None:
    app = desk(monkeypatch, folder, lang=lang)
    assert translate("not decided yet", lang) in texts(app)
    assert f"**{amount(-105_000, lang)}**" in texts(app)
    decide(app, "forfeit", "dismissed")
    assert Journal(Database(folder)).entries() == ()  # without a reason nothing is entered
    decide(app, "forfeit", "dismissed", reason="vì\u202e")
    assert "U+202E" in texts(app) and "\u202e" not in texts(app)
    decide(app, "forfeit", "dismissed", reason=f"{HOSTILE} =1+1")
    (entry,) = Journal(Database(folder)).entries()
    assert (entry.kind, entry.by, entry.data["outcome"]) == ("ruled", access.editor(), "dismissed")
    assert nets(folder, hand="v-1") == {"an": 105_000, "binh": -20_000, "chi": -20_000, "dung": -65_000}
    for net in nets(folder, hand="v-1").values():
        assert f"**{amount(net, lang)}**" in texts(app)
    was = translate("before the rulings {before}", lang).format(before=amount(-105_000, lang))
    assert was in texts(app)
    assert HOSTILE in texts(app)


def test_a_second_click_and_a_second_person_enter_nothing_twice(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    one, other = desk(monkeypatch, folder), desk(monkeypatch, folder)
    other.segmented_control(key=key(other, "-forfeit-", "-outcome")).set_value("dismissed").run()
    other.text_input(key=key(other, "-forfeit-", "-reason")).set_value("khác")
    decide(one, "forfeit", "upheld")
    other.button(key=key(other, "-forfeit-", "-enter")).click().run()
    assert [entry.data["outcome"] for entry in Journal(Database(folder)).entries()] == ["upheld"]
    assert "has decided this already (entry 1: upheld)" in texts(other)


def test_an_adjustment_goes_between_named_players(
    monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str
) -> None:
    app = desk(monkeypatch, folder, "v-2", lang)
    part = "-hand-"
    app.segmented_control(key=key(app, part, "-outcome")).set_value("adjusted").run()
    app.selectbox(key=key(app, part, "-0-from")).set_value("Dũng")
    app.selectbox(key=key(app, part, "-0-to")).set_value(HOSTILE)
    app.text_input(key=key(app, part, "-0-amount")).set_value("2.500" if lang == "vi" else "2,500")
    app.text_input(key=key(app, part, "-reason")).set_value("đánh chậm")
    app.button(key=key(app, part, "-enter")).click().run()
    assert not app.exception
    (entry,) = Journal(Database(folder)).entries()
    (moving,) = entry.data["moves"]
    assert (moving["from"], moving["to"], moving["amount"]) == ("dung", "binh", "2500")
    assert nets(folder, hand="v-2") == {"an": 60_000, "binh": -17_500, "chi": -20_000, "dung": -22_500}


def test_claims_closing_and_reopening(monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str) -> None:
    app = desk(monkeypatch, folder, lang=lang)
    app.text_input(key=key(app, "claim-", "-who")).set_value(HOSTILE)
    app.text_area(key=key(app, "claim-", "-text")).set_value("tôi không có *lá* nào")
    app.button(key=key(app, "claim-", "-enter")).click().run()
    assert f"{HOSTILE} " in texts(app)
    app.button(key=key(app, "turn-", "-close")).click().run()
    assert not [field for field in app.text_input if str(field.key).startswith("case-")]
    app.button(key=key(app, "turn-", "-reopen")).click().run()  # without a reason
    app.text_input(key=key(app, "turn-", "-reason")).set_value("xem lại")
    app.button(key=key(app, "turn-", "-reopen")).click().run()
    kinds = [entry.kind for entry in Journal(Database(folder)).entries()]
    assert kinds == ["case_claimed", "case_closed", "case_reopened"]
    assert [field for field in app.text_input if str(field.key).startswith("case-")]


def test_who_may_only_look_sees_the_case_and_decides_nothing(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    rule(Database(folder), "v-1", "dismissed")
    app = desk(monkeypatch, folder, "v-2")
    app.segmented_control(key=key(app, "-forfeit-", "-outcome")).set_value("upheld").run()
    looking = Visitor("khách", False, frozenset({CLUB}))
    monkeypatch.setattr(access, "visitor", lambda: looking)
    app.button(key=key(app, "-forfeit-", "-enter")).click().run()  # a page that was drawn before
    assert len(Journal(Database(folder)).entries()) == 1
    assert "not change it" in texts(app)
    seen = desk(monkeypatch, folder)
    assert "dismissed by Tổ (entry 1): vì sao" in texts(seen)
    assert not [field for field in (*seen.text_input, *seen.button) if "case-" in str(field.key)]
    monkeypatch.setattr(access, "visitor", lambda: looking._replace(clubs=frozenset({"other"})))
    assert "There is no hand" in texts(desk(monkeypatch, folder))


def test_the_desk_lists_what_is_open_flagged_and_closed(
    monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str
) -> None:
    def listed(state: str) -> list[str]:
        version = data.open_version()
        found = version.ask("cases", state=state, limit=25, offset=0)
        app = opened(monkeypatch, folder, "cases", lang, show=state)
        for row in found:
            assert data.title(row) in texts(app) or row["hand_id"] in texts(app)
        waiting = translate("No case is open. {n} flagged hands wait for a decision: see “{title}”.", lang)
        flagged = version.ask("cases", state="flagged", limit=25, offset=0)
        told = waiting.format(n=len(flagged), title=translate("Flagged", lang))
        if state != "open":
            told = translate("There is none.", lang)
        assert (told in texts(app)) == (not found)
        return [row["hand_id"] for row in found]

    assert (listed("open"), sorted(listed("flagged")), listed("closed")) == ([], ["v-1", "v-2"], [])
    rule(Database(folder), "v-1", "dismissed")
    assert (listed("open"), listed("flagged"), listed("closed")) == (["v-1"], ["v-2"], [])
    app = desk(monkeypatch, folder)
    app.button(key=key(app, "turn-", "-close")).click().run()
    assert (listed("open"), listed("flagged"), listed("closed")) == ([], ["v-2"], ["v-1"])


def test_a_case_closed_on_an_earlier_revision_is_told_so(
    monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str
) -> None:
    rule(Database(folder), "v-1", "dismissed")
    app = desk(monkeypatch, folder, lang=lang)
    app.button(key=key(app, "turn-", "-close")).click().run()
    told = translate(CLOSED_EARLIER, lang)
    assert told not in texts(app)
    take_in(folder.parent, charged(players=PEOPLE, hand_no=7, revision={"number": 2, "reason": "x"}))
    assert told in texts(desk(monkeypatch, folder, lang=lang))
    listed = texts(opened(monkeypatch, folder, "cases", lang, show="open"))
    assert told in listed
    assert translate("to be confirmed: {n}", lang).format(n=1) not in listed


def test_money_pages_show_the_amounts_after_rulings_and_those_before_them(
    monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str
) -> None:
    address = {"club": CLUB, "evening": NIGHT.evening}
    before = opened(monkeypatch, folder, "money", lang, **address)
    assert translate("Before the rulings", lang) not in [one.label for one in before.expander]
    rule(Database(folder), "v-1", "dismissed")
    rule(Database(folder), "v-2", "adjusted", (3, 0, Decimal("0.5")), about=WHOLE)
    app = opened(monkeypatch, folder, "money", lang, **address)
    for net in nets(folder).values():
        assert f"**{amount(net, lang)}**" in texts(app)
    assert translate("Before the rulings", lang) in [one.label for one in app.expander]
    assert amount(nets(folder, "judged_net")["binh"], lang) in texts(app)
    version = data.open_version()
    totals = {row["player_id"]: (row["net"], row["judged"]) for row in money.totals(version, NIGHT)}
    judged = nets(folder, "judged_net")
    assert totals == {player: (net, judged[player]) for player, net in nets(folder).items()}
    causes = money.causes(version, Scope(CLUB, NIGHT.evening))
    assert causes.group_by("player_id").agg(net=causes["net"].sum()).height == 4
    by_player: dict[str, Decimal] = {}
    for row in causes.iter_rows(named=True):
        by_player[row["player_id"]] = by_player.get(row["player_id"], Decimal(0)) + row["net"]
    assert by_player == nets(folder)
    lines = money.lines(version, Scope(CLUB, NIGHT.evening), "VND", "binh", "ruling")
    told = [line[lang] for line in money.lines_told(version, lines)]
    with open_reader(Database(folder)) as reader:
        rows = reader.rows("FROM transfers WHERE reason = 'ruling' AND 'binh' IN (from_player, to_player)")
    assert len(told) == len(rows) == 2
    assert all("1: " + translate("dismissed", lang) in line for line in told)
    days = opened(monkeypatch, folder, "money", lang, view="days", club=CLUB)
    assert translate("Before the rulings", lang) in [one.label for one in days.expander]


def test_the_money_page_warns_of_decisions_on_an_earlier_revision(
    monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str
) -> None:
    address = {"club": CLUB, "evening": NIGHT.evening}
    told = translate("{hand}: decisions to be confirmed again: {n}; the money does not count them.", lang)
    told = told.partition("{n}")[2]
    rule(Database(folder), "v-1", "dismissed")
    assert told not in texts(opened(monkeypatch, folder, "money", lang, **address))
    revised = charged(players=PEOPLE, hand_no=7, revision={"number": 2, "reason": "x"})
    take_in(folder.parent, revised)
    app = opened(monkeypatch, folder, "money", lang, **address)
    (warning,) = [one.value for one in app.warning if told in one.value.replace("\\", "")]
    assert "1" in warning and "7" in warning
    order = [str(getattr(one, "value", getattr(one, "label", ""))) for one in app.main]
    assert order.index(warning) < order.index(translate("This evening is not closed yet.", lang))
    (link,) = [
        one.proto for one in app.get("page_link")
        if one.proto.label.startswith(translate("Its case: {hand}", lang).partition("{")[0])
    ]  # fmt: skip
    assert "hand=v-1" in link.query_string
    rule(Database(folder), "v-1", "dismissed")
    assert told not in texts(opened(monkeypatch, folder, "money", lang, **address))


def test_the_replay_page_shows_the_settlement_after_the_rulings(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    version = data.open_version()
    hand = data.find_hand(version, "v-1", CLUB)
    assert hand is not None
    assert [net["value"] for net in data.view(version, hand)["net"]] == ["105000", "-105000", "0", "0"]
    rule(Database(folder), "v-1", "dismissed")
    shown = data.view(data.open_version(), hand)
    assert [net["value"] for net in shown["net"]] == ["105000", "-20000", "-20000", "-65000"]
    assert [line["reason"] for line in shown["transfers"]][-2:] == ["ruling", "ruling"]
    app = opened(monkeypatch, folder, "replay", "en", hand="v-1", club=CLUB)
    assert "the money below is that after the rulings" in texts(app)
