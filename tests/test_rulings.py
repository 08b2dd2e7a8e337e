"""Rulings: what a decision does to a hand's money, worked by hand; who may decide what; nothing lost."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from analyzer.judge.judging import Judgement
from analyzer.judge.rulings import (
    FORFEIT,
    WHOLE,
    About,
    Moved,
    NotRulable,
    Outcome,
    between,
    findings_of,
    moves_of,
    net_after,
)
from analyzer.store.database import Database
from analyzer.store.deciding import GREATEST, judged_hand, ruling_on
from analyzer.store.ingest import ingest
from analyzer.store.journal import Journal
from analyzer.store.reader import open_reader
from analyzer.store.restricted import open_restricted
from analyzer.store.rulings import (
    CLAIMED,
    CLOSED,
    KINDS,
    REOPENED,
    RULED,
    Claimed,
    Closed,
    Reopened,
    Ruled,
    cases,
    may_claim,
    may_close,
    may_reopen,
    may_rule,
)
from analyzer.store.stored import find_hands
from analyzer.store.treasury import Refused
from analyzer.store.verification import verify
from tests.hands import fill, judged, log, plays
from tests.test_cli import tienlen

RUN = "0 3S 4H 5S 6H 7S 8H 9S 10S JH QH KS"
CLUB = "clb"
ROOT = Path(__file__).parents[1]


def charged(**keys: Any) -> dict[str, Any]:
    """Bình pays for the table. An's run leaves everybody frozen; Bình let 10♥ go, with a king in hand.

    Frozen is two stakes of 10.000 đồng, so Bình pays 20.000 for himself and 20.000 for Chi; Dũng has the four
    twos left (5.000 + 5.000 + 10.000 + 10.000) and another four of a kind (15.000), so for him 65.000.
    """
    deal = fill(
        "3S 4H 5S 6H 7S 8H 9S 10S JH QH KS KH 10H",
        "3C 3D 4C 5C 5D 6C 7C 7D 8C 9C 9D KC KD",
        "3H 4S 4D 5H 6S 6D 7H 8S 8D 9H 10C 10D QS",
        "JS",
    )
    acts = plays("0 10H", "1", "2", "3", RUN, "1", "2", "3", "0 KH")
    return in_club(deal, acts, keys)


def possible(**keys: Any) -> dict[str, Any]:
    """Nobody wrote down what Bình, Chi and Dũng held: Bình may have had a block, so nothing is charged."""
    deal = [["3S", "4H", "5S", "6H", "7S", "8H", "9S", "10S", "JH", "QH", "KS", "KH", "2H"], None, None, None]
    return in_club(deal, plays("0 2H", "1", "2", "3", RUN, "1", "2", "3", "0 KH"), keys)


def in_club(deal: list[Any], acts: list[dict[str, Any]], keys: dict[str, Any]) -> dict[str, Any]:
    told = {"club_id": CLUB, "session_id": "s", "stake": 10_000, "currency": "VND", "hand_id": "v-1"}
    return log(acts, deal=deal, **{**told, **keys})


def forfeit_of(judgement: Judgement) -> About:
    assert judgement.forfeit is not None
    return About(FORFEIT, judgement.forfeit.event, judgement.forfeit.seat)


def dong(moves: tuple[Moved, ...]) -> list[tuple[int | None, int | None, int]]:
    """What moves, in đồng."""
    return [(from_, to, amount // 1000) for from_, to, amount in moves]


def after(judgement: Judgement, moves: tuple[Moved, ...]) -> list[int]:
    """What each seat ends with, in đồng."""
    return [amount // 1000 for amount in net_after(judgement.settlement.net, moves)]


# -- what a decision does to the money -------------------------------------------------------------


def test_a_dismissed_forfeit_leaves_the_frozen_their_own_debts() -> None:
    hand = judged(charged())
    assert after(hand, ()) == [105_000, -105_000, 0, 0]
    moves = moves_of(hand, forfeit_of(hand), "dismissed")
    assert dong(moves) == [(2, 1, 20_000), (3, 1, 65_000)]
    assert after(hand, moves) == [105_000, -20_000, -20_000, -65_000]


def test_an_upheld_forfeit_that_was_only_possible_is_charged() -> None:
    hand = judged(possible())
    assert hand.forfeit is not None and hand.forfeit.certainty == "possible"
    assert after(hand, ()) == [60_000, -20_000, -20_000, -20_000]
    moves = moves_of(hand, forfeit_of(hand), "upheld")
    assert dong(moves) == [(1, 2, 20_000), (1, 3, 20_000)]
    assert after(hand, moves) == [60_000, -60_000, 0, 0]


@pytest.mark.parametrize(("make", "outcome"), [(charged, "upheld"), (possible, "dismissed")])
def test_what_the_engine_settled_so_already_moves_nothing(make: Any, outcome: Outcome) -> None:
    hand = judged(make())
    assert moves_of(hand, forfeit_of(hand), outcome) == ()


def test_an_adjustment_moves_just_what_it_says_and_other_findings_move_nothing() -> None:
    hand = judged(charged())
    moves = moves_of(hand, WHOLE, "adjusted", [Moved(1, 0, 15_000_500), Moved(3, 2, 1)])
    assert net_after(hand.settlement.net, moves) == [120_000_500, -120_000_500, 1, -1]
    assert sum(net_after(hand.settlement.net, moves)) == 0
    missed = About("instant_win_missed", None, 3)  # the four twos of Dũng
    assert missed in findings_of(hand)
    assert moves_of(hand, missed, "upheld") == moves_of(hand, missed, "dismissed") == ()


@pytest.mark.parametrize(
    ("about", "outcome", "adjustments", "why"),
    [
        (About("does_not_beat", 4, 0), "upheld", [], "no such finding"),
        (About(FORFEIT, 1, 2), "upheld", [], "no such finding"),
        (WHOLE, "adjusted", [], "who pays whom"),
        (WHOLE, "adjusted", [Moved(0, 4, 1)], "one player of the hand to another"),
        (WHOLE, "adjusted", [Moved(None, 1, 1)], "one player of the hand to another"),
        (WHOLE, "adjusted", [Moved(1, 1, 1)], "one player of the hand to another"),
        (WHOLE, "adjusted", [Moved(0, 1, 0)], "above zero"),
        (WHOLE, "adjusted", [Moved(0, 1, -5)], "above zero"),
        (WHOLE, "dismissed", [Moved(0, 1, 5)], "Only an adjustment"),
    ],
)
def test_what_does_not_fit_the_hand_is_refused(
    about: About, outcome: Outcome, adjustments: list[Moved], why: str
) -> None:
    with pytest.raises(NotRulable, match=why):
        moves_of(judged(charged()), about, outcome, adjustments)


def test_a_difference_is_moved_exactly_and_what_is_left_is_the_banks() -> None:
    assert between([5, -5, 0], [5, -5, 0]) == ()
    assert between([0, 0, 0, 0], [-7, 3, 5, -1]) == (Moved(0, 1, 3), Moved(0, 2, 4), Moved(3, 2, 1))
    assert between([0, 0], [4, -1]) == (Moved(1, 0, 1), Moved(None, 0, 3))
    for now, then in (([3, -1, 4], [1, -5, 9]), ([0, 0, 0, 0], [10, -3, -3, -4])):
        assert net_after(now, between(now, then)) == then


# -- the journal -----------------------------------------------------------------------------------


def take_in(folder: Path, *logs: dict[str, Any]) -> Database:
    """The hands, in a database."""
    file = folder / f"{len(list(folder.iterdir()))}.ndjson"
    file.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in logs), "utf-8")
    report = ingest([file], folder / "db")
    assert report.accepted + report.superseded == len(logs), report
    return Database(folder / "db")


@pytest.fixture(scope="module")
def stored_hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand with a certain forfeit, and one with a possible one."""
    return take_in(tmp_path_factory.mktemp("stored"), charged(), possible(hand_id="v-2")).path


