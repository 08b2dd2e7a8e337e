"""Reading rule files: what is refused, where, and what is allowed instead."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from analyzer.reports.grounds import descriptions, ground_of
from analyzer.reports.rule_sheet import paths_of, rule_sheet
from analyzer.rules.faults import RuleFault, RulesError
from analyzer.rules.knobs import KNOB_TYPES, ROW_TABLES
from analyzer.rules.loading import club_file, load, parse, preset, preset_ids, resolve


def faults(text: str) -> list[RuleFault]:
    with pytest.raises(RulesError) as caught:
        parse(text.encode(), "club.toml")
    return caught.value.faults


CLUB = 'id = "our-club"\nextends = "mien-nam"\n'


def test_a_club_sets_only_what_differs() -> None:
    rules = parse((CLUB + "[prices]\ntwo_hearts = 2.5\n[tricks]\npass_lock = false\n").encode(), "club.toml")
    assert (rules.id, rules.knobs.prices.two_hearts) == ("our-club", Decimal("2.5"))
    assert rules.knobs.tricks.pass_lock is False
    ground = rules.ground("prices.two_hearts")
    assert ground is not None
    assert (ground.basis, ground.given_by) == ("agreed", "club.toml")
    base = rules.ground("prices.two_spades")
    assert base is not None
    assert base.sources == ("002 L96",)
    assert rules.sha256 != preset("mien-nam").sha256


def test_rows_given_replace_the_table_whole() -> None:
    rows = "[[places]]\nplayers = 4\nfrom = 4\nto = 1\nstakes = 3\n"
    rules = parse((CLUB + rows).encode(), "club.toml")
    assert [(r.from_, r.to, r.stakes) for r in rules.knobs.places] == [(4, 1, Decimal(3))]


@pytest.mark.parametrize(
    ("text", "key", "line", "told"),
    [
        ("[tabel]\nx = 1\n", "tabel", 3, "nearest: table"),
        ("[table]\ndirektion = 'clockwise'\n", "table.direktion", 4, "nearest: table.direction"),
        ("[table]\ndirection = 'left'\n", "table.direction", 4, "one of counterclockwise, clockwise"),
        ("[tricks]\npass_lock = 1\n", "tricks.pass_lock", 4, "true or false"),
        ("[prices]\ntwo_hearts = '1'\n", "prices.two_hearts", 4, "a number from 0"),
        ("[prices]\ntwo_hearts = 0.0001\n", "prices.two_hearts", 4, "at most three decimals"),
        ("[prices]\ntwo_hearts = -1\n", "prices.two_hearts", 4, "0 to 1,000,000"),
        ("[prices]\ntwo_hearts = nan\n", "prices.two_hearts", 4, "0 to 1,000,000"),
        ("[table]\nhand_size = 99\n", "table.hand_size", 4, "from 1 to 26"),
        ("[combinations]\nfollow = 'absent'\n", "combinations.follow", 4, "one of any, suit"),
        ("[lead]\ncard = '3X'\n", "lead.card", 4, "lowest"),
        ("[frozen]\nstakes = { value = 3, basis = 'rumour' }\n", "frozen.stakes", 4, "stated, inferred"),
        ("[frozen]\nstakes = { value = 3, basis = 'stated' }\n", "frozen.stakes", 4, "a document and line"),
        ("[frozen]\nstakes = { value = 3, source = '009 L1' }\n", "frozen.stakes", 4, "one of 000"),
        ("[frozen]\nstakes = { value = 3, source = '004 L999' }\n", "frozen.stakes", 4, "1 to"),
        ("[frozen]\nstakes = { vaule = 3 }\n", "frozen.stakes.vaule", 4, "nearest: value"),
        ("[[chops]]\nby = 'three_pairs'\nover = ['king']\n", "chops", 3, "pair_of_twos"),
        ("[[places]]\nplayers = 2\nfrom = 3\nto = 1\nstakes = 1\n", "places", 3, "exist at that table"),
        ("[[chops]]\nby = 'three_pairs'\nover = ['two']\n" * 2, "chops", 3, "each row once"),
        ("extends = 'mien-nan'\n", "file", None, "TOML"),
    ],
)
def test_a_wrong_file_names_line_key_and_what_is_allowed(
    text: str, key: str, line: int | None, told: str
) -> None:
    fault = next(f for f in faults(CLUB + text) if f.key == key)
    assert fault.line == line
    assert told in str(fault)
    assert "club.toml" in str(fault)


def test_every_fault_of_a_file_is_told_at_once() -> None:
    text = CLUB + "[table]\nx = 1\n[tricks]\npass_lock = 5\n[prices]\ntwo_hearts = -2\n"
    assert [f.key for f in faults(text)] == ["table.x", "tricks.pass_lock", "prices.two_hearts"]


def test_an_incomplete_file_without_a_base_says_what_is_missing() -> None:
    keys = {f.key for f in faults('id = "x"\n[table]\nhand_size = 13\n')}
    assert "table.direction" in keys and "places" in keys and "table.hand_size" not in keys


def test_an_unknown_preset_names_the_nearest() -> None:
    assert "nearest: mien-bac" in str(faults('extends = "mien-bak"\n')[0])


@pytest.mark.parametrize("raw", [b"\xff", b"a = 1\na = 2\n", b"[" * 5000, b"x" * 300_000])
def test_hostile_files_are_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(raw)
    with pytest.raises(RulesError):
        load(path)


def test_the_file_a_club_starts_from_has_every_value_of_its_base() -> None:
    for id_ in preset_ids():
        text = club_file("our-club", preset(id_))
        assert parse(text.encode(), "c.toml").sha256 == preset(id_).sha256
        assert parse(text.replace("# ", "").encode(), "c.toml").sha256 == preset(id_).sha256
        assert text.count("# ") == len(KNOB_TYPES) - len(ROW_TABLES)


def test_every_fault_speaks_both_languages() -> None:
    for fault in faults(
        CLUB + "[tabel]\n[tricks]\npass_lock = 5\n[table]\nhand_size = 0\n[[chops]]\nby = 1\n"
    ):
        assert "{" not in fault.allowed.render("vi")


def test_absent_switches_an_optional_knob_off() -> None:
    for off in (None, "absent"):
        rules = resolve({"extends": "mien-trung", "set": {"frozen.not_when_exactly": off}})
        assert rules.knobs.frozen.not_when_exactly is None


def test_equal_values_are_one_rule_set_however_written() -> None:
    one = resolve({"extends": "mien-nam", "set": {"prices.two_hearts": 2.50, "tricks.pass_lock": True}})
    two = resolve({"extends": "mien-nam", "set": {"tricks.pass_lock": True, "prices.two_hearts": 2.5}})
    assert one.sha256 == two.sha256 != preset("mien-nam").sha256


@pytest.mark.parametrize("id_", preset_ids())
def test_the_sheet_tells_every_value_and_its_ground(id_: str) -> None:
    rules = preset(id_)
    sheet = rule_sheet(rules, "en")
    for path in paths_of(rules):
        assert f"  {path} = " in sheet
        assert ground_of(rules, path).cite("vi")
    assert {p for p in paths_of(rules) if p in KNOB_TYPES} >= set(KNOB_TYPES) - set(ROW_TABLES)
    assert "«" in sheet


def test_every_knob_is_documented() -> None:
    told = descriptions()
    assert set(told) == set(KNOB_TYPES)
    assert all(text.endswith(".") for text in told.values())


@pytest.mark.parametrize(
    "text",
    [
        CLUB + "chops = { by = 'two' }\n",
        CLUB + "[chops]\nby = 'two'\n",
        CLUB + "[table]\nhand_size = " + "9" * 5000 + "\n",
        CLUB + "[frozen]\nstakes = { value = 1, basis = 'stated', source = ['000 L" + "9" * 5000 + "'] }\n",
    ],
)
def test_odd_values_are_faults_and_never_tracebacks(text: str) -> None:
    assert faults(text)


def test_an_agreement_of_a_log_is_refused_at_its_first_fault() -> None:
    with pytest.raises(RulesError) as caught:
        resolve({"extends": "mien-nam", "set": {"no.such": 1, "nor.this": 2}})
    assert [fault.key for fault in caught.value.faults] == ["no.such"]


def test_every_row_that_stands_twice_is_named_once() -> None:
    rows = "".join(f"[[card_count]]\nup_to = {up_to}\nstakes = 1\n" for up_to in (3, 3, 3, 5, 6, 6))
    assert sorted(fault.found for fault in faults(CLUB + rows)) == ["card_count.3", "card_count.6"]
