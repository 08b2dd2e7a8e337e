"""Between the hands of an evening, and one hand under several house rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.judge.between import SEVERITIES, check_evening, evenings, session_hand, totals_of
from analyzer.logs.reading import read
from analyzer.reports.comparison import compare, comparison_json, comparison_text, differences
from analyzer.reports.evening import session_json, session_text
from analyzer.rules.loading import preset, preset_ids, with_value
from tests.hands import Log, hand_of, judged, log, plays, raw
from tests.test_cli import CLEAN, put, tienlen


def hand(number: int, **keys: Any) -> Log:
    """CLEAN (seat 1 wins, 1,500) as hand ``number`` of one evening; its winner leads the next."""
    winner = {"reason": "won_previous", "seat": 1}
    return {**CLEAN, "hand_id": f"h{number}", "hand_no": number, "session_id": "toi", "lead": winner, **keys}


def told(*logs: Log) -> list[tuple[str, str]]:
    hands = [session_hand(judged(each), read(raw(each))[1]) for each in logs]
    return [(f.code, f.hand.hand_id) for evening in evenings(hands).values() for f in check_evening(evening)]


FIRST = {"reason": "won_previous", "seat": 0}


def test_an_evening_in_order_has_nothing_to_tell() -> None:
    assert told(hand(1, lead=FIRST), hand(2), hand(3)) == []
    assert told(hand(2), hand(1, lead=FIRST)) == []


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ({"lead": {"reason": "won_previous", "seat": 0}}, ["session_wrong_lead"]),
        ({"lead": {"reason": "forfeited_previous", "seat": 1}}, ["session_wrong_lead"]),
        ({"lead": {"reason": "opening"}}, ["session_wrong_lead"]),
        ({"lead": {"reason": "agreed", "seat": 0}}, []),
        ({"lead": None}, []),
        ({"hand_no": 4, "lead": FIRST}, ["session_gap"]),
        ({"rules": "mien-bac"}, ["session_rules_changed", "player_bust"]),
        ({"players": CLEAN["players"][::-1], "lead": FIRST}, ["session_players_changed"]),
        ({"players": [{"id": "an"}, {"id": "em"}], "lead": FIRST}, ["session_players_changed"]),
        ({"session_id": "another", "lead": {"reason": "opening"}}, []),
    ],
)
def test_what_is_found_between_two_hands(second: Log, expected: list[str]) -> None:
    later = {key: value for key, value in hand(2, **second).items() if value is not None}
    assert told(hand(1, lead=FIRST), later) == [(code, "h2") for code in expected]


def test_who_led_is_followed_by_the_player_not_by_the_seat() -> None:
    moved = hand(2, players=CLEAN["players"][::-1], lead={"reason": "won_previous", "seat": 1})
    assert ("session_wrong_lead", "h2") in told(hand(1, lead=FIRST), moved)


def test_a_bust_player_is_told_once_where_the_house_has_that_rule() -> None:
    assert told(hand(1, lead=FIRST, rules="mien-bac"), hand(2, rules="mien-bac")) == [("player_bust", "h1")]
    assert told(hand(1, lead=FIRST), hand(2)) == []


def test_the_session_object_stands_after_the_verdicts(tmp_path: Path) -> None:
    path = put(tmp_path, "e.ndjson", hand(1, lead=FIRST), hand(2, lead=FIRST), hand(5))
    done = tienlen("replay", path, "--json", "--session")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["format"] for line in lines] == ["tienlen-verdict/1"] * 3 + ["tienlen-session/1"]
    session = lines[-1]
    assert [(f["code"], f["hand_id"], f["severity"]) for f in session["findings"]] == [
        ("session_wrong_lead", "h2", "error"),
        ("session_gap", "h5", "warning"),
    ]
    assert session["sessions"][0]["totals"] == [
        {"player": "an", "currency": "POINT", "net": -4500},
        {"player": "binh", "currency": "POINT", "net": 4500},
    ]
    assert done.returncode == 1
    assert "session_wrong_lead" in tienlen("replay", path, "--session").stdout
    unled = {key: value for key, value in hand(2).items() if key != "lead"}
    clean = put(tmp_path, "c.ndjson", hand(1, lead=FIRST), unled)
    assert tienlen("replay", clean, "--session", "--json").returncode == 0


def test_every_session_finding_speaks_both_languages() -> None:
    logs = [
        hand(1, lead=FIRST, rules="mien-bac"),
        hand(2, rules="mien-bac", lead={"reason": "opening"}),
        hand(9),
    ]
    hands = [session_hand(judged(each), read(raw(each))[1]) for each in logs]
    session = json.loads(session_json(hands))
    assert {f["code"] for f in session["findings"]} <= set(SEVERITIES)
    assert all("{" not in text for f in session["findings"] for text in f["message"].values())
    assert session_text(hands, "vi", {}) != session_text(hands, "en", {})
    assert sum(totals_of(hands).values()) == 0


@pytest.mark.parametrize(("lang", "hand_word"), [("en", "hand"), ("vi", "ván")])
def test_a_hand_of_an_evening_is_called_by_its_number(lang: str, hand_word: str) -> None:
    logs = [hand(1, lead=FIRST), hand(4, lead=FIRST), hand(5, hand_no=None, lead=FIRST)]
    logs = [{key: value for key, value in one.items() if value is not None} for one in logs]
    text = session_text([session_hand(judged(each), read(raw(each))[1]) for each in logs], lang, {})
    assert f" ! {hand_word} 4 (h4): session_gap: " in text
    assert f" ✗ {hand_word} 1 (h1): session_wrong_lead: " in text


def test_players_of_an_evening_are_told_by_name_namesakes_with_their_id() -> None:
    one = {**hand(1, lead=FIRST), "club_id": "c"}
    first, second = (player["id"] for player in one["players"][:2])
    found = [session_hand(judged(one), read(raw(one))[1])]
    assert f"  Lan ({first}): " in session_text(found, "en", {("c", first): "Lan", ("c", second): "Lan"})
    alone = session_text(found, "en", {("c", first): "Lan", ("d", second): "Lan"})
    assert "  Lan: " in alone
    assert f"  {second}: " in alone


# -- comparing -----------------------------------------------------------------------------------

CHOP = log(
    plays("0 2H", "1 8S 8C 8D 8H", "0", "1 3S"),
    seats=2,
    deal=[["2H", "3H"], ["3S", "3C", "8S", "8C", "8D", "8H"]],
)


def test_a_comparison_names_the_knobs_that_alone_change_the_verdict() -> None:
    found = compare(hand_of(CHOP), [preset("mien-nam"), preset("phong-cua")])
    acting = {knob.path: knob.changes for knob in found.knobs if knob.changes}
    assert acting["prices.two_hearts"] == ("chops", "transfers", "net")
    assert "frozen.stakes" not in acting
    assert "frozen.stakes" in {knob.path for knob in found.knobs}
    assert found.parts_at == 1
    assert [str(v.net[0]) for v in found.verdicts] == ["-1000", "-4000"]
    for lang, words in (("en", "Money side by side"), ("vi", "prices.two_hearts: 1 / 4")):
        assert words in comparison_text(found, lang)


def test_the_same_rules_differ_in_nothing() -> None:
    found = compare(hand_of(CHOP), [preset("mien-nam"), preset("mien-nam")])
    assert (found.differing, found.parts_at, found.knobs) == ((), None, ())


@pytest.mark.parametrize("id_", preset_ids())
def test_laying_every_difference_over_gives_the_other_rules(id_: str) -> None:
    rules, other = preset("mien-nam"), preset(id_)
    for path in differences(rules, other):
        rules = with_value(rules, path, other)
    assert rules.sha256 == other.sha256


def test_the_commands(tmp_path: Path) -> None:
    path = put(tmp_path, "c.ndjson", CHOP)
    done = tienlen(
        "compare", path, "--rules", "mien-nam", "--rules", "mien-bac", "--rules", "phong-cua", "--json"
    )
    line = json.loads(done.stdout)
    assert done.returncode == 1
    assert line["format"] == "tienlen-compare/1"
    assert [r["id"] for r in line["rules"]] == ["mien-nam", "mien-bac", "phong-cua"]
    assert json.loads(comparison_json(compare(hand_of(CHOP), [preset("mien-nam"), preset("mien-bac")])))[
        "net"
    ]
    assert tienlen("compare", path, "--rules", "mien-nam").returncode == 2
    told = tienlen("rules", "diff", "mien-nam", "mien-nam-lang").stdout
    assert (
        "prices.three_pairs" in told and "L55" in told and "L97" in told and "prices.two_hearts" not in told
    )
    told = tienlen("rules", "diff", "mien-nam", "binh-tri-thien").stdout
    assert "  binh-tri-thien: none\n      this rule set has no such row\n" in told
    assert "No difference." in tienlen("rules", "diff", "mien-nam", "mien-nam").stdout


def test_a_rule_file_with_a_value_that_means_nothing_is_warned_of(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text('id = "club"\nextends = "mien-bac"\n[forfeit]\nall_frozen = true\n')
    done = tienlen("rules", "check", str(file))
    assert done.returncode == 0
    assert "forfeit.all_frozen: nobody is ever frozen" in done.stderr
