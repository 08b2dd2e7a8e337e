"""Every case file under ``tests/cases``, and what the files must cover together."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterable
from typing import Any, Final

import pytest

from analyzer.judge.between import check_evening, session_hand
from analyzer.judge.findings import CODES
from analyzer.rules.knobs import KNOB_TYPES, Bomb, InstantWin, ReturnLimit, Target
from analyzer.rules.loading import override, preset, preset_ids
from tests.case_files import (
    EXPECTATIONS,
    FOLDER,
    KEYS,
    Case,
    CaseError,
    case_paths,
    load,
    mismatches,
    parse,
    without_pin,
)
from tests.hands import judged
from tests.test_between import FIRST, hand

BETWEEN_HANDS: Final = {"session.bust_below_zero"}
"""Knobs that decide something between the hands of an evening, not within one."""

CASES: Final = {case.name: case for case in map(load, case_paths())}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    case = CASES[name]
    wrong = mismatches(case.checks, case.verdict())
    assert not wrong, f"{case.title}\n" + "\n".join(wrong)


OTHERWISE: Final = [(case.name, number) for case in CASES.values() for number, _ in enumerate(case.otherwise)]


@pytest.mark.parametrize(("name", "number"), OTHERWISE)
def test_otherwise(name: str, number: int) -> None:
    """With that one knob set otherwise the verdict is another one, and the one that the file says."""
    case, change = CASES[name], CASES[name].otherwise[number]
    verdict = case.verdict(change)
    assert without_pin(verdict) != without_pin(case.verdict()), f"{change.knob} changes nothing"
    wrong = mismatches(change.checks or (), verdict)
    assert not wrong, f"{case.title}, with {change.knob} = {change.value!r}\n" + "\n".join(wrong)


# -- what the files cover together ---------------------------------------------------------------


def _telling(knob: str) -> list[Case]:
    return [case for case in CASES.values() if case.knob == knob and case.otherwise]


@pytest.mark.parametrize("knob", KNOB_TYPES)
def test_every_knob_can_be_told_apart(knob: str) -> None:
    """A knob whose value no case can tell from another is a knob that does nothing."""
    told = any(
        without_pin(case.verdict(change)) != without_pin(case.verdict())
        for case in _telling(knob)
        for change in case.otherwise
    )
    if knob in BETWEEN_HANDS:
        told = _found_between_hands(knob, True) != _found_between_hands(knob, False)
    assert told, f"nothing changes when only {knob} changes"


def _found_between_hands(knob: str, value: object) -> set[str]:
    """The codes found between two hands of one evening, the first of which somebody loses."""
    logs = [hand(1, lead=FIRST), hand(2)]
    rules = {"extends": "mien-nam", "set": {knob: value}}
    hands = [
        session_hand(judged({**log, "rules": rules}), override(preset("mien-nam"), {knob: value}))
        for log in logs
    ]
    return {finding.code for finding in check_evening(hands)}


def _literals(type_: Any) -> set[object]:
    """The listed values of a knob, None where it may be absent, both where it is on or off."""
    if type_ is bool:
        return {True, False}
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin is typing.Literal:
        return set(arguments)
    if origin is typing.Annotated:
        return _literals(arguments[0])
    if origin is list or not arguments:
        return {None} if type_ is type(None) else set()
    return set().union(*map(_literals, arguments))


def _values(case: Case) -> Iterable[object]:
    """The values of its knob that a case tells apart."""
    assert case.knob is not None
    rules = override(preset(case.rules), case.set)
    yield rules.value(case.knob)
    for change in case.otherwise:
        yield override(rules, {case.knob: change.value}).value(case.knob)


LISTED: Final = {
    knob: values
    for knob, type_ in KNOB_TYPES.items()
    if knob not in BETWEEN_HANDS and (values := _literals(type_) - set(typing.get_args(ReturnLimit)))
} | {"lead.card": {"3S", "3C", "lowest"}}


@pytest.mark.parametrize("knob", LISTED)
def test_every_listed_value_is_shown(knob: str) -> None:
    """Each value that a knob may have stands in a case that tells it apart from another one."""
    shown = {value for case in _telling(knob) for value in _values(case)}
    assert shown >= LISTED[knob]


@pytest.mark.parametrize("win", typing.get_args(InstantWin))
def test_every_instant_win_is_won_in_a_case(win: str) -> None:
    won = [c for c in CASES.values() if any(win in w for w in c.expected.get("instant_winners", ()))]
    assert won, f"no case is won by {win}"


@pytest.mark.parametrize("bomb", typing.get_args(Bomb))
def test_every_bomb_has_a_row_in_a_telling_case(bomb: str) -> None:
    rows = [row for case in _telling("chops") for value in _values(case) for row in _rows(value)]
    assert any(row.by == bomb for row in rows)


@pytest.mark.parametrize("target", typing.get_args(Target))
def test_every_target_of_a_chop_is_told_apart(target: str) -> None:
    """Some case's rows differ in nothing but this target."""
    for case in _telling("chops"):
        base, *others = (_targets(value) for value in _values(case))
        if any({t for _, t in base ^ other} == {target} for other in others):
            return
    pytest.fail(f"no case shows what `{target}` in a row of chops does")