@pytest.fixture
def database(stored_hands: Path, tmp_path: Path) -> Database:
    """A copy of them for one test to write into."""
    return Database(shutil.copytree(stored_hands, tmp_path / "db"))


def made(
    database: Database,
    hand_id: str,
    outcome: Outcome,
    *adjustments: Any,
    about: About | None = None,
    club: str | None = None,
) -> Ruled:
    """A decision on a hand's forfeit (or something else), not entered yet."""
    with open_reader(database) as reader:
        (row,) = find_hands(reader, hand_id, club)
        found = judged_hand(reader, row)
        own = forfeit_of(found.judgement) if about is None else about
        return ruling_on(reader, found, own, outcome, "vì sao", adjustments)


def rule(database: Database, hand_id: str, outcome: Outcome, *adjustments: Any, **keys: Any) -> int:
    ruled = made(database, hand_id, outcome, *adjustments, **keys)
    return Journal(database).append(RULED, ruled.data(), "Tổ", may_rule(ruled)).number


def reopen(database: Database, hand_id: str) -> None:
    reopened = Reopened(club=CLUB, hand=hand_id, reason="xem lại")
    Journal(database).append(REOPENED, reopened.data(), "Tổ", may_reopen(reopened))


def nets(database: Database, hand_id: str) -> tuple[list[int], list[int]]:
    """What the seats of a hand end with, after the rulings and before them."""
    with open_reader(database) as reader:
        rows = reader.rows(
            "SELECT net, judged_net FROM seats WHERE hand_id = $hand ORDER BY seat", {"hand": hand_id}
        )
    return [int(row["net"]) for row in rows], [int(row["judged_net"]) for row in rows]


