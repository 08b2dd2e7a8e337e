"""Frame → plotly figure: pure functions, told everything they need."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final

import plotly.graph_objects as go
import plotly.io as pio
import polars as pl

PALETTE: Final = ("#0084fc", "#c0840c", "#6c60b4", "#fc5460", "#0c7830", "#a8486c", "#9c84b4")
"""Colours that stand out from the pages' light and dark grounds, and that colour-blind readers tell apart."""

REASONS: Final = (
    *("place", "chop", "frozen", "rotten", "instant_win", "forfeit", "card_count"),
    *("finish_with_two", "sweep_broken", "three_of_spades", "cap", "ruling"),
)

COLOURS: Final = {reason: PALETTE[k % len(PALETTE)] for k, reason in enumerate(REASONS)}
"""Reason → colour."""

TEMPLATE: Final = "tienlen"
pio.templates[TEMPLATE] = go.layout.Template(
    layout={
        "colorway": PALETTE,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hoverlabel": {"namelength": -1},
        "dragmode": False,
    }
)


def themed(traces: Sequence[dict[str, Any]], **layout: Any) -> go.Figure:
    """A figure in the pages' look; what light and dark differ in, Streamlit adds when it is shown.

    It is made in one go: each later change of a figure costs as much as making it.
    """
    margin = {"l": 0, "r": 0, "t": 8, "b": 0}
    return go.Figure(list(traces), {"template": TEMPLATE, "margin": margin, **layout})


FIXED: Final = {"automargin": True, "fixedrange": True}
"""What all axes have in common."""

AMOUNTS: Final = {**FIXED, "tickformat": ",~f", "zeroline": True, "zerolinewidth": 2}
"""An axis of amounts."""


def mark(reason: str) -> dict[str, Any]:
    """How a cause is marked in every figure: its colour, and stripes where all colours are taken once."""
    again = REASONS.index(reason) >= len(PALETTE)
    pattern = {"shape": "/", "solidity": 0.35, "size": 6} if again else {}
    return {"color": COLOURS[reason], "pattern": pattern}


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
    traces = []
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
        traces.append(
            {
                "type": "bar",
                "y": [bar["player"] for bar in bars],
                "x": [float(bar["value"]) for bar in bars],
                "customdata": [[shown(players[bar["player"]]), amount(bar["value"])] for bar in bars],
                "hovertemplate": "%{customdata[0]}: %{customdata[1]}",
                "name": shown(name),
                "orientation": "h",
                "marker": mark(reason),
            }
        )
    order = list(players)
    names = {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": order[::-1],
        "tickmode": "array",
        "tickvals": order,
        "ticktext": [shown(_short(players[player])) for player in order],
    }
    return themed(
        traces,
        barmode="relative",
        height=120 + 44 * len(order),
        legend={"orientation": "h", "yanchor": "top", "y": -0.18, "x": 0, "traceorder": "normal"},
        separators=separators,
        xaxis={**AMOUNTS, "nticks": 5},
        yaxis={**FIXED, **names},
    )


MARKS: Final = ("circle", "square", "diamond", "triangle-up", "x", "star", "cross")
"""The marks of lines, one beside each colour of the palette."""


def balance_chart(
    lines: Mapping[str, Sequence[tuple[Any, str, Decimal]]],
    players: Mapping[str, str],
    amount: Callable[[Decimal], str],
    separators: str,
    day_format: str | None,
) -> go.Figure:
    """How balances ran, a stepped line for each player: at most as many as there are colours.

    ``lines`` has for each player where a point stands (a day where ``day_format`` is given, else a
    number), what it is called, and the balance from there on.
    """
    traces = [
        {
            "type": "scatter",
            "x": [at for at, _, _ in points],
            "y": [float(value) for _, _, value in points],
            "customdata": [[shown(label), amount(value)] for _, label, value in points],
            "hovertemplate": "%{customdata[0]}: %{customdata[1]}",
            "name": shown(_short(players[player])),
            "mode": "lines+markers" if len(points) <= 60 else "lines",
            "line": {"shape": "hv", "width": 2, "color": colour},
            "marker": {"symbol": mark, "size": 6},
        }
        for (player, points), colour, mark in zip(lines.items(), PALETTE, MARKS, strict=False)
    ]
    along: dict[str, Any] = {**FIXED, "tickformat": day_format, "nticks": 6}
    days = {at for points in lines.values() for at, _, _ in points}
    if days:  # else it would name parts of a day, or of a hand
        if day_format and (max(days) - min(days)).days <= 6:
            along["dtick"] = 24 * 60 * 60 * 1000
        elif not day_format and max(days) - min(days) <= 6:
            along["dtick"] = 1
    return themed(
        traces,
        height=340,
        legend={"orientation": "h", "yanchor": "top", "y": -0.15, "x": 0},
        separators=separators,
        showlegend=True,
        xaxis=along,
        yaxis={**AMOUNTS, "nticks": 6},
    )


def trend_chart(days: pl.DataFrame, texts: Sequence[str], separators: str) -> go.Figure:
    """What a player has won or lost so far, day by day.

    ``days`` has day and balance, in order; ``texts`` say of each what is shown on hover; ``separators`` are
    the decimal and the thousands sign.
    """
    trace = {
        "type": "scatter",
        "x": days["day"].to_list(),
        "y": [float(balance) for balance in days["balance"]],
        "customdata": [[shown(text)] for text in texts],
        "hovertemplate": "%{customdata[0]}<extra></extra>",
        "mode": "lines+markers" if len(days) < 60 else "lines",
        "line": {"width": 2, "shape": "hv"},
    }
    form = "%d/%m/%Y" if separators.startswith(",") else "%-d %b %Y"
    return themed(
        [trace],
        height=300,
        separators=separators,
        showlegend=False,
        xaxis={**FIXED, "type": "date", "tickformat": form, "nticks": 5},
        yaxis={**AMOUNTS, "nticks": 5},
    )


def shares_chart(
    since: Sequence[date], shares: Sequence[float], texts: Sequence[str], lang: str
) -> go.Figure:
    """A bar for each week or month, as high as a share (of one); ``texts`` are what is shown on hover."""
    trace = {
        "type": "bar",
        "x": list(since),
        "y": list(shares),
        "customdata": [[shown(text)] for text in texts],
        "hovertemplate": "%{customdata[0]}<extra></extra>",
    }
    along = {
        "type": "date",
        "tickmode": "array",
        "tickvals": list(since[:: -(-len(since) // 5)]),
        "tickformat": "%d/%m/%y" if lang == "vi" else "%-d %b %y",
    }
    return themed(
        [trace],
        height=320,
        separators=",." if lang == "vi" else ".,",
        showlegend=False,
        xaxis={**FIXED, **along},
        yaxis={**FIXED, "tickformat": ".1~%", "rangemode": "tozero", "nticks": 5},
    )


def shown(text: str) -> str:
    """A text as plotly shows it letter by letter: it would read tags as markup."""
    return html.escape(text, quote=False)


def _short(name: str) -> str:
    """The last words of a long name, with what tells a namesake apart: people are called by the last one (the
    given name).
    """
    words = name.split()
    while len(words) > 1 and not words[1].startswith("(") and len(" ".join(words)) > 16:
        words.pop(0)
    told = " ".join(words)
    return told if len(told) <= 16 else told[:15] + "…"
