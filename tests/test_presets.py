"""The ten presets: every value has its ground, every value counts, and the printed values are there."""

from __future__ import annotations

import copy
import typing
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

import msgspec
import pytest

from analyzer.rules.knobs import KNOB_TYPES, ROW_KEYS, ROW_TABLES
from analyzer.rules.loading import PRESETS, SOURCE, cite, load, override, preset, preset_ids, sources
from analyzer.rules.ruleset import Ground, RuleSet, row_path

IDS: Final = (
    "mien-nam",
    "binh-tri-thien",
    "mien-bac",
    "mien-bac-cuoc",
    "mien-nam-co-dien",
    "mien-nam-diem",
    "mien-nam-lang",
    "mien-trung",
    "nhan-cuoc",
    "phong-cua",
)


def grounds(rules: RuleSet) -> Iterator[tuple[str, Ground]]:
    """Every knob and row with the ground it stands on; a table without rows as one knob."""
    for path in KNOB_TYPES:
        rows = rules.value(path) if path in ROW_TABLES else None
        for name in [row_path(path, row) for row in rows] if rows else [path]:
            ground = rules.ground(name)
            assert ground is not None, f"{rules.id}: {name} has no basis"
            yield name, ground


# -- grounds -------------------------------------------------------------------------------------


def test_there_are_ten_and_the_portals_south_is_the_default() -> None:
    assert preset_ids() == IDS


@pytest.mark.parametrize("id_", IDS)
def test_a_preset_loads_and_is_named(id_: str) -> None:
    rules = load(PRESETS / f"{id_}.toml")
    assert rules.id == id_
    assert set(rules.title) == {"vi", "en"}
    assert all(rules.title.values())
    assert rules.sha256 == preset(id_).sha256


def test_presets_differ_from_one_another() -> None:
    assert len({preset(id_).sha256 for id_ in IDS}) == len(IDS)


@pytest.mark.parametrize("id_", IDS)
def test_every_value_has_a_basis(id_: str) -> None:
    """Stated: with its line. Inferred: with the reasoning and the lines it rests on. Else: house."""
    for path, ground in grounds(preset(id_)):
        assert ground.basis in ("stated", "inferred", "house"), path
        assert ground.given_by in (f"{base}.toml" for base in IDS), path
        if ground.basis != "house":
            assert ground.sources, path
        if ground.basis == "stated":
            assert all(" L" in reference for reference in ground.sources), path
        if ground.basis == "inferred":
            assert ground.because, path
        for sentence in (ground.because, ground.doubt):
            assert sentence is None or (sentence.strip() == sentence and sentence.endswith(".")), path


@pytest.mark.parametrize("id_", IDS)
def test_every_reference_is_within_its_document(id_: str) -> None:
    for path, ground in grounds(preset(id_)):
        for reference in ground.sources:
            match = SOURCE.fullmatch(reference)
            assert match, (path, reference)
            first, last = int(match[2] or 1), int(match[3] or match[2] or 1)
            assert 1 <= first <= last <= sources()[match[1]].lines, (path, reference)
            assert sources()[match[1]].title in cite(reference)


def test_the_documents_are_as_long_as_they_are() -> None:
    lengths = {id_: source.lines for id_, source in sources().items()}
    assert lengths == {"000": 109, "001": 44, "002": 107, "003": 62, "004": 89}


SINGLE_SOURCE: Final = {
    "mien-nam": {"002"},
    "mien-nam-co-dien": {"000", "002"},  # who is preferred among several instant winners
    "mien-nam-diem": {"000", "002"},
    "mien-nam-lang": {"000", "002"},
    "binh-tri-thien": {"000", "002"},
    "mien-trung": {"000", "002"},
    "mien-bac": {"000", "002"},  # no consecutive pairs in the North, also 002 L40
    "mien-bac-cuoc": {"001"},
    "phong-cua": {"003"},
    "nhan-cuoc": {"004"},
}