def test_every_sum_is_after_the_rulings_and_the_engines_stays_readable(database: Database) -> None:
    entry = rule(database, "v-1", "dismissed")
    rule(database, "v-2", "upheld")
    rule(database, "v-2", "adjusted", (2, 0, Decimal("0.5")), about=WHOLE)
    engine, ruled = [105_000, -105_000, 0, 0], [105_000, -20_000, -20_000, -65_000]
    assert nets(database, "v-1") == (ruled, engine)
    with open_reader(database) as reader:
        both = [
            Decimal(165_000) + Decimal("0.5"),
            Decimal(-80_000),
            Decimal(-20_000) - Decimal("0.5"),
            -65_000,
        ]
        players = {row["player_id"]: row["net"] for row in reader.rows("FROM players")}
        assert players == dict(zip(("an", "binh", "chi", "dung"), both, strict=True))
        transfers = reader.rows(
            "SELECT *, facts ->> '$.entry' AS entry FROM transfers WHERE reason = 'ruling' AND hand_id = 'v-1' "
            "ORDER BY number"
        )
        assert [(t["from_player"], t["to_player"], t["amount"], t["number"]) for t in transfers] == [
            ("chi", "binh", 20_000, 3),
            ("dung", "binh", 65_000, 4),
        ]
        assert {t["entry"] for t in transfers} == {str(entry)}
        assert {t["rule"] for t in transfers} == {"law.ruling"}
        apart = reader.rows(
            "SELECT hand_key, seat FROM (SELECT hand_key, seat, net FROM seats UNION ALL "
            "SELECT hand_key, to_seat, -amount FROM transfers UNION ALL "
            "SELECT hand_key, from_seat, amount FROM transfers) GROUP BY ALL HAVING sum(net) <> 0"
        )
        assert apart == []
        owed = {(row["from_player"], row["to_player"]): row["amount"] for row in reader.rows("FROM debts")}
        # v-1: Bình owes An 105.000, Chi and Dũng owe Bình 20.000 and 65.000. v-2: all three owe An 20.000,
        # Bình owes Chi and Dũng 20.000 each, and Chi owes An half a đồng more.
        assert owed == {
            ("binh", "an"): 125_000, ("dung", "binh"): 45_000, ("dung", "an"): 20_000,
            ("chi", "an"): Decimal("20000.5"),
        }  # fmt: skip


def test_a_decision_replaces_the_one_before_it_only_when_the_case_was_reopened(database: Database) -> None:
    first = rule(database, "v-1", "dismissed")
    with pytest.raises(Refused, match=f"Tổ has decided this already .entry {first}: dismissed"):
        rule(database, "v-1", "upheld")
    reopen(database, "v-1")
    assert nets(database, "v-1")[0] == [105_000, -20_000, -20_000, -65_000]
    rule(database, "v-1", "upheld")
    assert nets(database, "v-1")[0] == [105_000, -105_000, 0, 0]
    with open_reader(database) as reader:
        rulings = reader.rows("SELECT decision, stands FROM rulings ORDER BY entry")
    assert [(row["decision"], row["stands"]) for row in rulings] == [("dismissed", False), ("upheld", True)]


def test_a_closed_case_takes_nothing_until_it_is_reopened(database: Database) -> None:
    journal, closed = Journal(database), Closed(club=CLUB, hand="v-1")
    with pytest.raises(Refused, match="no case to close"):
        journal.append(CLOSED, closed.data(), "Tổ", may_close(closed))
    with pytest.raises(Refused, match="This case is open"):
        reopen(database, "v-1")
    sha = made(database, "v-1", "dismissed").content_sha256
    claimed = Claimed(club=CLUB, hand="v-1", content_sha256=sha, claimant="Bình", text="không chặn được")
    journal.append(CLAIMED, claimed.data(), "Tổ", may_claim(claimed))
    with pytest.raises(Refused, match="Bình has claimed this already"):
        journal.append(CLAIMED, claimed.data(), "Tổ", may_claim(claimed))
    number = journal.append(CLOSED, closed.data(), "Tổ", may_close(closed)).number
    for act in (
        lambda: rule(database, "v-1", "dismissed"),
        lambda: journal.append(CLAIMED, claimed.data(), "Tổ", may_claim(claimed)),
        lambda: journal.append(CLOSED, closed.data(), "Tổ", may_close(closed)),
    ):
        with pytest.raises(Refused, match=f"Tổ closed this case .entry {number}."):
            act()
    reopen(database, "v-1")
    rule(database, "v-1", "dismissed")
    (case,) = cases(journal.entries(*KINDS)).values()
    assert [type(step).__name__ for step in case.steps] == ["Claim", "Turned", "Turned", "Decision"]
    assert not case.closed