def _rows(value: object) -> list[Any]:
    assert isinstance(value, list)
    return value


def _targets(value: object) -> set[tuple[str, str]]:
    return {(row.by, target) for row in _rows(value) for target in row.over}


@pytest.mark.parametrize("code", CODES)
def test_every_violation_fires_in_a_case(code: str) -> None:
    assert any(case.fault == code and case.fires for case in CASES.values())


@pytest.mark.parametrize("code", CODES)
def test_every_violation_nearly_fires_in_a_case(code: str) -> None:
    assert any(case.fault == code and not case.fires for case in CASES.values())


@pytest.mark.parametrize("id_", preset_ids())
def test_every_preset_has_cases(id_: str) -> None:
    assert sum(case.rules == id_ for case in CASES.values()) >= 3


def test_titles_are_single_sentences_and_differ() -> None:
    titles = [case.title for case in CASES.values()]
    assert len(set(titles)) == len(titles)
    for case in CASES.values():
        for title in (case.title, case.title_vi):
            assert title.endswith(".")
            assert "\n" not in title
        assert case.proves, case.name


def test_the_form_is_documented() -> None:
    """Every key of a case file, of its expectations, and every word for an act stands in the README."""
    told = (FOLDER / "README.md").read_text("utf-8")
    for key in (*KEYS, *EXPECTATIONS):
        assert re.search(rf"(`|\[|\n){key}\b", told), key
    for word in (
        "bỏ",
        "nói bỏ",
        "nói đánh",
        "cướp cái",
        "cúng",
        "góp",
        "tới trắng",
        "báo 1",
        "báo hết",
        "lộ",
    ):
        assert f"An {word}" in told
    for word in ("ngửa", "rút lại", "đếm bài", "rời bàn"):
        assert f"An {word}" in told


# -- what is wrong with a case file is told with its line -----------------------------------------

SOUND: Final = '''title = "A pair is beaten by a higher pair."
title_vi = "Đôi lớn hơn đè đôi."
proves = ["002 L50"]
knob = "tricks.pass_lock"
rules = "mien-nam"
stake = 1
players = ["An", "Bình"]
lead = "An"

deal = """
An    3♠ 3♣ 4♦
Bình  ?
"""

acts = """
0: An    3♠ 3♣    # leads
1: Bình  4♠ 4♣
"""

[set]
table.hand_size = 3

[expect]
outcome = "unfinished"
violations = []
missed_blocks = []

[otherwise]
set = { tricks.pass_lock = false }
'''


def test_a_sound_case_is_read() -> None:
    case = parse(SOUND, "sound", "sound.toml")
    assert case.hand["deal"] == [["3S", "3C", "4D"], None]
    assert [event["cards"] for event in case.hand["events"]] == [["3S", "3C"], ["4S", "4C"]]
    assert dict(case.set) == {"table.hand_size": 3}
    assert case.otherwise[0].knob == "tricks.pass_lock"
    assert mismatches(case.checks, case.verdict()) == []


