"""Soft play: what counts as a turn, and that only what chance does not explain stands out."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from analyzer.store import queries
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.reader import Reader, open_reader
from dashboards.soft_play import ENOUGH, LEVEL, compare_pairs, corrected, interval
from tests.hands import Log, fill, log, plays, raw

SAMPLE = Path(__file__).parents[1] / "sample_logs" / "clb-mau-2026-11-28.ndjson"


def stored(folder: Path, *logs: Log) -> Reader:
    path = folder / "a.ndjson"
    path.write_bytes(b"\n".join(map(raw, logs)))
    ingest([path], folder / "db")
    return open_reader(Database(folder / "db"))


def turns(reader: Reader, first: int = 0, last: int = 10**9) -> dict[tuple[str, str], tuple[int, int]]:
    """(player, owner of the top) → turns, and of them let stand."""
    found: defaultdict[tuple[str, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for row in queries.run(reader, "turns", first=first, last=last).iter_rows(named=True):
        one, two = found[row["player_id"], row["owner_id"]]
        found[row["player_id"], row["owner_id"]] = one + row["turns"], two + row["let_stand"]
    return dict(found)


# -- turns ---------------------------------------------------------------------------------------


def test_turns_of_a_sample_hand_are_those_counted_by_hand(tmp_path: Path) -> None:
    # Hand 19: Sơn (2) leads, Lan (3) beats him (a turn), Hà (0) passes though she could beat Lan (a turn,
    # let stand), Khoa (1) passes with nothing, Sơn beats Lan (a turn), Lan passes with nothing; then Sơn
    # leads twice and nobody can beat him.
    ingest([SAMPLE], tmp_path / "db")
    with open_reader(Database(tmp_path / "db")) as reader:
        seats = reader.rows(
            "SELECT hand_key, list(player_id ORDER BY seat) AS ids FROM seats JOIN hands USING (hand_key) "
            "WHERE hand_no = 19 GROUP BY ALL"
        )
        (key, (zero, one, two, three)) = (seats[0]["hand_key"], seats[0]["ids"])
        found = turns(reader, key, key)
    assert found == {(three, two): (1, 0), (zero, three): (1, 1), (two, three): (1, 0)}
    assert one not in {player for player, _ in found}


def test_turns_are_those_a_walk_through_the_events_finds(tmp_path: Path) -> None:
    logs = [*simulate(40, 5, preset("mien-nam"), faults=0.4), *simulate(40, 6, preset("mien-bac"), players=3)]
    with stored(tmp_path, *({**made, "hand_id": f"h{n}"} for n, made in enumerate(logs))) as reader:
        found = turns(reader)
        missed = {(row["hand_key"], row["event"]) for row in reader.rows("FROM missed_blocks")}
        expected: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
        for hand in reader.rows("SELECT hand_key, disputed_from FROM hands"):
            key = hand["hand_key"]
            events = reader.rows("FROM events WHERE hand_key = $key ORDER BY event", {"key": key})
            if any(event["type"] == "take_back" for event in events):
                continue
            ids = [
                row["player_id"] for row in reader.rows(f"FROM seats WHERE hand_key = {key} ORDER BY seat")
            ]
            top: tuple[int, int] | None = None
            for event in events[: hand["disputed_from"]]:
                let = (key, event["event"]) in missed
                beats = event["type"] == "play" and top is not None and top[1] == event["trick"]
                if top is not None and top[0] != event["seat"] and (let or beats):
                    entry = expected[ids[event["seat"]], ids[top[0]]]
                    entry[0] += 1
                    entry[1] += let
                if event["type"] == "play":
                    top = event["seat"], event["trick"]
    assert sum(n for n, _ in found.values()) > 500
    assert found == {pair: tuple(entry) for pair, entry in expected.items()}


def test_a_hand_in_which_unknown_cards_leave_a_pass_open_is_left_out(tmp_path: Path) -> None:
    holdings = fill("5S 5D 6S 6D", "8S 9S")
    acts = plays("0 5S", "1 8S", "0", "1 9S", "0")
    known = log(acts, hand_id="known", deal=holdings, seats=2)
    unknown = log(acts, hand_id="unknown", deal=[None, holdings[1]], seats=2)
    with stored(tmp_path, known, unknown) as reader:
        keys = {row["hand_id"]: row["hand_key"] for row in reader.rows("FROM hands")}
        assert reader.rows("FROM missed_blocks WHERE certainty <> 'certain'")
        assert turns(reader, keys["known"], keys["known"])["binh", "an"] == (1, 0)
        assert turns(reader, keys["unknown"], keys["unknown"]) == {}


# -- chance --------------------------------------------------------------------------------------


def test_interval_is_wilsons() -> None:
    assert interval(0.5, 100) == pytest.approx((0.40383, 0.59617), abs=1e-5)
    assert interval(0.0, 10) == pytest.approx((0.0, 0.27753), abs=1e-5)
    assert interval(1.0, 10) == pytest.approx((0.72247, 1.0), abs=1e-5)


def test_correction_is_holms() -> None:
    assert corrected([]) == []
    assert corrected([0.01, 0.02, 0.04]) == pytest.approx([0.03, 0.04, 0.04])
    assert corrected([0.5, 0.6]) == [1.0, 1.0]


def played(
    seed: int, hands: int, spared: tuple[int, int] | None, *, moods: bool = False, seated: bool = False
) -> pl.DataFrame:
    """Turns of eight players at tables of four. A player lets every third stand; ``spared`` is a pair of
    whom the first lets two of three stand. ``moods``: in a hand all of a pair's turns go the same way.
    ``seated``: who sits right after the owner seldom passes, and neighbours stay neighbours.
    """
    return pl.DataFrame(list(_rows(random.Random(seed), hands, spared, moods, seated)))


def _rows(
    dice: random.Random, hands: int, spared: tuple[int, int] | None, moods: bool, seated: bool
) -> Iterator[dict[str, object]]:
    for _ in range(hands):
        table = dice.sample(range(8), 4)
        if seated:
            start = dice.randrange(8)
            table = [(start + seat) % 8 for seat in range(4)]
        for seat, player in enumerate(table):
            for distance in (1, 2, 3):
                owner = table[seat - distance]
                rate = 0.1 + 0.2 * distance if seated else 1 / 3
                if (player, owner) == spared:
                    rate = 2 / 3
                all_ = dice.randrange(1, 5)
                let = (
                    all_ * (dice.random() < rate) if moods else sum(dice.random() < rate for _ in range(all_))
                )
                yield {
                    "club_id": "c", "player_id": str(player), "owner_id": str(owner), "rules_id": "r",
                    "players": 4, "distance": distance, "turns": all_, "let_stand": let,
                    "turns_turns": all_ * all_, "turns_let": all_ * let, "let_let": let * let,
                }  # fmt: skip


@pytest.mark.parametrize("habits", [{}, {"moods": True}, {"seated": True}], ids=str)
def test_nobody_stands_out_where_nobody_is_spared(habits: dict[str, bool]) -> None:
    named = 0
    for seed in range(60):
        found = compare_pairs(played(seed, 150, None, **habits))
        named += not found.filter(pl.col("chance") < LEVEL).is_empty()
    assert named <= 6  # three are to be expected


@pytest.mark.parametrize("habits", [{}, {"moods": True}], ids=str)
def test_who_spares_one_player_stands_out_alone(habits: dict[str, bool]) -> None:
    counts = played(1, 600, (2, 5), **habits)
    found = compare_pairs(counts)
    first = found.row(0, named=True)
    assert found.filter(pl.col("chance") < LEVEL).select("player_id", "owner_id").rows() == [("2", "5")]
    mine = counts.filter(pl.col("player_id") == "2", pl.col("owner_id") == "5")
    assert (first["turns"], first["let_stand"]) == (mine["turns"].sum(), mine["let_stand"].sum())
    assert first["low"] < first["share"] < first["high"]
    assert first["expected"] < first["low"]


def test_the_expected_share_is_that_against_the_others_in_the_same_situation() -> None:
    # Over b, c is beaten in 30 of 60 turns at distance 1; over a at distance 1 in 30 of 40 and, which is
    # another situation and does not count, at distance 2 in none of 50.
    def row(owner: str, distance: int, turns: int, let: int) -> dict[str, object]:
        return {
            "club_id": "c", "player_id": "c", "owner_id": owner, "rules_id": "r", "players": 3,
            "distance": distance, "turns": turns, "let_stand": let, "turns_turns": turns, "turns_let": let,
            "let_let": let,
        }  # fmt: skip

    found = compare_pairs(pl.DataFrame([row("b", 1, 60, 30), row("a", 1, 40, 10), row("a", 2, 50, 50)]))
    (pair,) = found.filter(pl.col("owner_id") == "b").iter_rows(named=True)
    assert (pair["turns"], pair["share"], pair["expected"]) == (60, 0.5, 0.25)


def test_a_pair_with_few_turns_is_not_compared() -> None:
    counts = played(3, 300, None).with_columns(
        pl.col("turns", "let_stand", "turns_turns", "turns_let", "let_let")
    )
    assert compare_pairs(counts)["turns"].min() >= ENOUGH  # type: ignore[operator]
    assert compare_pairs(counts.head(20)).is_empty()
    assert compare_pairs(counts.head(0)).is_empty()