@pytest.mark.parametrize("id_", IDS)
def test_a_preset_cites_its_own_document(id_: str) -> None:
    cited = {reference[:3] for _, ground in grounds(preset(id_)) for reference in ground.sources}
    assert cited == SINGLE_SOURCE[id_]


@pytest.mark.parametrize(
    ("id_", "path"),
    [
        ("mien-nam-co-dien", "prices.three_pairs"),
        ("mien-nam-co-dien", "prices.four_of_a_kind"),
        ("mien-nam-co-dien", "prices.four_pairs"),
        ("mien-nam-co-dien", "instant_wins.four_twos"),
        ("mien-nam-co-dien", "finish.with_two"),
        ("mien-bac", "rotten.twos_flat"),
        ("mien-bac", "finish.sweep_broken"),
        ("nhan-cuoc", "chop_money.chain"),
        ("nhan-cuoc", "finish.loss_cap"),
        ("phong-cua", "end.when"),
    ],
)
def test_where_a_source_contradicts_itself_the_value_carries_the_doubt(id_: str, path: str) -> None:
    ground = preset(id_).ground(path)
    assert ground is not None
    assert ground.doubt


# -- every value counts --------------------------------------------------------------------------


def plain_rows(rows: list[Any]) -> list[Any]:
    """Rows as a log's ``set`` has them; amounts stay exact."""
    return [msgspec.to_builtins(row, builtin_types=(Decimal,)) for row in rows]


def others(value: Any, type_: Any) -> Iterator[Any]:
    """Values of the knob's type that differ from ``value`` in one place."""
    if typing.get_origin(type_) is typing.Annotated:
        type_ = typing.get_args(type_)[0]
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin is list:
        yield from other_lists(value, arguments[0])
    elif type_ is bool:
        yield not value
    elif origin is typing.Literal:
        yield from (other for other in arguments if other != value)
    elif type_ is Decimal:
        yield value + Decimal("0.001")
    elif type_ is int:
        yield value + 1
    elif type_ is str:
        yield "4H"
    else:
        for part in arguments:
            if part is type(None):
                if value is not None:
                    yield "absent"
            elif value is None:
                literal = typing.get_origin(part) is typing.Literal
                yield from typing.get_args(part) if literal else [Decimal(1) if part is Decimal else 1]
            else:
                yield from others(value, part)


def other_lists(value: list[Any], type_: Any) -> Iterator[list[Any]]:
    rows = plain_rows(value)
    for index in range(len(rows)):
        yield rows[:index] + rows[index + 1 :]
        if not isinstance(type_, type):
            continue
        for field in msgspec.structs.fields(type_):
            for other in others(getattr(value[index], field.name), field.type):
                changed = copy.deepcopy(rows)
                changed[index][field.encode_name] = other
                yield changed
    if not rows and not isinstance(type_, type):
        yield [typing.get_args(type_)[0]]


def fits(path: str, value: Any) -> bool:
    """Whether a changed table of rows still is one: each row once, places that exist."""
    if path not in ROW_TABLES or not isinstance(value, list):
        return True
    names = [tuple(row[key] for key in ROW_KEYS[path]) for row in value]
    if len(set(names)) != len(names):
        return False
    if path == "chops":
        return all(row["over"] for row in value)
    return path != "places" or all(
        row["from"] != row["to"] and max(row["from"], row["to"]) <= row["players"] <= 4 for row in value
    )


@pytest.mark.parametrize("id_", IDS)
def test_changing_any_one_value_changes_the_sha256(id_: str) -> None:
    rules = preset(id_)
    seen = {rules.sha256: "the preset itself"}
    for path, type_ in KNOB_TYPES.items():
        changes = [value for value in others(rules.value(path), type_) if fits(path, value)]
        assert changes or path in ("places", "card_count"), path
        for value in changes:
            sha256 = override(rules, {path: value}).sha256
            assert sha256 not in seen, f"{path} = {value!r} hashes like {seen[sha256]}"
            seen[sha256] = f"{path} = {value!r}"
    assert len(seen) > len(KNOB_TYPES)