def test_a_ruling_counts_for_the_revision_that_was_ruled_on_and_no_other(
    tmp_path: Path, database: Database
) -> None:
    rule(database, "v-1", "dismissed")
    revised = charged(revision={"number": 2, "reason": "ghi nhầm"}, notes=None, hand_no=7)
    take_in(tmp_path, revised)
    assert nets(database, "v-1")[0] == [105_000, -105_000, 0, 0]
    with open_reader(database) as reader:
        (case,) = reader.rows("FROM cases")
        assert (case["decisions"], case["unconfirmed"]) == (0, 1)
        assert reader.rows("SELECT stands FROM rulings") == [{"stands": False}]
        assert reader.rows("FROM transfers WHERE reason = 'ruling'") == []
    rule(database, "v-1", "dismissed")
    assert nets(database, "v-1")[0] == [105_000, -20_000, -20_000, -65_000]
    with open_reader(database, "00000001") as reader:  # the version before: what was ruled then
        assert [int(row["net"]) for row in reader.rows("FROM seats WHERE hand_id = 'v-1' ORDER BY seat")] == [
            105_000, -20_000, -20_000, -65_000,
        ]  # fmt: skip


def test_a_decision_on_a_finding_that_is_gone_with_the_revision_is_not_to_be_confirmed(
    tmp_path: Path, database: Database
) -> None:
    rule(database, "v-1", "dismissed")
    rule(database, "v-1", "adjusted", (3, 0, Decimal(5_000)), about=WHOLE)
    closed = Closed(club=CLUB, hand="v-1")
    Journal(database).append(CLOSED, closed.data(), "Tổ", may_close(closed))

    def state() -> tuple[bool, int, bool]:
        with open_reader(database) as reader:
            (case,) = reader.rows("FROM cases")
        return case["closed"], case["unconfirmed"], case["closed_earlier"]

    assert state() == (True, 0, False)
    mended = charged()
    mended["events"] = mended["events"][:4]  # nobody pays for the table any more
    take_in(tmp_path, {**mended, "revision": {"number": 2, "reason": "ghi nhầm"}})
    assert state() == (True, 1, True)
    shown = tienlen("rule", "show", "v-1", "--db", str(database.path), "--lang", "en").stdout
    assert "closed, on an earlier revision: open it again to decide anew" in shown
    assert "counts no money: decided on another revision: pays for the table" in shown
    assert "That is not there any more: decide anew what is." in shown
    reopen(database, "v-1")
    rule(database, "v-1", "adjusted", (3, 0, Decimal(5_000)), about=WHOLE)
    assert state() == (False, 0, False)
    Journal(database).append(CLOSED, closed.data(), "Tổ", may_close(closed))
    assert state() == (True, 0, False)


def test_amounts_that_no_column_holds_are_refused(database: Database) -> None:
    for amount in (Decimal(GREATEST) + 1, Decimal("0.0001")):
        with pytest.raises(NotRulable, match="at most three decimals"):
            made(database, "v-1", "adjusted", (0, 1, amount), about=WHOLE)
    with pytest.raises(Refused, match="The reason has 501 characters; at most 500 are kept"):
        Reopened(club=CLUB, hand="v-1", reason="x" * 501).data()


def test_a_database_without_rulings_is_read_as_before(database: Database) -> None:
    with open_reader(database) as reader:
        views = reader.rows("SELECT sql FROM duckdb_views() WHERE NOT internal")
        assert not [view for view in views if "ruled." in view["sql"]]


# -- files and sheets ------------------------------------------------------------------------------


