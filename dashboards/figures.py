"""What an evening and several days have in common: pictures, and what is behind a figure."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from typing import Final

import polars as pl
import streamlit as st

from analyzer.locale import N_
from analyzer.reports.money import REASONS, UNITS
from dashboards import data, money
from dashboards.charts import causes_chart
from dashboards.data import Version
from dashboards.money import Scope
from dashboards.words import day, language, number, plain, say, signed

PEOPLE: Final = 25
"""Players whose sums are shown; of more, those with the greatest."""


def separators() -> str:
    """The decimal and the thousands sign."""
    return ",." if language() == "vi" else ".,"


def show_currency(currency: str, several: bool) -> None:
    """Which money it is, where there is more than one kind."""
    if several:
        st.header(say(UNITS[currency]) if currency in UNITS else currency)


def show_before(
    judged: Mapping[str, Decimal], now: Mapping[str, Decimal], names: Mapping[str, str], currency: str
) -> bool:
    """What the sums were before the rulings, a click away, where there is a difference; whether there is."""
    zero = Decimal(0)
    changed = {player: now.get(player, zero) - judged.get(player, zero) for player in sorted({*judged, *now})}
    changed = {player: change for player, change in changed.items() if change}
    if changed:
        with st.expander(say(N_("Before the rulings")), icon=":material/balance:"):
            st.caption(say(N_("The amounts on this page are those after the rulings.")))
            for player, change in changed.items():
                text = N_("{player}: {before} before the rulings, {after} after them ({change})")
                told = say(
                    text,
                    player=names.get(player, player),
                    before=signed(judged.get(player, zero), currency),
                    after=signed(now.get(player, zero), currency),
                    change=signed(change, currency),
                )
                st.markdown(plain(told))
    return bool(changed)


def show_causes(causes: pl.DataFrame, players: Mapping[str, str], currency: str, key: str) -> None:
    """Won and lost by cause, as a picture."""
    st.subheader(say(N_("Of what causes")))
    reasons = {reason: say(text) for reason, text in REASONS.items()}
    shown = dict(list(players.items())[:PEOPLE])
    chart = causes_chart(
        causes.filter(pl.col("player_id").is_in(list(shown))),
        shown,
        reasons,
        partial(signed, currency=currency),
        separators(),
    )
    st.plotly_chart(chart, key=f"causes-{key}-{currency}", config={"displayModeBar": False})


def show_lines(
    version: Version, scope: Scope, causes: pl.DataFrame, players: Mapping[str, str], currency: str
) -> None:
    """The transfers behind a figure; each leads to its hand, at its event."""
    st.subheader(say(N_("Where a figure comes from")))
    key = f"{scope.club}-{scope.evening}-{currency}"
    with st.container(horizontal=True):
        player = st.selectbox(
            say(N_("Player")), list(players), format_func=players.__getitem__, key=f"player-{key}", width=260
        )
        reasons = {
            reason: say(REASONS[reason])
            for reason in causes.filter(pl.col("player_id") == player)["reason"].to_list()
        }
        reason = st.selectbox(
            say(N_("Cause")),
            list(reasons),
            index=None,
            format_func=reasons.__getitem__,
            placeholder=say(N_("every cause")),
            key=f"cause-{key}-{player}",
            width=260,
        )
        place = f"lines-{hash((scope, currency, player, reason))}"
        behind = money.lines(version, scope, currency, player, reason, st.session_state.get(place, 1) - 1)
        found, total = (behind[0]["found"], behind[0]["total"]) if behind else (0, Decimal(0))
        if (pages := -(-found // money.LINES)) > 1:
            st.number_input(say(N_("Page of {n}"), n=number(pages)), 1, pages, key=place, width=130)
    st.markdown(say(N_("**{total}** in {n} transfers:"), total=signed(total, currency), n=number(found)))
    for line, told in zip(behind, money.lines_told(version, behind), strict=True):
        text = told[language()]
        about = (
            [data.title(line), text] if scope.evening else [day(line["played_on"]), data.title(line), text]
        )
        label = f"**{signed(line['amount'], currency)}** · {plain(' · '.join(about))}"
        st.page_link("views/replay.py", label=label, query_params=data.address(line, line["event"]))
