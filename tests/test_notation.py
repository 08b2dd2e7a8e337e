"""The text notation: what is typed is read as meant or asked about, and nothing is lost on the way."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.logs.canonical import content_sha256
from analyzer.logs.carriers import Read, records, source_files
from analyzer.logs.notation import Problem, Reading, own_log, read, write
from analyzer.logs.notation.words import ACTS, KEYS
from analyzer.logs.reading import MAX_RECORD
from analyzer.logs.reading import read as read_log
from analyzer.logs.refusal import REASONS, Fault
from analyzer.rules.loading import preset, preset_ids
from analyzer.simulate import simulate_range
from tests.hands import judged, log, plays, raw

ROOT: Final = Path(__file__).resolve().parents[1]
PLAYERS: Final = "người chơi: An, Bình, Chi, Dũng\n"
HEAD: Final = f"ván: v-1\nluật: mien-nam\ncược: 10.000 VND\n{PLAYERS}"


def only(text: str) -> Reading:
    """The one hand of a text."""
    (reading,) = read(text)
    return reading


def problem(text: str) -> Problem:
    """The one thing wrong with a text."""
    (found,) = only(text).problems
    return found


def canonical(text: str) -> str:
    """A text, read and written."""
    reading = only(text)
    assert reading.hand is not None, [p.message() for p in reading.problems]
    return write(reading.hand, reading.log)


def typed(line: str, head: str = HEAD) -> str:
    """How a line below the head is written."""
    before, after = canonical(head + "\n").splitlines(), canonical(f"{head}{line}\n").splitlines()
    (new,) = [one for one in after if one and one not in before]
    return new


def asked(line: str, head: str = HEAD) -> tuple[str, ...]:
    """The meanings among which a line is asked about, below the head or in place of its line of that kind."""
    key = line.split(":")[0]
    kept = [one for one in head.splitlines() if ":" not in line or one.split(":")[0] != key]
    found = problem("\n".join([*kept, line, ""]))
    assert found.reason == "two_readings", found.message()
    assert len(found.readings) >= 2
    return found.readings


# -- the grammar page ------------------------------------------------------------------------------


def rows(heading: str, page: str = "notation.md") -> list[tuple[str, str]]:
    """The rows of the tables of a grammar page whose first column has this heading."""
    found, wanted = [], False
    for line in (ROOT / "schemas" / page).read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if len(cells) < 2:
            wanted = False
        elif cells[0] == heading:
            wanted = True
        elif wanted and not cells[0].startswith("---"):
            found.append((cells[0].strip("`"), cells[1]))
    return found


@pytest.mark.parametrize(("line", "meant"), rows("typed"))
def test_what_the_grammar_says_is_read_so(line: str, meant: str) -> None:
    assert typed(line) == meant.strip("`")


@pytest.mark.parametrize(("line", "meant"), rows("line"))
def test_lines_about_the_hand_are_read_as_the_grammar_says(line: str, meant: str) -> None:
    """The JSON beside each line is what the line adds to the log."""
    lines = HEAD.splitlines()
    place = next((i for i, one in enumerate(lines) if one.split(":")[0] == line.split(":")[0]), None)
    lines[len(lines) if place is None else place : len(lines) if place is None else place + 1] = [line]
    reading = only("\n".join(lines))
    assert reading.log is not None, [p.message() for p in reading.problems]
    for key, value in json.loads(f"{{{meant.strip('`')}}}").items():
        assert reading.log[key] == value


BELOW: Final = "below `bài An: 7♣ 7♥ 9♠ …`"


@pytest.mark.parametrize(("line", "meant"), rows(BELOW))
def test_what_a_holding_lists_is_meant_as_the_grammar_says(line: str, meant: str) -> None:
    holding = BELOW.split("`")[1]
    assert typed(line, f"{HEAD}{holding}\n") == meant.strip("`")


@pytest.mark.parametrize(("line", "meanings"), rows("ambiguous"))
def test_what_the_grammar_says_is_asked_about(line: str, meanings: str) -> None:
    assert list(asked(line)) == [one.strip("` ") for one in meanings.split(" or ")]


@pytest.mark.parametrize(("line", "near"), rows("mistyped"))
def test_a_mistyped_line_is_told_with_the_nearest_reading(line: str, near: str) -> None:
    found = problem(f"{HEAD}{line}\n")
    assert found.reason != "two_readings"
    assert found.line == 5
    assert list(found.readings) == [one.strip("` ") for one in near.split(" or ")]


@pytest.mark.parametrize(
    ("english", "vietnamese"),
    [
        ("typed", "gõ"),
        ("line", "dòng"),
        (BELOW, BELOW.replace("below", "dưới")),
        ("ambiguous", "hai nghĩa"),
        ("mistyped", "gõ sai"),
    ],
)
def test_the_grammar_in_vietnamese_shows_the_same(english: str, vietnamese: str) -> None:
    shown = rows(vietnamese, "notation.vi.md")
    assert shown
    assert [(line, meant.replace("` hoặc `", "` or `")) for line, meant in shown] == rows(english)


def test_the_grammar_shows_every_word() -> None:
    text = (ROOT / "schemas" / "notation.md").read_text("utf-8").lower()
    from analyzer.logs.notation.texts import fold

    plain = " ".join(fold(text).split())
    assert [word for word in (*ACTS, *KEYS) if word not in plain] == []


def test_the_hand_on_the_grammar_page_is_canonical() -> None:
    text = (ROOT / "schemas" / "notation.md").read_text("utf-8")
    example = text.split("```\n")[1]
    assert canonical(example) == example


@pytest.mark.parametrize("name", ["README.md", "README.vi.md"])
def test_the_hand_in_the_readme_is_read(name: str) -> None:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    first = lines.index("    luật: mien-nam")
    example = "\n".join(line[4:] for line in lines[first : lines.index("", first)])
    assert canonical(example).endswith("Dũng 8?\n")
    assert [finding.code for finding in judged(only(example).log or {}).findings] == [
        "lead_unverified",
        "hand_unfinished",
    ]


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["Bình", "bình", "BÌNH", "binh", "Binh", "B", "bi", "Binhf", "binh:", "nhà 2"]
)
def test_a_name_may_be_typed_in_a_hurry(name: str) -> None:
    assert typed(f"{name} bỏ") == "Bình bỏ"


def test_a_name_that_two_players_may_have_is_asked_about() -> None:
    head = HEAD.replace("An, Bình", "Ân, An")
    assert asked("an bỏ", head) == ("Ân", "An")
    assert typed("An 3♠", head) == "an-2 3♠"
    assert asked("C bỏ", HEAD.replace("Dũng", "Cường")) == ("Chi", "Cường")
    assert asked("An bỏ", HEAD.replace("Bình", "An").replace("Dũng", "Minh")) == ("nhà 1", "an-2")


def test_the_whole_name_goes_before_one_that_it_begins() -> None:
    head = HEAD.replace("Bình", "Anh Ba")
    assert typed("an bỏ", head) == "An bỏ"
    assert typed("anh ba bỏ", head) == "Anh Ba bỏ"
    assert typed("anh bỏ", head) == "Anh Ba bỏ"


@pytest.mark.parametrize(
    "name",
    [
        "Vân",
        "Hằng",
        "Tiến",
        "Thu",
        "Lực",
        "Sơn Tùng",
        "Bích",
        "Đôi",
        "Ba",
        "K",
        "Bùi Văn Tư",
        "An-Na",
        "O'Na",
    ],
)
def test_a_player_may_be_called_as_a_line_or_a_card_is(name: str) -> None:
    head = HEAD.replace("Bình", name)
    assert typed(f"{name} 3♠", head) == f"{name} 3♠"
    assert typed(f"{name} nói: bỏ", head) == f"{name} nói: bỏ"
    assert typed(f"An đưa {name} 3♠", head) == f"An đưa {name} 3♠"


@pytest.mark.parametrize(
    "name", ["Th. Ba", "Bài", "Nhà", "Ván", "An Bình", "12", "Mr.", "a:b", "An @3", "_x", "Ký\u0301"]
)
def test_a_name_that_a_line_cannot_begin_with_is_written_by_id_or_seat(name: str) -> None:
    value = log(plays("1 3S", "0", "1 4S"), seats=2, deal=None)
    value["players"] = [{"id": "an", "name": "An"}, {"id": "binh", "name": name}]
    assert_kept(value)


def test_a_name_that_begins_the_players_own_id_begins_no_line() -> None:
    value = log([*plays("0 3S", "1"), {"type": "pass", "seat": 0}], seats=2, deal=None)
    value["players"] = [{"id": "An bỏ", "name": "An"}, {"id": "b", "name": "Bình"}]
    assert_kept(value)


def test_ids_are_made_of_names_and_stand_beside_them_where_they_differ() -> None:
    log_ = only(HEAD.replace("Chi, Dũng", "Chi (c 7), (d)")).log
    assert log_ is not None
    assert log_["players"] == [
        {"id": "an", "name": "An"},
        {"id": "binh", "name": "Bình"},
        {"id": "c 7", "name": "Chi"},
        {"id": "d"},
    ]


# -- suits -----------------------------------------------------------------------------------------


HOLDING: Final = HEAD + "bài An: 3♠ 4♠ 5♠ 8♦ 9♣ 9♦ 10♠ J♠ Q♠ K♥ A♥ 2♣ 2♦\n"


def test_a_bare_rank_is_the_card_that_a_whole_holding_leaves() -> None:
    assert typed("An 8", HOLDING) == "An 8♦"
    assert typed("An 99", HOLDING) == "An 9♣ 9♦"
    assert typed("An 9", HOLDING) == "An 9?"
    assert typed("Bình 8", HOLDING) == "Bình 8?"
    assert typed("An 8?", HOLDING) == "An 8?"
    assert canonical(HOLDING + "An 9c\nAn 9\n").splitlines()[-2:] == ["An 9♣", "An 9♦"]


PARTLY: Final = HEAD + "bài An: 5♠ 5♣ 6♠ 6♦ 7♣ 7♥ 8♦ 9♣ 9? …\n"


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("đôi 7", "7♣ 7♥"),
        ("77", "7♣ 7♥"),
        ("7 7♣", "7♣ 7♥"),
        ("chặt ba đôi thông 5 6 7", "5♠ 5♣ 6♠ 6♦ 7♣ 7♥"),
        ("8", "8♦"),
        ("8 đỏ", "8♦"),
        ("nói: đánh 77", "nói: đánh 7♣ 7♥"),
        ("còn 6 7 6", "còn 6♠ 6♦ 7?"),
        ("7", "7?"),
        ("7? 7", "7? 7?"),
        ("7♠ 7", "7♠ 7?"),
        ("777", "7? 7? 7?"),
        ("88", "8? 8?"),
        ("9", "9?"),
        ("10", "10?"),
    ],
)
def test_ranks_alone_are_the_cards_that_a_holding_lists_where_they_are_as_many(line: str, meant: str) -> None:
    assert typed(f"An {line}", PARTLY) == f"An {meant}"


def test_only_listed_cards_that_are_not_yet_played_are_meant() -> None:
    def acts(*lines: str) -> list[str]:
        return canonical(PARTLY + "\n".join(lines) + "\n").splitlines()[-len(lines) :]

    assert acts("An 7♣", "An 7") == ["An 7♣", "An 7♥"]
    assert acts("An 77", "An 7") == ["An 7♣ 7♥", "An 7?"]
    assert acts("An 77", "An rút lại", "An 77") == ["An 7♣ 7♥", "An rút lại", "An 7♣ 7♥"]
    assert acts("An 7", "An 77") == ["An 7?", "An 7? 7?"]
    assert acts("An đưa Bình 7♥", "An 7") == ["An đưa Bình 7♥", "An 7♣"]
    assert acts("Bình đưa An 7♠", "An 777") == ["Bình đưa An 7♠", "An 7♠ 7♣ 7♥"]
    assert acts("Bình đưa An 7♠", "An 77") == ["Bình đưa An 7♠", "An 7? 7?"]
    assert acts("Bình đưa An 8", "An 8") == ["Bình đưa An 8?", "An 8?"]


def test_a_letter_that_no_listed_card_settles_is_asked_about() -> None:
    assert asked("An 8c", PARTLY) == ("8♣", "8♥")


def test_c_is_settled_by_the_holding_the_other_cards_and_the_line() -> None:
    assert typed("An 9c", HOLDING) == "An 9♣"
    assert typed("An Kc", HOLDING) == "An K♥"
    assert typed("Bình 9c", HOLDING) == "Bình 9♥"
    assert typed("An 6c 6ch") == "An 6♣ 6♥"
    assert typed("An 6c 6h") == "An 6♣ 6♥"
    assert typed("An 6c 7c 8co") == "An 6♣ 7♣ 8♥"
    assert asked("An 6c") == ("6♣", "6♥")
    assert asked("An 6C 7S") == ("6♣", "6♥")
    assert asked("An 6c 7ch 8h") == ("6♣", "6♥")
    assert canonical(HEAD + "Bình 6♣\nAn 6c\n").endswith("An 6♥\n")


def test_cards_taken_back_are_held_again() -> None:
    text = canonical(HOLDING + "An 8\nAn rút lại\nAn 8\n")
    assert text.splitlines()[-3:] == ["An 8♦", "An rút lại", "An 8♦"]


def test_a_card_given_away_is_held_by_the_other() -> None:
    dealt = HOLDING + "bài Bình: 3♦ 4♦ 5♦ 6♦ 7♦ 8♣ 9♥ 10♦ J♦ Q♦ K♦ A♦ 2♠\n"
    assert canonical(dealt + "An đưa Bình 2c\nBình đưa An 8\nAn 88\n").splitlines()[-3:] == [
        "An đưa Bình 2♣",
        "Bình đưa An 8♣",
        "An 8♣ 8♦",
    ]


# -- what is wrong ---------------------------------------------------------------------------------


def test_what_a_hand_cannot_do_without_is_asked_for_with_an_example() -> None:
    for line, example in (
        ("luật: mien-nam\n", "luật: mien-nam"),
        ("cược: 10.000 VND\n", "cược: 10.000"),
        (PLAYERS, "người chơi: An, Bình, Chi, Dũng"),
    ):
        reading = only(HEAD.replace(line, ""))
        (found,) = reading.problems
        assert found.reason == "missing_line"
        assert found.readings == (example,)
        assert reading.in_progress


def test_the_reader_of_logs_is_asked_and_its_refusal_placed() -> None:
    for text, line, column, reason in (
        (HEAD.replace("mien-nam", "mien-nan"), 2, 7, "bad_rules"),
        (HEAD + "luật nhà: frozen.stake = 3\n", 5, 11, "bad_rules"),
        (HEAD + "An 3♠ 4♦ 3♠\n", 5, 10, "repeated_card"),
        (HEAD + "An 3♠ ??\n", 5, 7, "bad_card"),
        (HEAD + "An 3♠ @5\nBình bỏ @4\n", 6, 1, "bad_time"),
        (HEAD + "An 3♠ @99999999999\n", 5, 1, "bad_number"),
        (HEAD + f"An 3♠ @{'9' * 400}\n", 5, 7, "bad_card"),
        (HEAD + "lúc: 2026-11-28T19:30:00\n", 5, 6, "bad_time"),
        (HEAD + "hạng: An, Bình, Chi, An\n", 5, 7, "bad_result"),
        (HEAD + "An đưa An 3♠\n", 5, 1, "bad_seat"),
        (HEAD.replace("VND", "DONGS"), 3, 7, "bad_value"),
        (HEAD.replace("Bình", "Bình (an)"), 4, 17, "bad_players"),
    ):
        found = problem(text)
        assert (found.line, found.column, found.reason) == (line, column, reason), found.message()


def test_each_line_is_told_once_and_all_lines_are_told() -> None:
    problems = only(HEAD + "An xyz\nBình bỏ\nCường bỏ\nan 9c\n").problems
    assert [(p.line, p.column, p.reason) for p in problems] == [
        (5, 4, "bad_card"),
        (7, 1, "bad_line"),
        (8, 4, "two_readings"),
    ]
    assert {p.reason for p in problems} <= set(REASONS)


@pytest.mark.parametrize(
    "line",
    [
        "Bình tới",
        "Dũng cóng",
        "Chi thua",
        "Bình hết",
        "An chuồng bò",
        "Chi nhất",
        "An latt 3♠",
        "Bình rời rồi",
    ],
)
def test_what_is_no_act_is_told_without_a_suggestion_that_means_something_else(line: str) -> None:
    assert not problem(f"{HEAD}{line}\n").readings


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("An bpo", "bỏ"),
        ("An dnah 3♠", "đánh"),
        ("An chatt 3♠", "đánh"),
        ("An rutt lai", "rút lại"),
        ("An bỏ hett giờ", "An bỏ"),
        ("An bỏ nooi", "An bỏ (nói)"),
        ("An 9 bihc", "bích"),
        ("An chinn bích", "chín"),
    ],
)
def test_a_slip_of_the_finger_is_told_with_the_word_that_was_meant(line: str, near: str) -> None:
    assert problem(f"{HEAD}{line}\n").readings == (near,)


@pytest.mark.parametrize("line", ["bỏ lượt rồi", "bo roi", "chịu", "chiu roi", "qua rồi", "bỏ rồi (nói)"])
def test_a_pass_is_told_as_people_say_it(line: str) -> None:
    assert typed(f"Bình {line}") == ("Bình bỏ (nói)" if "nói" in line else "Bình bỏ")


def test_a_line_may_stand_once() -> None:
    for line in ("cược: 5", "luật: mien-bac", "bài An: …\nbài An: …", "_x: 1\n_x: 2"):
        assert problem(f"{HEAD}{line}\n").reason == "bad_line"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x" * (MAX_RECORD + 1), "record_too_large"),
        (HEAD + "An \0", "bad_encoding"),
        (HEAD + "An \u202e3♠", "bad_encoding"),
        (HEAD + "An 3\ud800", "bad_encoding"),
        (HEAD + "An " + "3♠ " * 200_000, "bad_line"),
        (HEAD + "An " + "9" * 900_000, "bad_line"),
        (HEAD + "An " + "sanh " * 180_000, "bad_line"),
        (HEAD + "An " + "q-" * 400_000, "bad_line"),
        (HEAD + "z" * 900_000, "bad_line"),
        (HEAD + "An " + "z" * 900_000, "bad_card"),
        (HEAD.replace("An, ", "An, " * 200_000), "bad_line"),
        (HEAD.replace("An, ", "An" + " " * 900_000 + ", ").replace("Bình", '"'), "bad_line"),
        (HEAD + "_x: " + "[" * 900_000, "bad_line"),
        (HEAD + "_x: " + '{"a":' * 150_000, "bad_line"),
        (HEAD + "_x: " + "9" * 900_000, "bad_line"),
        (HEAD + "_ " + "[" * 900_000, "bad_line"),
        (HEAD + "_ [" + "1," * 400_000 + '"_x"] 1', "bad_line"),
        (HEAD + 'ghi chú: "' + '\\"' * 400_000, "bad_line"),
        (HEAD + "An bỏ\n" * 3_000, "too_many_events"),
        (HEAD + "#\n" * 400_000 + "x", "bad_line"),
        (HEAD + "\n" * 900_000 + "x", "bad_line"),
        (HEAD.replace("10.000", "9" * 900_000), "bad_line"),
        (HEAD + "An bỏ @" + "9" * 900_000, "bad_line"),
        (HEAD + "tiền: " + "An 1 " * 150_000, "bad_line"),
        (HEAD + "hạng: " + "An " * 300_000, "bad_value"),
        (HEAD + "luật nhà: " + '"' * 900_000, "bad_line"),
        (HEAD + "lúc: " + "1/" * 400_000, "bad_time"),
    ],
    ids=range(27),
)
def test_hostile_text_ends_quickly_in_a_clear_refusal(text: str, reason: str) -> None:
    began = time.process_time()
    reading = only(text)
    assert time.process_time() - began < 3
    assert reading.problems[0].reason == reason, reading.problems[0].message()
    assert len(str(reading.problems[0].message().both())) < 3_000


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=30),
            st.sampled_from(
                [
                    *ACTS,
                    *KEYS,
                    "An",
                    "bình",
                    ":",
                    "3♠",
                    "9c",
                    "44",
                    "…",
                    "??",
                    "hết",
                    "@5",
                    "#",
                    '"',
                    "_x: 1",
                    "(",
                    "-",
                ]
            ),
        ),
        max_size=14,
    ),
    st.booleans(),
)
def test_any_text_gives_hands_or_problems(words: list[str], headed: bool) -> None:
    text = (HEAD if headed else "") + " ".join(words)
    for reading in read(text):
        assert (reading.hand is None) == bool(reading.problems)
        for found in reading.problems:
            assert found.reason in REASONS
            assert all(found.message().both().values())
        if reading.hand is not None:
            again = only(write(reading.hand, reading.log))
            assert again.hand is not None
            assert content_sha256(again.hand) == content_sha256(reading.hand)


# -- there and back ----------------------------------------------------------------------------------


def assert_kept(log_: dict[str, Any]) -> None:
    """log → text → log keeps everything, and text → log → text as well."""
    hand, _, _ = read_log(msgspec.json.encode(log_))
    text = write(hand, log_)
    reading = only(text)
    assert reading.hand is not None, (text, [p.message() for p in reading.problems])
    assert content_sha256(reading.hand) == content_sha256(hand)
    assert write(reading.hand, reading.log) == text
    assert own(reading.log) == own(log_)


def own(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    """Every key that begins with ``_``, with its path."""
    if isinstance(value, dict):
        items: Iterator[tuple[Any, Any]] = iter(value.items())
    elif isinstance(value, list):
        items = iter(enumerate(value))
    else:
        return []
    found = []
    for key, item in items:
        if str(key).startswith("_"):
            found.append(((*path, key), item))
        else:
            found += own(item, (*path, key))
    return sorted(found, key=lambda one: str(one[0]))


def test_every_sample_is_the_same_after_the_way_through_the_notation() -> None:
    count = 0
    for source in source_files([ROOT / "sample_logs"]):
        for record in records(str(source)):
            assert isinstance(record, Read)
            assert_kept(json.loads(record.raw))
            count += 1
    assert count > 150


@pytest.mark.parametrize("id_", preset_ids())
@pytest.mark.parametrize(
    ("hands", "seed"), [(25, 3), pytest.param(10_000, 17, marks=pytest.mark.full)], ids=["25", "10000"]
)
def test_simulated_hands_are_the_same_after_the_way_through_the_notation(
    id_: str, hands: int, seed: int
) -> None:
    """Ten presets: 100,000 hands in the full run."""
    for log_ in simulate_range(0, hands, seed, preset(id_), faults=0.3):
        assert_kept(json.loads(msgspec.json.encode(log_)))


def test_simulated_hands_of_forgotten_suits_are_kept() -> None:
    for log_ in simulate_range(0, 20, 5, preset("mien-nam")):
        text = msgspec.json.encode(log_).decode()
        for card in ("8S", "8H", "KD", "2C"):
            text = text.replace(f'"{card}"', f'"{card[:-1]}?"')
        assert_kept(json.loads(text))


FULL: Final[dict[str, Any]] = {
    "format": "tienlen-hand/1",
    "hand_id": ": # «1» \u202e",
    "_shows": {"vi": "…", "n": [1, 2.5, None, "a # b\n"]},
    "_a b": "odd key",
    "club_id": "clb",
    "session_id": "",
    "table_id": "bàn số 1 # ",
    "hand_no": 7,
    "played_at": "2026-11-28T19:30:00+07:00",
    "rules": {"extends": "mien-nam", "set": {"frozen.stakes": 2.5, "forfeit.breaking_sets": False, "chops": [
        {"by": "four_of_a_kind", "over": ["two", "own"], "free": False, "_why": "so"}]}},
    "stake": 1_000_000_000_000,
    "currency": "POINT",
    "players": [
        {"id": "an", "name": "An", "_seat": 1},
        {"id": "x,y", "name": "Bình, con ông \"Tư\""},
        {"id": "c"},
        {"id": "dung", "name": "An"},
    ],
    "dealer": 3,
    "lead": {"reason": "opening", "seat": 2, "_x": 1},
    "deal": [["3S", "8?", "??"], None, [], ["3S"] * 13],
    "events": [
        {"type": "exchange", "seat": 0, "to": 1, "cards": ["2H"], "at": 0},
        {"type": "discard", "seat": 1, "cards": ["3C"], "at": 0.1},
        {"type": "play", "seat": 2, "cards": ["4S", "4C", "5S", "5C", "6S", "6C"], "as": "steal_lead"},
        {"type": "claim", "seat": 3},
        {"type": "claim", "seat": 3, "hand": "six_pairs"},
        {"type": "claim", "seat": 3, "hand": "my, own \"win\"", "cards": ["3S", "3?"]},
        {"type": "say", "seat": 0, "meaning": "pass"},
        {"type": "say", "seat": 0, "meaning": "pass", "cards": ["3S"]},
        {"type": "say", "seat": 0, "meaning": "play", "cards": ["3S", "10H"]},
        {"type": "pass", "seat": 0, "how": "said", "_x": {"y": [1]}},
        {"type": "pass", "seat": 1, "how": "button"},
        {"type": "pass", "seat": 2, "how": "timeout", "at": 3},
        {"type": "take_back", "seat": 1},
        {"type": "show", "seat": 1, "cards": ["3D"], "why": "end"},
        {"type": "show", "seat": 1, "cards": ["3D"], "why": "early"},
        {"type": "show", "seat": 1, "cards": ["3D"], "why": "claim"},
        {"type": "count", "seat": 2},
        {"type": "call", "seat": 2, "remaining": 1},
        {"type": "call", "seat": 2, "remaining": 0},
        {"type": "leave", "seat": 3},
        {"type": "note", "text": "lúc @12"},
        {"type": "note", "text": "hai\ndòng", "at": 12.5},
        {"type": "note", "text": "", "seat": 1},
        {"type": "note", "text": ": luật: x", "seat": 2},
    ],
    "result": {"places": [2, 0, 3, 1], "net": [-12500.5, 0.125, 12.125, 1000.25]},
    "revision": {"number": 2, "by": "Thư ký", "at": "2026-11-29T08:00:00Z", "reason": "ghi nhầm"},
}  # fmt: skip


def test_every_key_of_the_format_is_kept() -> None:
    assert_kept(FULL)


@pytest.mark.parametrize(
    "keys",
    [
        {"rules": {"extends": "mien-nam"}},
        {"rules": {"extends": "mien-nam", "set": {}}},
        {"result": {}},
        {"result": {"places": [0, 1, 2, 3]}},
        {"deal": [None] * 4},
        {"deal": [[], [], [], []]},
        {"currency": "CHIP"},
        {"currency": "POINT"},
        {"currency": "USD"},
        {"lead": None},
        {"_comments": "mine"},
        {"_comments": [{"before": "events[7]", "text": "no such act"}]},
        {"_comments": [{"before": "end", "text": " blank "}]},
        {"_comments": [{"beside": "stake", "text": ""}, {"before": "end", "text": "a"}]},
        {"events": [{"type": "pass", "seat": 0, "at": 1e-7}]},
        {"_big": 10**30},
        {"_half": "\ud800"},
        {"_": 1},
    ],
    ids=str,
)
def test_what_is_rare_is_kept(keys: dict[str, Any]) -> None:
    value = log(**{"events": plays("0 3S", "1"), **keys})
    hand, _, _ = read_log(json.dumps(value).encode())
    text = write(hand, value)
    reading = only(text)
    assert reading.hand is not None, (text, [p.message() for p in reading.problems])
    assert content_sha256(reading.hand) == content_sha256(hand)
    assert reading.raw is not None
    assert own(json.loads(reading.raw)) == own(value)
    assert write(reading.hand, own_log(reading.raw)) == text


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_hostile_names_and_texts_are_kept(data: st.DataObject) -> None:
    texts = st.text(
        st.one_of(st.characters(codec="utf-8"), st.sampled_from('#":,;()@ \t\n[]-_♠♥39AKaàÀ')),
        max_size=12,
    )
    ids = texts.filter(bool)
    players = data.draw(
        st.lists(st.tuples(ids, st.none() | texts), min_size=2, max_size=4, unique_by=lambda p: p[0])
    )
    seats = st.integers(0, len(players) - 1)
    cards = st.lists(st.sampled_from(["3S", "8?", "10H", "2C", "9D"]), min_size=1, max_size=4, unique=True)
    one = data.draw
    value = {
        **log([
            {"type": "note", "text": one(texts)},
            {"type": "note", "text": one(texts), "seat": one(seats), "at": one(st.floats(0, 1e6))},
            {"type": "play", "seat": one(seats), "cards": one(cards)},
            {"type": "exchange", "seat": 0, "to": 1, "cards": one(cards)},
            {"type": "claim", "seat": one(seats), "hand": one(ids), "cards": one(cards)},
            {"type": "say", "seat": one(seats), "meaning": "pass"},
        ], seats=len(players), deal=None, hand_id=one(ids), session_id=one(texts)),
        "players": [{"id": id_, **({} if name is None else {"name": name})} for id_, name in players],
        "result": {"net": [one(st.integers(-10**9, 10**9)) for _ in players]},
        "_" + one(texts): one(st.recursive(st.none() | st.booleans() | st.integers() | texts, st.lists, max_leaves=4)),
        "_comments": [{"before": "events[0]", "text": one(texts)}],
        "lead": {"reason": "agreed", "seat": one(seats)},
    }  # fmt: skip
    assert_kept(json.loads(json.dumps(value)))


def test_comments_stay_where_they_are() -> None:
    text = (
        "# trên cùng\nván: v-1 # tên\n# luật nào?\nluật: mien-nam\ncược: 1\nngười chơi: An, Bình\n"
        "# bài\nbài An: 3♠ …\n"
    )
    acts = "\n# mở màn\n#\nAn 3♠ # hay\nBình bỏ\n# hết\n# thật\n"
    full = canonical(text.replace("…", " ".join(["??"] * 12))).splitlines()
    assert full[0] == "# trên cùng"
    whole = canonical(text + acts)
    assert whole.endswith(acts)
    assert canonical(whole) == whole


def test_several_hands_stand_in_one_text() -> None:
    first, second = HEAD + "An 3♠\n# cuối ván một\n", HEAD.replace("v-1", "v-2") + "\nBình 3♦\n"
    readings = read(first + "\n# đầu ván hai\n" + second)
    assert [r.line for r in readings] == [1, 8]
    assert [r.hand.hand_id for r in readings if r.hand] == ["v-1", "v-2"]
    comments = [r.log["_comments"] for r in readings if r.log]
    assert comments == [
        [{"before": "end", "text": "cuối ván một"}],
        [{"before": "hand_id", "text": "đầu ván hai"}],
    ]
    assert read(first + "\n" + second + "An xyz\n")[1].problems[0].line == 14
    assert read("") == read("\n \n") == []


def test_a_hand_without_a_name_is_named_by_what_it_says() -> None:
    text = HEAD.replace("ván: v-1\n", "")
    one, two, other = only(text + "An 3♠\n"), only("# nói thêm\n" + text + "an 3b\n"), only(text + "An 3♣\n")
    assert one.hand and two.hand and other.hand
    assert one.hand.hand_id == two.hand.hand_id != other.hand.hand_id
    assert one.hand.hand_id.startswith("van-")


@pytest.mark.parametrize(
    ("text", "stake", "currency"),
    [
        ("10000", 10_000, "POINT"),
        ("10.000 VND", 10_000, "VND"),
        ("10,000đ", 10_000, "VND"),
        ("10k điểm", 10_000, "POINT"),
        ("2,5k đồng", 2_500, "VND"),
        ("5 nghìn đồng", 5_000, "VND"),
        ("1.5tr vnd", 1_500_000, "VND"),
        ("2 điểm", 2, "POINT"),
        ("100 chip", 100, "CHIP"),
        ("3 usd", 3, "USD"),
        ("3 XAU", 3, "XAU"),
    ],
)
def test_stakes_are_typed_in_many_ways(text: str, stake: int, currency: str) -> None:
    hand = only(HEAD.replace("10.000 VND", text)).hand
    assert hand is not None
    assert (hand.stake, hand.currency) == (stake, currency)


@pytest.mark.parametrize("text", ["10k", "5 nghìn", "1.5tr", "10.000k", "10.000k đ"])
def test_every_reading_of_a_stake_that_is_asked_about_is_clear_and_has_its_unit(text: str) -> None:
    meanings = asked(f"cược: {text}")
    told = [only(HEAD.replace("10.000 VND", one)).hand for one in meanings]
    assert len({(hand.stake, hand.currency) for hand in told if hand is not None}) == len(meanings) > 1
    assert {hand.currency for hand in told if hand is not None} == (
        {"VND"} if "đ" in text else {"VND", "POINT"}
    )


@pytest.mark.parametrize(
    "text", ["10.5", "1,5", "-5", "mười nghìn", "1e3", "", "10ngh", "10 ngh", "10 xau", "10kXAU"]
)
def test_a_stake_is_a_whole_amount(text: str) -> None:
    assert problem(HEAD.replace("10.000 VND", text)).line == 3


@pytest.mark.parametrize("word", ["vân", "Vân", "VÂN", "văn", "va\u0302n"])
def test_a_heading_with_another_mark_is_not_taken_for_one(word: str) -> None:
    found = problem(HEAD.replace("ván: v-1", f"{word}: v-1"))
    assert (found.line, found.column, found.readings) == (1, 1, ("ván:",))


def test_a_player_called_van_may_have_a_colon_behind_the_name() -> None:
    head = HEAD.replace("Bình", "Vân")
    assert typed("Vân: 3♠", head) == typed("vân 3♠", head) == "Vân 3♠"


@pytest.mark.parametrize(
    ("name", "word"), [("Vân", "Van"), ("Van", "van"), ("Văn Ba", "VAN"), ("Hand", "hand")]
)
@pytest.mark.parametrize("said", ["3♠", "bỏ", "toi-08"])
def test_what_may_begin_a_hand_or_be_a_players_line_is_asked_about(name: str, word: str, said: str) -> None:
    head = HEAD.replace("Bình", name)
    (reading,) = read(f"{head}An 3♠\n{word}: {said}\n")
    assert [(p.line, p.reason, p.readings) for p in reading.problems] == [
        (6, "two_readings", (f"ván: {said}", f"{name} {said}"))
    ]
    assert len(read(f"{head}An 3♠\nván: v-2\n")) == 2
    assert len(read(f"{HEAD}An 3♠\n{word}: v-2\n")) == 2


@pytest.mark.parametrize(
    "names",
    [("Hoa", "Hoà"), ("An", "An"), ("Vân", "Ván"), ("Vân", "nhà 2"), ("<b>", "Bo"), ("Hoa!", "Hoà Mai")],
)
def test_players_who_are_written_by_the_ids_of_their_names_are_read_back(names: tuple[str, str]) -> None:
    head = HEAD.replace("An, Bình, Chi, Dũng", ", ".join(names))
    hand = read_log(only(f"{head}\nnhà 1 3♠\nnhà 2 4♠\n").raw or b"")[0]
    assert [player.name for player in hand.players] == list(names)
    again = read_log(only(write(hand)).raw or b"")[0]
    assert (again.players, again.events) == (hand.players, hand.events)


def test_every_player_whom_the_beginning_of_a_hand_may_mean_is_asked_about() -> None:
    head = HEAD.replace("Bình, Chi, Dũng", "Vân, Văn, Ván")
    (reading,) = read(f"{head}An 3♠\nvan: bỏ\n")
    assert [p.readings for p in reading.problems] == [("ván: bỏ", "Vân bỏ", "Văn bỏ", "van-4 bỏ")]


def test_what_is_asked_about_a_long_line_is_short() -> None:
    (reading,) = read(f"{HEAD.replace('Bình', 'Vân')}An 3♠\nvan: {'x' * 60_000}\n")
    assert max(len(p.message().render("en")) for p in reading.problems) < 500


@pytest.mark.parametrize("word", ["ván", "VÁN", "va\u0301n", "van", "hand"])
def test_a_heading_is_known_in_any_spelling(word: str) -> None:
    reading = only(HEAD.replace("ván: v-1", f"{word}: v-1"))
    assert reading.hand is not None
    assert reading.hand.hand_id == "v-1"


@pytest.mark.parametrize("players", ["", "người chơi: An\n"])
def test_that_the_players_are_not_known_is_told_once(players: str) -> None:
    found = only(HEAD.replace(PLAYERS, players) + "An 3♠\nBình bỏ\nbài An: 3♠\nhạng: An\nChi bỏ\n").problems
    assert len(found) == 1
    assert found[0].line == 4


def test_amounts_are_exact() -> None:
    hand = only(HEAD + "tiền: An -12.500,5; Bình 0,125; Chi 12,1250; Dũng 0.25\n").hand
    assert hand is not None
    assert hand.result is not None
    assert hand.result.net == (Decimal("-12500.5"), Decimal("0.125"), Decimal("12.125"), Decimal("0.25"))
    assert asked("tiền: An 10,000; Bình 0; Chi 0; Dũng 0") == ("10.000", "10")


def test_a_date_is_typed_as_people_write_it() -> None:
    assert typed("lúc: 28/11/2026 19h30 +7") == "lúc: 2026-11-28T19:30:00+07:00"


@pytest.mark.parametrize(
    ("line", "found", "readings"),
    [
        ("lúc: 29/11/2026 21:30", "29/11/2026 21:30", ("29/11/2026 21:30 +7",)),
        ("sửa lúc: 29/11/2026 21h30", "29/11/2026 21h30", ("29/11/2026 21h30 +7",)),
        ("lúc: 2026-11-29T21:30:00", "2026-11-29T21:30:00", ("2026-11-29T21:30:00+07:00",)),
        ("lúc: 31/2/2026 21:30 +7", "31/2/2026 21:30 +7", ()),
        ("lúc: 31/2/2026 21:30", "31/2/2026 21:30", ()),
        ("lúc: tối thứ bảy", "tối thứ bảy", ()),
    ],
)
def test_a_date_that_is_none_is_told_among_the_other_problems_as_it_was_typed(
    line: str, found: str, readings: tuple[str, ...]
) -> None:
    date, act = only(f"{HEAD}{line}\nAn xyz\n").problems
    assert (date.line, date.column, date.reason) == (5, line.index(":") + 3, "bad_time")
    assert (date.found, date.readings) == (found, readings)
    assert act.line == 6


def test_a_refusal_of_a_log_cannot_be_hidden_in_the_notation() -> None:
    """Whatever the notation accepts, the reader of logs accepted."""
    reading = only(HEAD + "An 3♠\n")
    assert reading.raw is not None
    hand, rules, _ = read_log(reading.raw)
    assert (hand, rules) == (reading.hand, reading.rules)
    with pytest.raises(Fault):
        read_log(raw({**json.loads(reading.raw), "stake": -1}))