@pytest.mark.parametrize("id_", IDS)
def test_setting_a_value_to_what_it_is_keeps_the_sha256(id_: str) -> None:
    rules = preset(id_)
    for path in KNOB_TYPES:
        value = rules.value(path)
        plain = "absent" if value is None else [*value] if isinstance(value, list) else value
        if path in ROW_TABLES:
            plain = plain_rows(value)
        assert override(rules, {path: plain}).sha256 == rules.sha256, path


def test_equal_amounts_are_one_value() -> None:
    rules = preset("mien-nam")
    for spelled in ("0.5", "0.50", "0.500"):
        assert override(rules, {"prices.two_spades": Decimal(spelled)}).sha256 == rules.sha256


# -- the printed values --------------------------------------------------------------------------

PRICE_ORDER: Final = (
    "two_spades",
    "two_clubs",
    "two_diamonds",
    "two_hearts",
    "three_pairs",
    "four_of_a_kind",
    "four_pairs",
)
CLASSIC: Final = "0.5 0.5 1 1 20 10 30"
PRICES: Final = {
    "mien-nam": "0.5 0.5 1 1 1 1.5 2",  # 002 L96-L99
    "mien-nam-co-dien": CLASSIC,  # 000 L53-L57
    "mien-nam-lang": CLASSIC,
    "binh-tri-thien": CLASSIC,
    "mien-trung": CLASSIC,
    "mien-nam-diem": "1 2 3 4 4 4 4",  # 000 L59-L63
    "mien-bac": "1 2 3 4 0 4 0",
    "mien-bac-cuoc": "1 2 3 4 0 4 0",  # 001 L37, L39
    "phong-cua": "2 2 4 4 4 4 4",  # 003 L35-L36, L41
    "nhan-cuoc": "1 1 2 2 3 4 5",  # 004 L71-L75
}


@pytest.mark.parametrize("id_", IDS)
def test_the_price_list(id_: str) -> None:
    rules = preset(id_)
    told = [rules.flat()[f"prices.{name}"] for name in PRICE_ORDER]
    assert " ".join(told) == PRICES[id_]
    left = [rules.flat()[f"rotten_prices.{name}"] for name in PRICE_ORDER]
    if id_ == "mien-bac-cuoc":
        assert " ".join(left) == "1 1 2 2 0 2 0"  # 001 L28-L29
    else:
        assert left == [None] * 7


