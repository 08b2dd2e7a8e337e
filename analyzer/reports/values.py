"""The values of house rules in words: every word that a rule file may give a knob, in one catalogue."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from analyzer.cards import set_of, symbols_of
from analyzer.judge.verdict import INSTANT_WIN_NAMES
from analyzer.locale import N_, Joined, Message
from analyzer.reports.money import Number
from analyzer.rules.knobs import ROW_TABLES

BOMBS: Final = {
    "three_pairs": N_("three consecutive pairs"),
    "four_of_a_kind": N_("four of a kind"),
    "four_pairs": N_("four consecutive pairs"),
    "five_pairs": N_("five consecutive pairs"),
    "one_suit_five": N_("a run of five in one suit"),
    "one_suit_six": N_("a run of six in one suit"),
}

TARGETS: Final = {
    **{name: word for name, word in BOMBS.items() if not name.startswith("one_suit")},
    "two": N_("a two"),
    "pair_of_twos": N_("a pair of twos"),
    "own": N_("a lower one of its kind"),
}

WORDS: Final[dict[str, dict[str, str]]] = {
    "table.direction": {
        "counterclockwise": N_("counter-clockwise"),
        "clockwise": N_("clockwise"),
    },
    "combinations.follow": {
        "any": N_("any suit"),
        "suit": N_("the same suit or colour"),
    },
    "combinations.compare_bombs": {
        "card": N_("by their highest card"),
        "rank": N_("by rank alone"),
    },
    "combinations.consecutive_pairs": {
        "any": N_("of any suits"),
        "one_colour": N_("of one colour only"),
        "none": N_("none"),
    },
    "chops.by": BOMBS,
    "chops.over": TARGETS,
    "chop_money.chain": {
        "last_pays_all": N_("the last one chopped pays the whole sum"),
        "kth_multiple": N_("each victim pays, the second twice the price, the third three times"),
        "each_link": N_("each victim pays for what was chopped"),
        "last_link": N_("only the last chop is paid"),
    },
    "chop_money.final_chop": {
        "void": N_("nobody pays"),
        "credit": N_("the bank pays"),
        "stands": N_("it is paid all the same"),
    },
    "lead.card": {"lowest": N_("the lowest card dealt")},
    "lead.after_instant_win": {
        "opening": N_("whoever holds the opening card"),
        "winner": N_("the instant winner"),
    },
    "instant_wins.opening": INSTANT_WIN_NAMES,
    "instant_wins.other": INSTANT_WIN_NAMES,
    "instant_wins.several": {
        "nearest_to_leader": N_("the one nearest to the leader"),
        "shared": N_("they share"),
    },
    "instant_wins.four_twos": {
        "win": N_("an instant win"),
        "redeal": N_("a new deal"),
        "play": N_("nothing, the hand is played"),
    },
    "end.when": {
        "last_holder": N_("until one seat is left with cards"),
        "first_out": N_("over when the first is out"),
    },
    "frozen.mode": {
        "none": N_("nothing"),
        "each": N_("each frozen seat pays"),
        "village": N_("counted as the whole village"),
    },
    "forfeit.scope": {
        "any_pass": N_("every pass of the hand"),
        "last_trick": N_("those of the last trick"),
    },
    "rotten.payer": {
        "holder": N_("whoever holds them"),
        "all_losers": N_("every loser"),
        "none": N_("nobody"),
    },
    "finish.with_two": {
        "allowed": N_("allowed"),
        "last_place": N_("counts as last"),
        "pay_each": N_("pays each other seat"),
        "forbidden": N_("forbidden"),
    },
    "finish.three_of_spades": {"others_last": N_("each other pays as if last")},
    "finish.left_with_three_of_spades": {
        "above": N_("to the seat one place above"),
        "each": N_("to each other seat"),
    },
    "conduct.exposed": {
        "allowed": N_("allowed"),
        "warning": N_("a warning"),
        "forfeit": N_("pays for the table"),
    },
}
"""Knob (of a row: its table and field) → its words → what they mean. Ranks and numbers say it themselves."""

PLACES: Final = (N_("first"), N_("second"), N_("third"), N_("fourth"))
"""The places of a table, in order."""


def value_message(value: Any, path: str) -> Message:
    """A value at a knob's or a row's path as text, in either language."""
    table, _, row = path.partition(".")
    if path in ROW_TABLES:
        rows = [value_message(one, f"{table}.row") for one in value]
        return Joined(rows, "; ") if rows else Message(N_("none"))
    if table in ROW_TABLES and row and isinstance(value, dict):
        return _row(table, value)
    if value is None:
        return Message(N_("absent"))
    if isinstance(value, bool):
        return Message(N_("on")) if value else Message(N_("off"))
    if isinstance(value, list):
        return Joined([value_message(item, path) for item in value], ", ") if value else Message(N_("none"))
    if value in WORDS.get(path, ()):
        return Message(WORDS[path][value])
    if isinstance(value, int | Decimal):
        return Number(value)
    return Message("{text}", text=symbols_of(set_of([value])) if path == "lead.card" else str(value))


def _row(table: str, row: dict[str, Any]) -> Message:
    if table == "chops":
        by, over = value_message(row["by"], "chops.by"), value_message(row["over"], "chops.over")
        if row.get("free"):
            return Message(N_("{by} at any time: {over}"), by=by, over=over)
        return Message(N_("{by}: {over}"), by=by, over=over)
    if table == "places":
        return Message(
            N_("at a table of {players}, the {from_} pays the {to} {stakes} stakes"),
            players=row["players"],
            from_=Message(PLACES[row["from"] - 1]),
            to=Message(PLACES[row["to"] - 1]),
            stakes=Number(row["stakes"]),
        )
    return Message(
        N_("{up_to} cards or fewer left: {stakes} stakes"), up_to=row["up_to"], stakes=Number(row["stakes"])
    )
