"""Every knob of a house rule set, typed and documented in one place.

The dotted path of a knob is its section and its field (``chop_money.chain``); a preset's TOML file
and a log's ``set`` use the same paths. Prices and stakes are exact numbers of *stakes* (cược) with at
most three decimals. A knob that may be ``None`` is switched off by the value ``"absent"`` (or ``null``
in a log's ``set``).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Stakes = Decimal
"""An exact number of stakes, 0 to 1,000,000 with at most three decimals (the loader checks that)."""

Players = Annotated[int, Meta(ge=2, le=4)]
Place = Annotated[int, Meta(ge=1, le=4)]

Bomb = Literal["three_pairs", "four_of_a_kind", "four_pairs", "five_pairs", "one_suit_five", "one_suit_six"]
Target = Literal["two", "pair_of_twos", "three_pairs", "four_of_a_kind", "four_pairs", "five_pairs", "own"]
InstantWin = Literal[
    "four_threes",
    "three_pairs_with_3s",
    "four_twos",
    "six_pairs",
    "five_consecutive_pairs",
    "dragon",
    "one_colour",
    "four_triples",
    "two_fours",
    "three_consecutive_triples",
]
ReturnLimit = Literal["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One group of knobs."""


class TableRules(Section, frozen=True):
    direction: Annotated[
        Literal["counterclockwise", "clockwise"], Meta(description="The direction in which turns go round.")
    ]
    hand_size: Annotated[int, Meta(ge=1, le=26, description="Cards dealt to each seat.")]


class CombinationRules(Section, frozen=True):
    follow: Annotated[
        Literal["any", "suit"],
        Meta(description="Whether an answer must follow the suit or colour of what it beats (the North)."),
    ]
    compare_bombs: Annotated[
        Literal["card", "rank"],
        Meta(description="Whether two bombs of a kind compare by their highest card or by rank alone."),
    ]
    consecutive_pairs: Annotated[
        Literal["any", "one_colour", "none"],
        Meta(description="Which runs of three or more pairs may be played."),
    ]


class TrickRules(Section, frozen=True):
    pass_lock: Annotated[bool, Meta(description="A seat that passed is out until the trick ends.")]
    auto_close: Annotated[
        bool, Meta(description="Three twos, and a sequence up to the ace of hearts, end the trick at once.")
    ]


class ChopRow(Section, frozen=True):
    by: Annotated[Bomb, Meta(description="The bomb that chops.")]
    over: Annotated[
        list[Target],
        Meta(description="What it chops; `own` is a lower set of the same kind and length.", min_length=1),
    ]
    free: Annotated[bool, Meta(description="It may come at any time, out of turn and after a pass too.")] = (
        False
    )


class ChopMoney(Section, frozen=True):
    chain: Annotated[
        Literal["last_pays_all", "kth_multiple", "each_link", "last_link"],
        Meta(description="Who pays for a chain of chops, and how much."),
    ]
    final_chop: Annotated[
        Literal["void", "credit", "stands"],
        Meta(description="What becomes of a chain whose last victim went out on the very cards chopped."),
    ]
    two_over_two: Annotated[bool, Meta(description="A higher two on a two is itself a chop.")]
    charge_uncut_twos: Annotated[
        bool,
        Meta(description="The last victim also pays for the single twos directly under the chopped one."),
    ]
    begins_on_twos_only: Annotated[bool, Meta(description="A chain that did not begin on twos pays nothing.")]


class Prices(Section, frozen=True):
    two_spades: Annotated[Stakes, Meta(description="Price of the two of spades.")]
    two_clubs: Annotated[Stakes, Meta(description="Price of the two of clubs.")]
    two_diamonds: Annotated[Stakes, Meta(description="Price of the two of diamonds.")]
    two_hearts: Annotated[Stakes, Meta(description="Price of the two of hearts.")]
    three_pairs: Annotated[Stakes, Meta(description="Price of three consecutive pairs.")]
    four_of_a_kind: Annotated[Stakes, Meta(description="Price of four of a kind.")]
    four_pairs: Annotated[Stakes, Meta(description="Price of four or more consecutive pairs.")]