VALUES: Final[dict[str, dict[str, Any]]] = {
    "table.direction": {"": "counterclockwise", "nhan-cuoc": "clockwise"},
    "table.hand_size": {"": 13},
    "combinations.follow": {"": "any", "mien-bac": "suit", "mien-bac-cuoc": "suit"},
    "combinations.compare_bombs": {"": "card", "nhan-cuoc": "rank"},
    "combinations.consecutive_pairs": {"": "any", "mien-bac": "none", "mien-bac-cuoc": "one_colour"},
    "tricks.pass_lock": {"": True},
    "tricks.auto_close": {"": False, "nhan-cuoc": True},
    "chop_money.chain": {"": "last_pays_all", "phong-cua": "kth_multiple"},
    "chop_money.final_chop": {
        "": "void",
        "binh-tri-thien": "credit",
        "mien-bac": "stands",
        "mien-bac-cuoc": "stands",
        "phong-cua": "stands",
        "nhan-cuoc": "stands",
    },
    "chop_money.two_over_two": {"": False, "mien-bac": True, "mien-bac-cuoc": True},
    "chop_money.charge_uncut_twos": {"": False},
    "chop_money.begins_on_twos_only": {"": False, "phong-cua": True},
    "lead.card": {"": "3S", "binh-tri-thien": "3C", "mien-bac-cuoc": "lowest", "nhan-cuoc": "lowest"},
    "lead.must_play": {"": True, "mien-bac-cuoc": False, "nhan-cuoc": False},
    "lead.after_instant_win": {"": "opening", "phong-cua": "winner", "nhan-cuoc": "winner"},
    "lead.steal": {"": False, "binh-tri-thien": True, "mien-trung": True},
    "instant_wins.stakes": {"": "2", "phong-cua": "8"},
    "instant_wins.several": {"": "nearest_to_leader", "phong-cua": "shared"},
    "instant_wins.four_twos": {"": "win"},
    "instant_wins.counts_twos": {"": False, "mien-nam": True},
    "end.when": {"": "last_holder", "nhan-cuoc": "first_out"},
    "frozen.mode": {
        "": "each",
        "mien-nam-lang": "village",
        "mien-bac": "none",
        "mien-bac-cuoc": "none",
        "nhan-cuoc": "none",
    },
    "frozen.stakes": {"": "2", "phong-cua": "8"},
    "frozen.not_when_exactly": {"": None, "mien-trung": 2},
    "forfeit.all_frozen": {
        "": True,
        "mien-nam-lang": False,
        "mien-bac": False,
        "mien-bac-cuoc": False,
        "phong-cua": False,
        "nhan-cuoc": False,
    },
    "forfeit.scope": {"": "any_pass"},
    "forfeit.breaking_sets": {"": True},
    "forfeit.hoarded_bomb": {"": False},
    "forfeit.one_card_duty": {"": False},
    "rotten.payer": {"": "holder", "nhan-cuoc": "all_losers"},
    "rotten.twos_flat": {"": None, "mien-bac": "13"},
    "finish.with_two": {"": "allowed", "mien-bac": "last_place", "mien-bac-cuoc": "pay_each"},
    "finish.with_two_stakes": {"": "0", "mien-bac-cuoc": "2"},
    "finish.with_four_of_a_kind": {"": False, "mien-bac": True, "mien-bac-cuoc": True},
    "finish.three_of_spades": {"": None, "binh-tri-thien": "others_last", "mien-trung": "others_last"},
    "finish.left_with_three_of_spades": {"": None, "binh-tri-thien": "above", "mien-trung": "each"},
    "finish.sweep_broken": {"": False, "mien-bac": True},
    "finish.loss_cap": {"": None, "nhan-cuoc": "35"},
    "before.tribute_two": {"": None, "mien-trung": "9", "mien-bac": "10"},
    "before.tribute_ace": {"": None, "mien-trung": "4", "mien-bac": "5"},
    "before.give_threes": {"": False},
    "before.four_threes": {"": False, "mien-bac": True},
    "conduct.words_bind": {"": True},
    "conduct.exposed": {"": "warning"},
    "conduct.counting": {"": True},
    "conduct.call_going_out": {
        "": True,
        "mien-nam": False,
        "mien-bac": False,
        "mien-bac-cuoc": False,
        "phong-cua": False,
        "nhan-cuoc": False,
    },
    "conduct.seconds_per_turn": {"": None, "mien-bac-cuoc": 30},
    "session.bust_below_zero": {"": False, "mien-bac": True},
}
"""Knob → preset → its value; "" stands for every preset that is not named."""

OPENING: Final = "four_threes three_pairs_with_3s"
PORTAL: Final = "four_twos six_pairs five_consecutive_pairs dragon one_colour four_triples two_fours"
ENCYCLOPAEDIA: Final = "four_twos six_pairs five_consecutive_pairs dragon one_colour"
ROOMS: Final = "four_twos six_pairs five_consecutive_pairs dragon"
INSTANT_WINS: Final = {
    "mien-nam": (OPENING, PORTAL),  # 002 L62-L72
    "mien-nam-co-dien": (OPENING, ENCYCLOPAEDIA),  # 000 L22-L30, L41
    "mien-nam-diem": (OPENING, ENCYCLOPAEDIA),
    "mien-nam-lang": (OPENING, ENCYCLOPAEDIA),
    "mien-trung": (OPENING, ENCYCLOPAEDIA),
    "binh-tri-thien": ("", ENCYCLOPAEDIA),  # 000 L72
    "mien-bac": ("", ""),  # 000 L104
    "mien-bac-cuoc": ("", ""),
    "phong-cua": (ROOMS, ROOMS),  # 003 L49-L52
    "nhan-cuoc": (f"{ROOMS} three_consecutive_triples",) * 2,  # 004 L85-L89
}