def test_an_evenings_files_have_the_money_after_rulings_and_each_ruling(
    tmp_path: Path, database: Database
) -> None:
    from analyzer.evening_files import export_evening

    entry = rule(database, "v-1", "dismissed")

    def rows(sheet: str) -> list[dict[str, str]]:
        path = tmp_path / f"{sheet}.csv"
        export_evening(database.path, "s", path, None, sheet, True, "en")
        return list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))

    totals = {row["Player's id"]: row for row in rows("totals")}
    assert [
        (row["Won or lost"], row["Won or lost before the rulings"], row["By rulings"])
        for row in (totals[player] for player in ("an", "binh", "chi", "dung"))
    ] == [
        ("165000", "165000", "0"),
        ("-40000", "-125000", "85000"),
        ("-40000", "-20000", "-20000"),
        ("-85000", "-20000", "-65000"),
    ]
    hands = [row for row in rows("hands") if row["Hand's id"] == "v-1"]
    assert [(row["Won or lost"], row["Won or lost before the rulings"]) for row in hands] == [
        ("105000", "105000"), ("-20000", "-105000"), ("-20000", "0"), ("-65000", "0"),
    ]  # fmt: skip
    (ruling,) = rows("rulings")
    assert (ruling["Entry of the journal"], ruling["Finding"], ruling["Decision"]) == (
        str(entry), "pays for the table", "dismissed",
    )  # fmt: skip
    assert (ruling["Reason"], ruling["Counts"], ruling["Money moved"]) == ("vì sao", "yes", "85000")
    page = tmp_path / "s.html"
    export_evening(database.path, "s", page, None, "totals", True, "en")
    assert Journal(database).head() in page.read_text("utf-8")
    assert "Before the rulings" in page.read_text("utf-8")
    rule(database, "v-1", "dismissed", about=About("instant_win_missed", None, 3))
    assert [row["Finding"] for row in rows("rulings")] == ["pays for the table", "an instant win not claimed"]
    export_evening(database.path, "s", page, None, "totals", True, "en")
    assert "an instant win not claimed" in page.read_text("utf-8")
    assert "instant_win_missed" not in page.read_text("utf-8")


def test_no_reason_or_name_is_a_formula_in_a_file(tmp_path: Path, database: Database) -> None:
    from analyzer.evening_files import export_evening

    ruled = made(database, "v-1", "dismissed")
    hostile = ruled.data() | {"reason": '=HYPERLINK("x")\u202e'}  # as earlier programs took it
    Journal(database).append(RULED, hostile, "@Tổ")
    path = tmp_path / "r.csv"
    export_evening(database.path, "s", path, None, "rulings", True, "en")
    (row,) = csv.DictReader(path.read_text("utf-8-sig").splitlines())
    assert (row["Entered by"], row["Reason"]) == ("'@Tổ", '\'=HYPERLINK("x")�')
    page = tmp_path / "r.html"
    export_evening(database.path, "s", page, None, "totals", True, "en")
    assert "=HYPERLINK(&quot;x&quot;)�" in page.read_text("utf-8")


def test_who_sees_one_club_sees_its_rulings_alone(tmp_path: Path, database: Database) -> None:
    take_in(tmp_path, charged(club_id="khác"))
    rule(database, "v-1", "dismissed", club="clb")
    rule(database, "v-1", "dismissed", club="khác")
    for clubs, count in ((None, 2), (frozenset({"clb"}), 1), (frozenset({"nowhere"}), 0)):
        with open_restricted(database, database.current(), clubs) as reader:
            assert len(reader.rows("FROM rulings")) == len(reader.rows("FROM cases")) == count
            assert len(reader.rows("FROM transfers WHERE reason = 'ruling'")) == 2 * count
            changed = reader.rows("FROM seats WHERE net <> judged_net")
            assert len(changed) == 3 * count


def test_the_replay_file_has_the_settlement_after_the_rulings_and_without_names_no_reason(
    tmp_path: Path, database: Database
) -> None:
    rule(database, "v-1", "dismissed")
    for how in ((), ("--anonymise",)):
        path = tmp_path / f"van{len(how)}.html"
        done = tienlen("export", "hand", "v-1", "-o", str(path), "--db", str(database.path), *how)
        assert done.returncode == 0, done
        text = path.read_text("utf-8")
        assert "ruling 1: dismissed" in text and '"value":"-65000"' in text
        assert "vì sao" not in text and "Tổ" not in text


# -- the command -----------------------------------------------------------------------------------