class RottenPrices(Section, frozen=True):
    """Prices of what is left in a holding; a price that is absent follows ``prices``."""

    two_spades: Annotated[Stakes | None, Meta(description="Price of a two of spades left over.")] = None
    two_clubs: Annotated[Stakes | None, Meta(description="Price of a two of clubs left over.")] = None
    two_diamonds: Annotated[Stakes | None, Meta(description="Price of a two of diamonds left over.")] = None
    two_hearts: Annotated[Stakes | None, Meta(description="Price of a two of hearts left over.")] = None
    three_pairs: Annotated[Stakes | None, Meta(description="Price of three consecutive pairs left over.")] = (
        None
    )
    four_of_a_kind: Annotated[Stakes | None, Meta(description="Price of four of a kind left over.")] = None
    four_pairs: Annotated[Stakes | None, Meta(description="Price of four or more pairs left over.")] = None


class LeadRules(Section, frozen=True):
    card: Annotated[
        str,
        Meta(
            pattern=r"^(lowest|(10|[3-9JQKA2])[SCDH])$",
            description="The card whose holder leads an opening hand; if it was not dealt, the lowest card.",
        ),
    ]
    must_play: Annotated[bool, Meta(description="The opening play must contain that card.")]
    after_instant_win: Annotated[
        Literal["opening", "winner"], Meta(description="Who leads after an instant win.")
    ]
    steal: Annotated[
        bool,
        Meta(description="Three consecutive pairs may take the lead before the first play of a later hand."),
    ]


class InstantWins(Section, frozen=True):
    opening: Annotated[list[InstantWin], Meta(description="Instant wins of an opening hand.")]
    other: Annotated[list[InstantWin], Meta(description="Instant wins of every other hand.")]
    stakes: Annotated[Stakes, Meta(description="What each other seat pays an instant winner.")]
    several: Annotated[
        Literal["nearest_to_leader", "shared"],
        Meta(description="Who is paid when several hold an instant win."),
    ]
    four_twos: Annotated[
        Literal["win", "redeal", "play"], Meta(description="What four twos in one holding mean.")
    ]
    counts_twos: Annotated[
        bool, Meta(description="After six consecutive pairs the losers also pay their twos and bombs.")
    ]


class EndRules(Section, frozen=True):
    when: Annotated[
        Literal["last_holder", "first_out"],
        Meta(description="Whether play goes on after the first seat is out."),
    ]


class PlaceRow(Section, frozen=True, rename={"from_": "from"}):
    players: Annotated[Players, Meta(description="At a table of so many.")]
    from_: Annotated[Place, Meta(description="The place that pays.")]
    to: Annotated[Place, Meta(description="The place that is paid.")]
    stakes: Annotated[Stakes, Meta(description="How many stakes.")]


class CardCountRow(Section, frozen=True):
    up_to: Annotated[int, Meta(ge=1, le=26, description="With so many cards left or fewer.")]
    stakes: Annotated[Stakes, Meta(description="How many stakes a loser pays.")]


class FrozenRules(Section, frozen=True):
    mode: Annotated[
        Literal["none", "each", "village"],
        Meta(description="What befalls a seat that played no card before the first seat was out."),
    ]
    stakes: Annotated[
        Stakes, Meta(description="What a frozen seat pays the winner, before its twos and bombs.")
    ]
    not_when_exactly: Annotated[
        Literal[1, 2, 3] | None, Meta(description="Nobody is frozen when exactly so many have not played.")
    ]


class ForfeitRules(Section, frozen=True):
    all_frozen: Annotated[
        bool, Meta(description="When all others are frozen, the first who could have blocked pays for all.")
    ]
    scope: Annotated[Literal["any_pass", "last_trick"], Meta(description="Which passes are examined.")]
    breaking_sets: Annotated[
        bool,
        Meta(
            description="A play that breaks up the cards of a rank counts as one that could have been made."
        ),
    ]
    hoarded_bomb: Annotated[
        bool,
        Meta(description="Who alone could have chopped the twos another went out on pays for the table."),
    ]
    one_card_duty: Annotated[
        bool, Meta(description="The seat before one that holds a single card must play its highest single.")
    ]