@pytest.mark.parametrize(
    ("was", "is_", "line", "told"),
    [
        ("4♠ 4♣", "4♠ 11♣", 17, "'11♣' is no card"),
        ("1: Bình  4♠", "1: Binh  4♠", 17, "found 'Binh'; expected an act of one of An, Bình"),
        ("1: Bình  4♠", "2: Bình  4♠", 17, "act 2 stands where act 1 is due"),
        ("1: Bình  4♠ 4♣", "1: Bình  chặt", 17, "'chặt' is no act"),
        ("Bình  ?", "Bin  ?", 12, "expected one of An, Bình"),
        ("4♦", "4x", 11, "'4x' is no card"),
        ('lead = "An"', 'lead = "Chi"', 8, "lead: found 'Chi'"),
        ('"002 L50"', '"002 L900"', 3, "a line that the document has"),
        ('"002 L50"', '"so"', 3, "a short sentence"),
        ('"tricks.pass_lock"', '"tricks.pas"', 4, "knob: found 'tricks.pas'"),
        ('"mien-nam"', '"mien-nem"', 5, "rules: found 'mien-nem'"),
        ("table.hand_size", "table.hand_sise", 21, "there is no knob table.hand_sise"),
        ("missed_blocks = []", "missed_block = []", 26, "missed_block: unknown"),
        ("missed_blocks = []", 'missed_blocks = ["9 An"]', 26, "an act from 0 to 1"),
        ("violations = []", 'violations = ["does_not_bite"]', 25, "a violation code such as does_not_beat"),
        ('"unfinished"', '"over"', 24, "finished, instant_win, redeal or unfinished"),
        (
            "{ tricks.pass_lock = false }",
            "{ tricks.auto_close = true }",
            29,
            "change tricks.pass_lock and nothing",
        ),
        ("stake = 1\n", "", 1, "stake is missing"),
        ("stake = 1\n", "stake = 1\nstakes = 1\n", 7, "stakes: an unknown key"),
        ("[expect]", "[expect", 23, "not TOML"),
        ('players = ["An", "Bình"]', 'players = ["An", "An"]', 7, "two to four different names"),
    ],
)
def test_a_fault_in_a_case_file_is_told_with_its_line(was: str, is_: str, line: int, told: str) -> None:
    assert SOUND.count(was) == 1
    with pytest.raises(CaseError) as caught:
        parse(SOUND.replace(was, is_), "broken", "broken.toml")
    assert str(caught.value).startswith(f"broken.toml:{line}: ")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "expected",
    [
        'outcome = "finished"',
        'places = ["An", "Bình"]',
        'instant_winners = ["An dragon"]',
        'frozen = ["An"]',
        "net = [1, -1]",
        'next_lead = "An"',
        'forfeit = { player = "An" }',
        'violations = ["does_not_beat 1 Bình"]',
        'violations = ["hand_unfinished", "lead_unverified"]',
        'violations_contain = ["took_back 0 An"]',
        'no_violations = ["hand_unfinished"]',
        'missed_blocks = ["1 Bình"]',
        'chops = ["1 Bình chops An 1 paid"]',
        'transfers = ["Bình -> An 1 place"]',
        'undecided_passes = ["1 Bình"]',
        "disputed_from = 1",
        'result_check = { places = "agrees", net = "absent" }',
    ],
)
def test_an_expectation_that_does_not_hold_is_noticed(expected: str) -> None:
    text = SOUND.replace('outcome = "unfinished"\nviolations = []\nmissed_blocks = []', expected)
    case = parse(text, "sound", "sound.toml")
    assert len(mismatches(case.checks, case.verdict())) == 1


def test_an_error_that_no_case_expects_fails_it() -> None:
    """No `violations` means none: an unlooked-for fault never passes silently."""
    case = parse(SOUND.replace("violations = []\n", "").replace("4♠ 4♣", "4♠"), "sound", "sound.toml")
    (told,) = mismatches(case.checks, case.verdict())
    assert "wrong_kind 1 1" in told