def test_rule_as_a_command(database: Database) -> None:
    at = ("--db", str(database.path))
    shown = tienlen("rule", "show", "v-2", *at)
    assert shown.returncode == 1 and "not decided yet" in shown.stdout
    done = tienlen("rule", "claim", "v-2", "--who", "Tư", "--text", "Bình có 2♠", "--by", "Tổ", *at)
    assert done.returncode == 0 and "Tư claims: Bình có 2♠ (entered by Tổ)" in done.stdout
    done = tienlen("rule", "uphold", "v-2", "--finding", "forfeit", "--by", "Tổ", *at)
    assert done.returncode == 0 and "binh: −60,000\u00a0₫ (before the rulings −20,000\u00a0₫)" in done.stdout
    again = tienlen("rule", "dismiss", "v-2", "--finding", "forfeit", "--reason", "x", *at)
    assert again.returncode == 2 and "Tổ has decided this already (entry 2: upheld)" in again.stderr
    pays = ("--from", "chi", "--to", "an", "--amount", "2,500", "--reason", "chậm")
    done = tienlen("rule", "adjust", "v-2", *pays, *pays, *at)
    assert done.returncode == 0 and "chi: −5,000\u00a0₫ (before the rulings −20,000\u00a0₫)" in done.stdout
    assert tienlen("rule", "close", "v-2", *at).returncode == 0
    assert tienlen("rule", "show", "v-2", *at).returncode == 0
    assert "closed this case" in tienlen("rule", "close", "v-2", *at).stderr
    done = tienlen("rule", "reopen", "v-2", "--reason", "xem lại", *at, lang="vi")
    assert done.returncode == 0
    assert nets(database, "v-2")[0] == [65_000, -60_000, -5_000, 0]
    kinds = [entry.kind for entry in Journal(database).entries()]
    assert kinds == ["case_claimed", "ruled", "ruled", "case_closed", "case_reopened"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("show", "none"), "There is no hand 'none'"),
        (("uphold", "v-1", "--finding", "x@1"), "It has: forfeit, instant_win_missed, hand"),
        (("dismiss", "v-1", "--finding", "forfeit"), "Missing option '--reason'"),
        (("dismiss", "v-1", "--finding", "forfeit", "--reason", " "), "Say why"),
        (("dismiss", "v-1", "--finding", "forfeit", "--reason", "x" * 501), "The reason has 501 characters; at most 500 are kept."),
        (("dismiss", "v-1", "--finding", "forfeit", "--reason", "\u200b"), "The reason has a character that nobody sees: U+200B at position 1."),
        (("reopen", "v-1", "--reason", " "), "The reason is empty."),
        (("close", "v-1", "--reason", "xong\u2060"), "U+2060 at position 5"),
        (("claim", "v-1", "--who", "Tư", "--text", "\u3164"), "The claim has a character that nobody sees: U+3164 at position 1."),
        (("claim", "v-1", "--who", "Tư", "--text", "tôi có 2\u202e♠"), "The claim has a character that nobody sees: U+202E at position 9."),
        (("claim", "v-1", "--who", "Tư", "--text", "x" * 501), "The claim has 501 characters; at most 500 are kept."),
        (("claim", "v-1", "--who", " ", "--text", "x"), "The name of who claims it is empty."),
        (("claim", "v-1", "--who", "x" * 101, "--text", "x"), "The name of who claims it has 101 characters"),
        (("adjust", "v-1", "--from", "an", "--to", "an", "--amount", "5", "--reason", "x"), "from one player"),
        (("adjust", "v-1", "--from", "\x1b[2J", "--to", "an", "--amount", "5", "--reason", "x"), "is not one player"),
        (("adjust", "v-1", "--from", "chi", "--to", "an", "--amount", "5.000", "--reason", "x"), "two ways. Write “5” or “5,000”"),
        (("adjust", "v-1", "--from", "chi", "--to", "an", "--amount", "x", "--reason", "x"), "is not clear"),
        (("adjust", "v-1", "--from", "chi", "--to", "an", "--reason", "x"), "Missing option '--amount'"),
        (("close", "v-1", "--by", ""), "The name of who enters it is empty."),
        (("close", "v-1", "--by", "Tổ\u200b"), "U+200B at position 3"),
    ],
)  # fmt: skip
def test_a_call_that_is_wrong_says_why_and_enters_nothing(
    database: Database, words: tuple[str, ...], why: str
) -> None:
    done = tienlen("rule", *words, "--db", str(database.path))
    assert done.returncode == 2 and why in done.stderr and "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    assert Journal(database).entries() == ()


NAMED = [
    {"id": "a-1", "name": "Ân"},
    {"id": "chi", "name": "Bình"},
    {"id": "c-1", "name": "Chi"},
    {"id": "d-1", "name": "Ẩn"},
]