class RottenRules(Section, frozen=True):
    payer: Annotated[
        Literal["holder", "all_losers", "none"], Meta(description="Who pays for twos and bombs left over.")
    ]
    twos_flat: Annotated[
        Stakes | None, Meta(description="Any twos left cost this much once, and nothing else does.")
    ]


class FinishRules(Section, frozen=True):
    with_two: Annotated[
        Literal["allowed", "last_place", "pay_each", "forbidden"], Meta(description="Going out on a two.")
    ]
    with_two_stakes: Annotated[
        Stakes, Meta(description="What going out on a two costs to each other seat, where that is its price.")
    ]
    with_four_of_a_kind: Annotated[
        bool, Meta(description="Going out on four of a kind counts as going out on a two.")
    ]
    three_of_spades: Annotated[
        Literal["others_last"] | None,
        Meta(description="Going out first on a lone three of spades: each other pays one stake as if last."),
    ]
    left_with_three_of_spades: Annotated[
        Literal["above", "each"] | None,
        Meta(
            description="Being last with only the three of spades costs one stake, to the seat above or each."
        ),
    ]
    sweep_broken: Annotated[
        bool,
        Meta(
            description="A seat that alone has played, one combination left, pays each one stake if beaten."
        ),
    ]
    loss_cap: Annotated[Stakes | None, Meta(description="The most stakes a seat can lose in a hand.")]


class BeforeRules(Section, frozen=True):
    tribute_two: Annotated[
        ReturnLimit | None,
        Meta(description="The highest rank that may come back for a two given as tribute."),
    ]
    tribute_ace: Annotated[
        ReturnLimit | None,
        Meta(description="The highest rank that may come back for an ace given as tribute."),
    ]
    give_threes: Annotated[bool, Meta(description="Every three is put away before the first play.")]
    four_threes: Annotated[
        bool, Meta(description="When one seat is dealt four threes, everybody puts all twos away.")
    ]


class ConductRules(Section, frozen=True):
    words_bind: Annotated[bool, Meta(description="A word or gesture in one's own turn binds.")]
    exposed: Annotated[Literal["allowed", "warning", "forfeit"], Meta(description="Showing cards too early.")]
    counting: Annotated[bool, Meta(description="Counting or inspecting the played cards is forbidden.")]
    call_going_out: Annotated[bool, Meta(description="Going out must be called.")]
    seconds_per_turn: Annotated[
        Annotated[int, Meta(ge=1, le=86_400)] | None, Meta(description="Seconds allowed for one act.")
    ]


class SessionRules(Section, frozen=True):
    bust_below_zero: Annotated[
        bool, Meta(description="A player whose running total falls below zero is bust.")
    ]


class Knobs(Section, frozen=True):
    """A complete set of house rules: every knob has a value."""

    table: TableRules
    combinations: CombinationRules
    tricks: TrickRules
    chops: list[ChopRow]
    chop_money: ChopMoney
    prices: Prices
    rotten_prices: RottenPrices
    lead: LeadRules
    instant_wins: InstantWins
    end: EndRules
    places: list[PlaceRow]
    card_count: list[CardCountRow]
    frozen: FrozenRules
    forfeit: ForfeitRules
    rotten: RottenRules
    finish: FinishRules
    before: BeforeRules
    conduct: ConductRules
    session: SessionRules


ROW_TABLES = {"chops": ChopRow, "places": PlaceRow, "card_count": CardCountRow}
"""The knobs that are tables of rows; a log's ``set`` replaces such a table whole."""

ROW_KEYS = {"chops": ("by",), "places": ("players", "from"), "card_count": ("up_to",)}
"""What names a row: the ``by`` of ``chops.four_pairs``, the ``players`` and ``from`` of ``places.4.3``."""


def _knob_types() -> dict[str, type]:
    found: dict[str, type] = {}
    for section in msgspec.structs.fields(Knobs):
        if section.name in ROW_TABLES:
            found[section.name] = section.type
            continue
        for field in msgspec.structs.fields(section.type):
            found[f"{section.name}.{field.encode_name}"] = field.type
    return found


KNOB_TYPES = _knob_types()
"""Dotted path → type, for every knob there is."""
