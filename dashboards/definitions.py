"""What each figure about a player is called, and what exactly is counted."""

from __future__ import annotations

from typing import Final, NamedTuple

from analyzer.locale import N_


class Definition(NamedTuple):
    """A figure's name, and its meaning in a sentence or two."""

    label: str
    meaning: str


HANDS: Final = Definition(
    N_("Hands"),
    N_(
        "Hands that pass the filters. After an instant win, a redeal or in an unfinished hand nobody has "
        "a place."
    ),
)

PLACES: Final = {
    "firsts": Definition(N_("First"), N_("Hands in which the player came first, of all hands with a place.")),
    "seconds": Definition(
        N_("Second"), N_("Hands in second place at a table of three or four, of all hands with a place.")
    ),
    "thirds": Definition(
        N_("Third"), N_("Hands in third place at a table of four, of all hands with a place.")
    ),
    "lasts": Definition(N_("Last"), N_("Hands in the last place of the table, of all hands with a place.")),
}

PER_HAND: Final = N_(
    "The net divided by the hands. The range holds the player's true average with 95 % confidence "
    "(Student's t over the net of each hand, taken as independent). Where it spans zero, luck alone may "
    "explain the result."
)

COUNTS: Final = {
    "chops_made": Definition(
        N_("Chops made"),
        N_("Plays of this player that chopped another's, paid or not: every link of a chain counts."),
    ),
    "chops_suffered": Definition(
        N_("Chops suffered"), N_("Plays of this player that were chopped, paid or not.")
    ),
    "times_frozen": Definition(
        N_("Frozen"),
        N_("Hands in which the player was frozen: had not played a card when somebody went out."),
    ),
    "forfeits": Definition(
        N_("Paid for the table"),
        N_(
            "Hands in which the player certainly had to pay for the table. Where unknown cards decide, it is "
            "only possible, and nothing was charged."
        ),
    ),
    "instant_wins": Definition(N_("Instant wins"), N_("Instant wins that the player was paid for.")),
}

BLOCKS: Final = Definition(
    N_("Missed blocks"),
    N_(
        "Passes with a legal play in hand, of all passes in turn: every pass in the log that was no fault of "
        "turn. Holding back is often good play. Where unknown cards decide, it is only possible."
    ),
)

RUNS: Final = {
    "firsts": N_("Firsts in a row"),
    "lasts": N_("Lasts in a row"),
    "won": N_("Winning hands in a row"),
    "lost": N_("Losing hands in a row"),
}

RUN: Final = N_(
    "The longest run, hand by hand in the order of play. A hand that ended otherwise, or without a place, "
    "breaks it."
)

CAUSES: Final = {
    "place": Definition(
        N_("Places, in money"),
        N_("What this player got from those who came in behind, and paid to those who came in ahead."),
    ),
    "chop": Definition(
        N_("Chops, in money"),
        N_("What this player got for chops, and paid for being chopped: transfers with that cause."),
    ),
    "frozen": Definition(
        N_("Frozen seats, in money"),
        N_("What this player got from players who were frozen, and paid for being frozen."),
    ),
    "rotten": Definition(
        N_("Rotten cards, in money"),
        N_("What this player got for twos and bombs that others were left with, and paid for the own ones."),
    ),
    "forfeit": Definition(
        N_("Paying for the table, in money"),
        N_("What this player got from those who paid for the table, and paid for the table."),
    ),
    "instant_win": Definition(
        N_("Instant wins, in money"),
        N_("What this player got for instant wins, and paid for those of others."),
    ),
}
"""Cause of transfers → its figure; rarer causes are told by their name alone."""

OPPONENTS: Final = Definition(
    N_("Against each other player"),
    N_(
        "The money is what passed between the two, by transfers of the hands. Ahead is the share of hands "
        "in which the player came in before the other, of those in which both have a place."
    ),
)

RATING: Final = Definition(
    N_("Rating"),
    N_(
        "By the Plackett-Luce model of openskill, from the places of this club's hands in the order of play, "
        "the latest {n} at most, whatever the filters say. Everybody starts at 25 ± 16.7; higher is better. "
        "After ± stand two standard deviations."
    ),
)

ORDERS: Final = {
    "hands": N_("hands played"),
    "firsts": N_("share of firsts"),
    "net": N_("won or lost"),
    "rating": N_("rating"),
}
"""What the list of players can be ordered by."""
