"""A hand in the making: its steps, what may be done next, what is told of it, and what if."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from analyzer.judge.judging import judge
from analyzer.judge.replayed import Frame
from analyzer.locale import LANGUAGES
from analyzer.logs.carriers import Read, records, source_files
from analyzer.reports.account import make_account
from analyzer.reports.choices import TO_TAP, choices_of, next_choice
from analyzer.reports.drafting import (
    MAX_DRAFT,
    MAX_STEPS,
    DraftBroken,
    Drafted,
    cut,
    drafted,
    following,
    log_of,
    name_id,
    parse_draft,
    raw,
)
from analyzer.reports.entry import entry_page
from analyzer.reports.pasted import pasted
from analyzer.rules.house import house_of
from tests.browser.club import FORFEIT, RUN
from tests.hands import DEAL, Log, hand_of, judged, log, plays
from tests.hands import raw as record

SAMPLES = Path(__file__).parents[1] / "sample_logs"


def draft(base: Log, *steps: Log, **keys: Any) -> Drafted:
    """What a draft comes to that began as ``base``, all its steps done."""
    told = {"format": "tienlen-draft/1", "base": base, "steps": steps, "at": len(steps), **keys}
    return drafted(parse_draft(json.dumps(told)))


def acts(*told: str) -> list[Log]:
    return [{"do": "act", "event": event} for event in plays(*told)]


def page(base: Log, *steps: Log, **keys: Any) -> Log:
    return entry_page(draft(base, *steps, **keys))


def codes(told: Log) -> list[str]:
    every = [*told["deal_flags"], *(flag for act in told["events"] for flag in act["flags"])]
    return [flag["code"] for flag in [*every, *told["end_flags"]]]


# -- steps ---------------------------------------------------------------------------------------


def test_steps_make_the_log_and_undoing_is_counting() -> None:
    steps = acts("0 3S 3D", "1 8S 8C", "2")
    for at in range(4):
        found = draft(log(), *steps, at=at)
        assert found.log == log(plays("0 3S 3D", "1 8S 8C", "2")[:at])
        assert found.hand == hand_of(found.log)


def test_an_act_goes_in_and_comes_out_at_its_place() -> None:
    base = log(plays("0 3S 3D", "2"))
    inserted = {"do": "act", "event": plays("1")[0], "index": 1}
    assert draft(base, inserted).log["events"] == plays("0 3S 3D", "1", "2")
    assert draft(base, inserted, {"do": "drop", "index": 0}).log["events"] == plays("1", "2")
    for wrong in ({"do": "drop", "index": 2}, {**inserted, "index": 3}):
        found = draft(base, wrong)
        assert found.refused is not None
        assert found.log == base


def test_cards_known_of_a_holding_leave_the_others_unknown() -> None:
    found = draft(log(deal=None), {"do": "hold", "seat": 1, "cards": ["2H", "3S"]})
    assert found.log["deal"] == [None, ["2H", "3S", *["??"] * 11], None, None]
    assert entry_page(found)["now"]["counts"] == [13, 13, 13, 13]
    cleared = draft(found.log, {"do": "hold", "seat": 1, "cards": []})
    assert "deal" not in cleared.log
    whole = draft(log(deal=None), {"do": "hold", "seat": 0, "cards": DEAL[0]})
    assert whole.log["deal"][0] == DEAL[0]


def test_more_or_fewer_players_take_their_holdings_along() -> None:
    seats = [{"id": "an", "name": "An"}, {"name": "Đặng Thị Béo"}, {"name": "Béo"}, {"name": "béo"}]
    found = draft(log(), {"do": "players", "players": seats})
    assert [player["id"] for player in found.log["players"]] == ["an", "dang-thi-beo", "beo", "beo-2"]
    two = draft(found.log, {"do": "players", "players": seats[:2]})
    assert two.log["deal"] == DEAL[:2]
    three = draft(two.log, {"do": "players", "players": seats[:3]})
    assert three.log["deal"] == [*DEAL[:2], None]
    late = draft(log(plays("0 3S", "1", "2", "3")), {"do": "players", "players": seats[:2]})
    assert late.refused is not None
    assert "events[2].seat" in late.refused.message.render("en")


@pytest.mark.parametrize(
    ("name", "id_"), [("Bình Béo", "binh-beo"), ("Đỗ  Ơi", "do-oi"), ("☺", ""), ("An3", "an3")]
)
def test_an_id_is_made_of_a_name(name: str, id_: str) -> None:
    assert name_id(name) == id_


def test_keys_of_the_head_are_written_and_taken_out() -> None:
    found = draft(log(), {"do": "set", "key": "hand_no", "value": 7}, {"do": "set", "key": "lead"})
    assert found.hand.hand_no == 7
    assert found.hand.lead is None
    assert draft(found.log, {"do": "set", "key": "rules", "value": "mien-bac"}).rules.id == "mien-bac"


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ({"do": "set", "key": "rules", "value": "no-such-rules"}, "rules"),
        ({"do": "set", "key": "stake", "value": -1}, "stake"),
        ({"do": "set", "key": "played_at", "value": "2026-11-28T20:00:00"}, "played_at"),
        ({"do": "act", "event": {"type": "play", "seat": 0, "cards": ["9Z"]}}, "events[1].cards[0]"),
        ({"do": "act", "event": {"type": "dance", "seat": 0}}, "events[1]"),
        ({"do": "act", "event": {"type": "pass", "seat": 0, "at": 1e400}}, ""),
        ({"do": "hold", "seat": 3, "cards": ["3S"]}, "deal"),
        ({"do": "replace", "log": {"format": "tienlen-hand/1"}}, ""),
        ({"do": "players", "players": []}, "players"),
    ],
)
def test_a_step_that_makes_no_log_is_named_and_all_before_it_stands(step: Log, told: str) -> None:
    base = log(seats=3)
    text = json.dumps(
        {"format": "tienlen-draft/1", "base": base, "steps": [*acts("0 3S"), step, *acts("1")], "at": 3}
    )
    if "Infinity" in text:
        with pytest.raises(DraftBroken):
            parse_draft(text)
        return
    found = drafted(parse_draft(text))
    assert found.refused is not None
    assert found.refused.step == 1
    assert found.log["events"] == plays("0 3S")
    shown = entry_page(found)["refused"]
    assert shown["step"] == 1
    for lang in LANGUAGES:
        assert told in shown["message"][lang]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{",
        "[" * 100_000,
        '{"format": "tienlen-draft/1"}',
        '{"format": "tienlen-draft/2", "base": {}}',
        '{"format": "tienlen-draft/1", "base": {}, "at": -1}',
        '{"format": "tienlen-draft/1", "base": {}, "extra": 1}',
        '{"format": "tienlen-draft/1", "base": {}, "steps": [{"do": "dance"}]}',
        '{"format": "tienlen-draft/1", "base": {}, "steps": ['
        + ",".join(['{"do":"drop","index":0}'] * (MAX_STEPS + 1))
        + "]}",
        "x" * (MAX_DRAFT + 1),
        "\ud800",
    ],
)
def test_what_is_no_draft_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(DraftBroken) as told:
        drafted(parse_draft(text))
    assert all(told.value.message.render(lang) for lang in LANGUAGES)


def test_what_a_draft_began_as_must_be_a_log() -> None:
    bases: list[Log] = [{}, {"events": 3}, {**log(), "players": []}, {"events": [[[[]]]]}]
    for base in bases:
        with pytest.raises(DraftBroken):
            draft(base, *acts("0 3S"))


def test_keys_that_are_ours_and_exact_amounts_come_through() -> None:
    base = {
        **log(result={"net": [2.5, -2.5, 0, 0]}),
        "_app": {"π": [1]},
        "events": [{"type": "pass", "seat": 0, "_x": 1, "at": 0.25}],
    }
    found = draft(base, *acts("1"))
    again = json.loads(raw(found.log))
    assert again["_app"] == {"π": [1]}
    assert again["events"][0] == {"type": "pass", "seat": 0, "_x": 1, "at": 0.25}
    assert found.hand.result is not None
    assert found.hand.result.net == tuple(map(Decimal, ("2.5", "-2.5", "0", "0")))


# -- what may be done next -----------------------------------------------------------------------


def test_the_legal_plays_are_those_of_the_seat_to_act() -> None:
    told = page(log(), *acts("0 3S 3D", "1", "2 7C 7H"))
    assert told["next"]["seat"] == 3
    assert told["next"]["plays"] == [
        ["8D", "8H"],
        ["9D", "9H"],
    ]  # the pairs above the sevens, of dung's cards
    assert told["next"]["whole"]
    assert not told["next"]["lead"]
    assert told["now"]["turn"] == 3
    assert told["now"]["passed"] == [1]
    assert told["now"]["gone"] == ["3S", "3D", "7C", "7H"]


def test_of_unknown_cards_nothing_is_listed_and_anything_can_be_entered() -> None:
    told = page(log(deal=None), *acts("0 3S", "1 4S"))
    assert told["next"] == {"seat": 2, "plays": [], "count": 0, "lead": False, "whole": False}
    assert codes(told) == []
    assert told["now"]["counts"] == [12, 12, 13, 13]


def test_the_opening_play_must_hold_the_lowest_card() -> None:
    told = page(log(lead={"reason": "opening"}))
    assert told["next"]["seat"] == 0
    assert ["3S"] in told["next"]["plays"]
    assert all("3S" in cards for cards in told["next"]["plays"])


def test_what_may_be_done_next_is_what_the_replay_says_could_have_been_done() -> None:
    met = 0
    for source in source_files(
        [str(SAMPLES / "mien-nam"), str(SAMPLES / "mien-bac.json"), str(SAMPLES / "mien-trung.json")]
    ):
        assert isinstance(source, str)
        for found in records(source):
            assert isinstance(found, Read)
            deal = found.hand.deal
            if deal is None or any(held is None or "??" in held for held in deal):
                continue  # what is played later would tell of the holding
            frames: list[Frame] = []
            whole = judge(found.hand, house_of(found.rules), frames)
            for index, choice in enumerate(choices_of(whole, frames, TO_TAP)):
                up_to = msgspec.structs.replace(found.hand, events=found.hand.events[:index])
                seen: list[Frame] = []
                told = next_choice(judge(up_to, house_of(found.rules), seen), seen[-1])
                # That an instant win is let go, or who led where no reason is known, only a later play tells.
                if choice is None or (told is None and (seen[-1].hand_over or found.hand.lead is None)):
                    continue
                assert told == (found.hand.events[index].seat, choice), (found.hand.hand_id, index)
                met += 1
    assert met > 300


def test_an_act_against_the_rules_is_entered_flagged_and_undone() -> None:
    steps = acts("0 3S", "1 4S", "2 3H", "3 4D")
    told = page(log(), *steps[:3])
    (flag,) = told["events"][2]["flags"]
    assert (flag["code"], flag["seat"], flag["severity"]) == ("does_not_beat", 2, "error")
    assert set(flag["message"]) == set(LANGUAGES)
    assert flag["ground"]["rule"] == "law.beating"
    assert codes(page(log(), *steps[:3], at=2)) == []
    assert "out_of_turn" in codes(page(log(), *acts("0 3S", "2 3H")))


def test_at_a_place_in_the_middle_the_table_is_as_it_was_there() -> None:
    told = page(log(), *acts("0 3S 3D", "1", "2 7C 7H", "3 8D 8H"), cursor=2)
    assert told["cursor"] == 2
    assert told["now"]["top"] == ["3S", "3D"]
    assert told["next"]["seat"] == 2
    assert len(told["events"]) == 4
    assert page(log(), *acts("0 3S"), cursor=99)["cursor"] == 1


def test_a_hand_in_progress_is_no_flag_and_a_finished_one_tells_the_next() -> None:
    base = {**FORFEIT, "hand_id": "thu-bay-09", "hand_no": 9, "events": []}
    steps = acts("0 10H", "1", "2", RUN, "1", "2", "0 KS")
    unfinished = page(base, *steps[:-1])
    assert not unfinished["finished"]
    assert unfinished["following"] is None
    assert codes(unfinished) == []
    told = page(base, *steps)
    assert told["finished"]
    assert told["next"] is None
    assert told["places"] == [0, 1, 2]
    # Both others were frozen (2 stakes each), and the second pays for the table: he could have blocked.
    assert [each["value"] for each in told["net"]] == ["40000", "-40000", "0"]
    then = told["following"]
    assert (then["hand_id"], then["hand_no"], then["events"]) == ("thu-bay-10", 10, [])
    assert then["lead"] == {"reason": "forfeited_previous", "seat": 1}
    assert not {"deal", "played_at", "result"} & then.keys()
    assert draft(then).refused is None


@pytest.mark.parametrize(
    ("hand_id", "number", "then"),
    [
        ("t-1", None, "t-1-2"),
        ("toi-7", 7, "toi-8"),
        ("toi-09", 9, "toi-10"),
        ("abc", 3, "abc-4"),
        ("x" * 128, 3, "x" * 100 + "-4"),
    ],
)
def test_the_next_hand_s_id_counts_on(hand_id: str, number: int | None, then: str) -> None:
    assert following(hand_of(log(hand_id=hand_id, hand_no=number)), None)["hand_id"] == then


def test_a_card_whose_suit_nobody_remembers_is_entered_like_any_other() -> None:
    told = page(log(deal=None), *acts("0 8? 8?", "1 9? 9?"))
    assert told["now"]["top"] == ["9?", "9?"]
    assert told["now"]["counts"] == [11, 11, 13, 13]
    assert codes(told) == []
    dealt = page(log(deal=None), {"do": "hold", "seat": 2, "cards": ["3S", "9?", "9?"]}, *acts("0 8S", "1"))
    assert dealt["now"]["holdings"][2][:3] == ["3S", "9?", "9?"]
    assert dealt["next"]["seat"] == 2
    assert dealt["next"]["plays"].count(["9?"]) == 1


# -- what if -------------------------------------------------------------------------------------


def test_a_hand_cut_before_an_event_leaves_out_what_was_written_of_its_end() -> None:
    whole = hand_of({**FORFEIT, "result": {"net": [40000, -40000, 0]}})
    told = cut(whole, 3)
    assert told["events"] == log_of(whole)["events"][:3]
    assert "result" not in told
    assert len(whole.events) == 7


def test_another_way_to_play_changes_the_money_as_worked_out_by_hand() -> None:
    hand = hand_of(FORFEIT)
    account = make_account(hand, draft(FORFEIT).rules)
    instead = acts("1 KC", "2", "0 KH", "1", "0 3S 4H 5S 6H 7S 8H 9S 10S JH QH", "1", "2", "0 KS")
    told = entry_page(draft(cut(hand, 1), *instead), account)["tried"]
    # As played: both frozen at 2 stakes of 10,000, and the second pays for both.
    # Now only the third never played: frozen, 2 stakes; the second pays half a stake for his place.
    assert [(one["net"][0]["en"], one["net"][1]["en"], one["value"]) for one in told["players"]] == [
        ("+40,000\u00a0₫", "+25,000\u00a0₫", "-15000"),
        ("−40,000\u00a0₫", "−5,000\u00a0₫", "35000"),
        ("0\u00a0₫", "−20,000\u00a0₫", "-20000"),
    ]
    assert [one["places"] for one in told["players"]] == [[1, 1], [2, 2], [3, 3]]
    assert told["forfeit"][0] is not None
    assert told["forfeit"][1] is None
    assert told["new"] == told["gone"] == []


def test_findings_that_come_and_go_are_told() -> None:
    base = log(plays("0 3S", "1 4S", "2 3H"))
    account = make_account(hand_of(base), draft(base).rules)
    told = entry_page(draft(cut(hand_of(base), 1), *acts("2 7C")), account)["tried"]
    assert [flag["code"] for flag in told["gone"]] == ["does_not_beat"]
    assert [flag["code"] for flag in told["new"]] == ["out_of_turn"]


def go_on(base: Log, event: int, *steps: Log) -> tuple[list[Log], str]:
    """The acts that still follow when ``steps`` were done from an event on, and what is said of them."""
    hand = hand_of(base)
    told = entry_page(draft(cut(hand, event), *steps), make_account(hand, draft(base).rules))
    return told["rest"], told["rest_told"]["en"] if told["rest_told"] else ""


def test_the_acts_after_the_one_that_was_changed_follow_as_they_were_played() -> None:
    base = log(plays("0 3S", "1 4S", "2 5C", "3 6C", "0 7S", "1 8S"))
    every = log_of(hand_of(base))["events"]
    assert go_on(base, 2, *acts("2 7C")) == (
        [],
        "Act 4 can no longer follow (dung plays 6♣): 6♣ does not beat 7♣.",
    )
    assert go_on(base, 2, *acts("2 5C")) == (
        every[3:],
        "Acts that followed as they were played: 3, to the last one.",
    )
    assert go_on(base, 2)[0] == every[2:]
    rest, told = go_on(base, 1, *acts("1 8S"))
    assert rest == []
    rest, told = go_on(log(plays("0 3S", "1", "2", "3 8H", "0 10H", "1 JH")), 1, *acts("1 JH"))
    assert (rest, told.split(":")[0]) == (
        plays("2"),
        "Acts that followed as they were played",
    )
    assert go_on(base, 4, *acts("0 7S", "1 8S", "2 9S")) == ([], "")


def test_a_card_that_is_gone_and_a_fault_that_was_one_then() -> None:
    """What was wrong as it was played follows all the same; a card that now lies on the table does not."""
    base = log(plays("0 3S", "1 4S", "2 3H", "3 6C", "0 7S", "1 8S"))
    assert go_on(base, 1, *acts("1 4S"))[0] == base["events"][2:]
    base = log(plays("0 3S", "1", "2", "3", "0 3D", "1 4S"), deal=None)
    assert go_on(base, 0, *acts("0 3D")) == (
        plays("1", "2", "3"),
        "Acts that followed as they were played: 3. Act 5 can no longer follow (an plays 3♦): 3♦ had already been played.",
    )


def test_acts_that_follow_are_one_step() -> None:
    step = {"do": "acts", "events": plays("1 4S", "2 5C")}
    assert draft(log(plays("0 3S")), step).log["events"] == plays("0 3S", "1 4S", "2 5C")
    assert draft(log(plays("0 3S")), step, at=0).log["events"] == plays("0 3S")
    assert draft(log(), {"do": "acts", "events": [{"type": "x"}]}).refused is not None


# -- text ----------------------------------------------------------------------------------------


def test_a_pasted_log_is_taken_whole_or_refused_with_a_reason() -> None:
    text = json.dumps(log(plays("0 3S")), indent=1)
    assert pasted(f"\n{text}\n").log == log(plays("0 3S"))
    for wrong in ("", "{", '{"format": "tienlen-hand/1"}', "[" * 100_000, "\x00", "x" * (2 << 20)):
        found = pasted(wrong)
        assert found.log is None
        assert found.problems
        assert all(problem.render(lang) for problem in found.problems for lang in LANGUAGES)


def test_the_notation_beside_the_table_says_the_same_hand() -> None:
    for base in (log(hand_no=3, currency="VND"), {**log(), "_app": {"x": 1}}, log(deal=None, lead=None)):
        found = draft(base, *acts("0 3S", "1 8? 8?"))
        told = entry_page(found)["notation"]
        read_again = pasted(told)
        assert read_again.problems == ()
        assert read_again.log is not None
        assert raw(read_again.log) == raw(draft(read_again.log).log)
        assert draft(read_again.log).hand == found.hand


def test_what_is_wrong_in_the_notation_is_told_by_line() -> None:
    text = entry_page(draft(log(), *acts("0 3S")))["notation"]
    wrong = pasted(text + "binh danh 3 meo\n")
    assert wrong.log is None
    assert f"Line {text.count(chr(10)) + 1}" in wrong.problems[0].render("en")
    two = pasted(text + text)
    assert two.log is None
    assert "2" in two.problems[0].render("vi")


def test_the_page_says_what_the_judge_says() -> None:
    told = page(FORFEIT)
    judgement = judged(FORFEIT)
    assert told["places"] == judgement.places
    assert record(json.loads(raw(told["log"]))) == record(FORFEIT)
