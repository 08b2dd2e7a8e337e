"""Frame → plotly figure: pure functions, told everything they need."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

import plotly.graph_objects as go
import polars as pl

COLOURS: Final = {
    "place": "#0072b2",
    "chop": "#d55e00",
    "rotten": "#8c6d1f",
    "frozen": "#56b4e9",
    "instant_win": "#e6b000",
    "forfeit": "#b3261e",
    "card_count": "#009e73",
    "finish_with_two": "#cc79a7",
    "sweep_broken": "#7a5fa0",
    "three_of_spades": "#4d4d4d",
    "cap": "#9aa5a0",
    "ruling": "#1d2420",
}
"""Reason → colour, from palettes that colour-blind readers tell apart."""


def causes_chart(
    causes: pl.DataFrame,
    players: Mapping[str, str],
    reasons: Mapping[str, str],
    amount: Callable[[Decimal], str],
    separators: str,
) -> go.Figure:
    """Winnings to the right and losses to the left of zero, a bar for each player, stacked by cause.

    ``causes`` has player_id, reason, won and lost of one currency; ``players`` gives the names in the
    order from top to bottom; ``separators`` are the decimal and the thousands sign.
    """
    figure = go.Figure()
    for reason, name in reasons.items():
        rows = causes.filter(pl.col("reason") == reason)
        if rows.is_empty():
            continue
        bars: list[dict[str, Any]] = [
            {"player": row["player_id"], "value": row[side]}
            for row in rows.iter_rows(named=True)
            for side in ("won", "lost")
            if row[side]
        ]
        figure.add_bar(
            y=[bar["player"] for bar in bars],
            x=[float(bar["value"]) for bar in bars],
            customdata=[[shown(players[bar["player"]]), amount(bar["value"])] for bar in bars],
            hovertemplate="%{customdata[0]}: %{customdata[1]}",
            name=shown(name),
            orientation="h",
            marker_color=COLOURS.get(reason),
        )
    order = list(players)
    figure.update_layout(
        barmode="relative",
        height=120 + 44 * len(order),
        margin={"l": 0, "r": 0, "t": 8, "b": 0},
        legend={"orientation": "h", "yanchor": "top", "y": -0.18, "x": 0, "traceorder": "normal"},
        separators=separators,
        hoverlabel={"namelength": -1},
        dragmode=False,
    )
    figure.update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=order[::-1],
        tickmode="array",
        tickvals=order,
        ticktext=[shown(_short(players[player])) for player in order],
        automargin=True,
        fixedrange=True,
    )
    figure.update_xaxes(
        tickformat=",~f", zeroline=True, zerolinewidth=2, nticks=5, automargin=True, fixedrange=True
    )
    return figure


def shown(text: str) -> str:
    """A text as plotly shows it letter by letter: it would read tags as markup."""
    return html.escape(text, quote=False)


def _short(name: str) -> str:
    """The last words of a long name: people are called by the last one (the given name)."""
    words = name.split()
    while len(words) > 1 and len(" ".join(words)) > 16:
        words.pop(0)
    told = " ".join(words)
    return told if len(told) <= 16 else told[:15] + "…"