@pytest.mark.parametrize(
    ("who", "seat"),
    [("binh", 1), ("BÌNH", 1), ("Bi\u0300nh", 1), ("bi", 1), ("chi", 1), ("Chi", 2), ("c-1", 2), ("ẩn", 3), ("Ân", 0)],
)  # fmt: skip
def test_a_player_is_named_as_people_type_names_and_ids_win(tmp_path: Path, who: str, seat: int) -> None:
    database = take_in(tmp_path, charged(players=NAMED))
    to = "d-1" if seat != 3 else "a-1"
    pays = ("--from", who, "--to", to, "--amount", "20k", "--reason", "chậm")
    done = tienlen("rule", "adjust", "v-1", *pays, "--db", str(database.path))
    assert done.returncode == 0, done.stderr
    (entry,) = Journal(database).entries()
    (move,) = entry.data["moves"]
    assert (move["from"], move["to"], move["amount"]) == (NAMED[seat]["id"], to, "20000")


@pytest.mark.parametrize(("who", "known"), [("an", "Ân (a-1), Ẩn (d-1)"), ("ANF", "Ân (a-1), Ẩn (d-1)")])
def test_a_name_that_fits_several_is_asked_about(tmp_path: Path, who: str, known: str) -> None:
    database = take_in(tmp_path, charged(players=NAMED))
    pays = ("adjust", "v-1", "--from", who, "--to", "chi", "--amount", "20k", "--reason", "chậm")
    for words in (pays, ("claim", "v-1", "--who", who, "--text", "x")):
        done = tienlen("rule", *words, "--db", str(database.path))
        assert done.returncode == 2
        assert (
            f"may be any of these players: {known}. Write the name as it stands here, or the id."
            in done.stderr
        )
    assert Journal(database).entries() == ()


HOA = [
    {"id": "hoa", "name": "Hoa"},
    {"id": "hoa-2", "name": "Hoà"},
    {"id": "an", "name": "An"},
    {"id": "an-4", "name": "An"},
]


@pytest.mark.parametrize(
    ("who", "seat"), [("Hoa", 0), ("Hoà", 1), ("HOÀ", 1), ("hoa-2", 1), ("an", 2), ("an-4", 3)]
)
def test_a_name_as_it_stands_or_the_id_of_one_of_namesakes_means_one(
    tmp_path: Path, who: str, seat: int
) -> None:
    database = take_in(tmp_path, charged(players=HOA))
    pays = ("--from", who, "--to", "hoa-2" if seat != 1 else "Hoa", "--amount", "20k", "--reason", "chậm")
    done = tienlen("rule", "adjust", "v-1", *pays, "--db", str(database.path))
    assert done.returncode == 0, done.stderr
    (entry,) = Journal(database).entries()
    assert entry.data["moves"][0]["from"] == HOA[seat]["id"]


@pytest.mark.parametrize("who", ["hoa", "hoa-2"])
def test_an_id_tells_namesakes_apart_whose_names_are_spelt_in_two_ways(tmp_path: Path, who: str) -> None:
    seated = [{"id": "hoa", "name": "Hoà"}, {"id": "hoa-2", "name": "Hoa\u0300"}, *HOA[2:]]
    database = take_in(tmp_path, charged(players=seated))
    pays = ("--from", who, "--to", "an", "--amount", "20k", "--reason", "chậm")
    done = tienlen("rule", "adjust", "v-1", *pays, "--db", str(database.path))
    assert done.returncode == 0, done.stderr
    (entry,) = Journal(database).entries()
    assert entry.data["moves"][0]["from"] == who


@pytest.mark.parametrize(
    ("who", "known"), [("hoa", "Hoa (hoa), Hoà (hoa-2)"), ("HOA", "Hoa (hoa), Hoà (hoa-2)"), ("An", "An (an), An (an-4)")]
)  # fmt: skip
def test_an_id_made_of_a_name_is_no_other_name(tmp_path: Path, who: str, known: str) -> None:
    database = take_in(tmp_path, charged(players=HOA))
    pays = ("--from", who, "--to", "Hoà", "--amount", "20k", "--reason", "chậm")
    done = tienlen("rule", "adjust", "v-1", *pays, "--db", str(database.path))
    assert done.returncode == 2 and f"may be any of these players: {known}" in done.stderr
    assert Journal(database).entries() == ()


@pytest.mark.parametrize(
    ("who", "kept"), [("binh", "Bình"), ("c-1", "Chi"), ("Bi", "Bi"), ("khách", "khách"), ("nguoi xem", "nguoi xem")]
)  # fmt: skip
def test_a_claim_keeps_a_players_own_name_and_anybody_elses_as_given(
    tmp_path: Path, who: str, kept: str
) -> None:
    database = take_in(tmp_path, charged(players=NAMED))
    done = tienlen("rule", "claim", "v-1", "--who", who, "--text", "dòng\nhai", "--db", str(database.path))
    assert done.returncode == 0, done.stderr
    (entry,) = Journal(database).entries()
    assert (entry.data["claimant"], entry.data["text"]) == (kept, "dòng\nhai")
    assert f"{kept} claims: dòng hai" in done.stdout