PLACES: Final = {
    "": "2.2>1:1 3.2>1:0.5 3.3>1:1 4.3>2:0.5 4.4>1:1",
    "phong-cua": "2.2>1:4 3.2>1:2 3.3>1:4 4.3>2:2 4.4>1:4",  # 003 L58-L60
    "mien-bac-cuoc": "2.2>1:1 3.2>1:1 3.3>1:2 4.2>1:1 4.3>1:2 4.4>1:3",  # 001 L31-L34
    "nhan-cuoc": "",
}


def test_every_knob_has_its_values_written_down_here() -> None:
    tabled = {"chops", "places", "card_count", "instant_wins.opening", "instant_wins.other"}
    listed = {path for path in KNOB_TYPES if path.startswith(("prices.", "rotten_prices."))}
    assert set(VALUES) == set(KNOB_TYPES) - tabled - listed


@pytest.mark.parametrize("id_", IDS)
def test_the_values_of_a_preset(id_: str) -> None:
    flat = preset(id_).flat()
    wrong = {
        path: flat[path]
        for path, by_preset in VALUES.items()
        if flat[path] != by_preset.get(id_, by_preset[""])
    }
    assert wrong == {}


@pytest.mark.parametrize("id_", IDS)
def test_the_instant_wins_of_a_preset(id_: str) -> None:
    flat = preset(id_).flat()
    opening, other = INSTANT_WINS[id_]
    assert set(flat["instant_wins.opening"]) == set(opening.split())
    assert set(flat["instant_wins.other"]) == set(other.split())


@pytest.mark.parametrize("id_", IDS)
def test_the_places_of_a_preset(id_: str) -> None:
    rows = sorted(
        f"{row['players']}.{row['from']}>{row['to']}:{row['stakes']}" for row in preset(id_).flat()["places"]
    )
    assert " ".join(rows) == PLACES.get(id_, PLACES[""])


def test_the_count_of_cards() -> None:
    """004 L78-L80."""
    rows = {id_: [(r["up_to"], r["stakes"]) for r in preset(id_).flat()["card_count"]] for id_ in IDS}
    assert rows.pop("nhan-cuoc") == [(6, "1"), (12, "2"), (13, "3")]
    assert set(map(len, rows.values())) == {0}


FREE: Final = {
    "mien-nam": {"four_pairs", "five_pairs"},  # 002 L88
    "mien-nam-co-dien": {"four_of_a_kind", "four_pairs", "five_pairs"},  # 000 L45-L46
    "mien-nam-diem": {"four_of_a_kind", "four_pairs", "five_pairs"},
    "mien-nam-lang": {"four_of_a_kind", "four_pairs", "five_pairs"},
    "mien-trung": {"four_pairs"},  # 000 L82
}
OWN: Final = {
    "": {"three_pairs", "four_of_a_kind", "four_pairs", "five_pairs"},
    "binh-tri-thien": {"four_of_a_kind", "four_pairs"},
    "mien-trung": {"four_of_a_kind", "four_pairs"},
    "mien-bac": {"four_of_a_kind"},
    "mien-bac-cuoc": {"four_of_a_kind"},
    "phong-cua": set[str](),
    "nhan-cuoc": {"three_pairs", "four_of_a_kind", "four_pairs"},
}


@pytest.mark.parametrize("id_", IDS)
def test_what_chops_freely_and_what_chops_its_own_kind(id_: str) -> None:
    rows = preset(id_).flat()["chops"]
    assert {row["by"] for row in rows if row["free"]} == FREE.get(id_, set())
    assert {row["by"] for row in rows if "own" in row["over"]} == OWN.get(id_, OWN[""])