def test_what_cannot_be_kept_is_told_in_vietnamese_too(database: Database) -> None:
    words = ("reopen", "v-1", "--reason", "x" * 501)
    done = tienlen("rule", *words, "--db", str(database.path), lang="vi")
    assert "Lý do có 501 ký tự; chỉ giữ được nhiều nhất 500." in done.stderr


# -- at once, and killed ---------------------------------------------------------------------------

RULING = (
    "import sys\n"
    "sys.path.append('.')\n"
    "from analyzer.store.database import Database\n"
    "from analyzer.store.treasury import Refused\n"
    "from tests.test_rulings import reopen, rule\n"
    "print('go', flush=True)\n"
    "for number in range(int(sys.argv[2])):\n"
    "    try:\n"
    "        print(rule(Database(sys.argv[1]), sys.argv[3], sys.argv[4]), flush=True)\n"
    "    except Refused:\n"
    "        print('refused', flush=True)\n"
    "    if sys.argv[5:]:\n"
    "        reopen(Database(sys.argv[1]), sys.argv[3])\n"
)


def ruling(database: Database, count: int, hand_id: str, outcome: str, *again: str) -> subprocess.Popen[str]:
    """A process that rules on a hand so often; with ``again`` it reopens the case each time."""
    words = [sys.executable, "-c", RULING, str(database.path), str(count), hand_id, outcome, *again]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == "go\n"
    return process


def test_of_two_rulings_at_once_one_is_entered_and_the_other_told(database: Database) -> None:
    both = [ruling(database, 1, "v-1", outcome) for outcome in ("upheld", "dismissed")]
    told = sorted(process.communicate(timeout=120)[0].strip() for process in both)
    assert told == ["1", "refused"]
    (entry,) = Journal(database).entries(RULED)
    engine, dismissed = [105_000, -105_000, 0, 0], [105_000, -20_000, -20_000, -65_000]
    assert nets(database, "v-1") == (engine if entry.data["outcome"] == "upheld" else dismissed, engine)


def test_rulings_on_two_hands_at_once_are_all_kept(database: Database) -> None:
    both = [ruling(database, 4, hand, "upheld", "again") for hand in ("v-1", "v-2")]
    told = [process.communicate(timeout=120)[0].split() for process in both]
    assert not [process for process in both if process.returncode]
    entries = Journal(database).entries()
    assert [entry.number for entry in entries] == list(range(1, 17))
    for hand, numbers in zip(("v-1", "v-2"), told, strict=True):
        assert [entry.number for entry in entries if entry.kind == RULED and entry.data["hand"] == hand] == [
            int(number) for number in numbers
        ]


def test_rulings_made_while_an_ingest_publishes_are_kept_and_count(
    tmp_path: Path, database: Database
) -> None:
    process = ruling(database, 6, "v-1", "dismissed", "again")
    versions = set()
    for number in range(6):
        take_in(tmp_path, charged(hand_id=f"neu-{number}", hand_no=number + 10))
        versions.add(database.current())
        assert nets(database, "v-1")[0] in ([105_000, -105_000, 0, 0], [105_000, -20_000, -20_000, -65_000])
    told = process.communicate(timeout=120)[0].split()
    assert process.returncode == 0 and len(versions) == 6
    assert [entry.number for entry in Journal(database).entries(RULED)] == [int(number) for number in told]
    assert nets(database, "v-1")[0] == [105_000, -20_000, -20_000, -65_000]
    assert verify(database, judge=True).faults == []


def test_a_kill_in_the_midst_of_a_ruling_leaves_it_whole_or_not_there(database: Database) -> None:
    for delay in (0.0, 0.02, 0.05, 0.1, 0.2):
        before = len(Journal(database).entries(RULED))
        process = ruling(database, 10_000, "v-1", "dismissed", "again")
        assert process.stdout is not None
        told = [process.stdout.readline()]
        time.sleep(delay)
        process.kill()
        told += process.communicate()[0].splitlines()
        numbers = [int(line) for line in told if line.strip().isdecimal()]
        entries = Journal(database).entries(RULED)
        assert set(numbers) <= {entry.number for entry in entries}
        assert before + len(numbers) <= len(entries) <= before + len(numbers) + 1
        assert nets(database, "v-1")[0] == [105_000, -20_000, -20_000, -65_000]
        assert verify(database).faults == []
        (case,) = cases(Journal(database).entries(*KINDS)).values()
        if case.decisions and case.decisions[-1].number > case.reopened:
            reopen(database, "v-1")
