"""Tính tiền: what each player won and lost on an evening, of what causes, and who pays whom."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import polars as pl
import streamlit as st

from analyzer.locale import N_
from analyzer.reports.money import UNITS
from dashboards import data
from dashboards.charts import causes_chart
from dashboards.data import Evening, Row
from dashboards.words import language, number, paid, plain, say, signed

REASONS = {
    "place": N_("places"),
    "chop": N_("chops"),
    "rotten": N_("rotten cards"),
    "frozen": N_("frozen seats"),
    "instant_win": N_("instant wins"),
    "forfeit": N_("paying for the table"),
    "card_count": N_("cards left over"),
    "finish_with_two": N_("going out on a two"),
    "sweep_broken": N_("broken sweeps"),
    "three_of_spades": N_("the three of spades"),
    "cap": N_("the most that can be lost"),
    "ruling": N_("rulings"),
}
LINES = 40  # transfers shown behind a figure


def choose(evenings: dict[Evening, Row], wanted: Evening | None) -> Evening:
    """The evening that is looked at, kept in the address."""

    def title(evening: Evening) -> str:
        row = evenings[evening]
        return " · ".join([data.evening_title(row), say(N_("{n} hands"), n=number(row["hands"]))])

    if "evening" not in st.session_state:
        st.session_state["evening"] = wanted if wanted in evenings else next(iter(evenings))
    return st.selectbox(say(N_("Evening")), list(evenings), format_func=title, key="evening")


def show_between(evening: Evening) -> None:
    """What is wrong between the hands of the evening: leads, gaps, rules or players that changed."""
    findings = data.between_hands(version, evening)
    for finding in findings:
        told = plain(f"{finding.hand.hand_id}: {finding.message.render(language())}")
        (st.info if finding.severity == "info" else st.warning)(told)


def show_payments(totals: list[Row], players: dict[str, str], currency: str) -> None:
    """Who pays whom, so that everybody is even."""
    st.subheader(say(N_("Who pays whom")))
    payments = data.payments(totals)
    if payments:
        st.caption(say(N_("The fewest payments that settle the evening: {n}"), n=len(payments)))
    else:
        st.caption(say(N_("Nobody owes anybody.")))
    named = {**players, data.BANK: say(N_("the bank"))}
    for payment in payments:
        payer, payee = plain(named[payment.from_player]), plain(named[payment.to_player])
        st.markdown(f"{payer} → {payee}: **{paid(payment.amount, currency)}**")


def show_totals(totals: list[Row], address: dict[str, str], currency: str) -> None:
    """What each player won or lost; a name leads to the player's hands."""
    st.subheader(say(N_("What each won and lost")))
    for row in totals:
        with st.container(horizontal=True, vertical_alignment="center"):
            asked = {**address, "player": row["player_id"]}
            st.page_link("views/hands.py", label=plain(row["name"]), query_params=asked, width="stretch")
            st.markdown(f"**{signed(row['net'], currency)}**", width="content")


def show_causes(causes: pl.DataFrame, players: dict[str, str], currency: str) -> None:
    """The same by cause, as a picture."""
    st.subheader(say(N_("Of what causes")))
    amount: Callable[[Decimal], str] = lambda value: signed(value, currency)  # noqa: E731
    reasons = {reason: say(text) for reason, text in REASONS.items()}
    chart = causes_chart(causes, players, reasons, amount, ",." if language() == "vi" else ".,")
    st.plotly_chart(chart, key=f"causes-{currency}", config={"displayModeBar": False})


def show_lines(evening: Evening, causes: pl.DataFrame, players: dict[str, str], currency: str) -> None:
    """The transfers behind a figure; each leads to its hand, at its event."""
    st.subheader(say(N_("Where a figure comes from")))
    key = f"{evening.club_id}-{evening.evening}-{currency}"
    with st.container(horizontal=True):
        player = st.selectbox(
            say(N_("Player")), list(players), format_func=players.__getitem__, key=f"player-{key}", width=260
        )
        reason = st.selectbox(
            say(N_("Cause")),
            causes.filter(pl.col("player_id") == player)["reason"].to_list(),
            index=None,
            format_func=lambda reason: say(REASONS[reason]),
            placeholder=say(N_("every cause")),
            key=f"cause-{key}-{player}",
            width=260,
        )
    behind = data.lines(version, evening, currency, player, reason)
    total = sum((line["amount"] for line in behind), Decimal(0))
    st.markdown(
        say(N_("**{total}** in {n} transfers:"), total=signed(total, currency), n=number(len(behind)))
    )
    for line in behind[:LINES]:
        text = data.view(version, line)["transfers"][line["number"]]["text"][language()]
        label = f"**{signed(line['amount'], currency)}** · {plain(data.title(line))} · {plain(text)}"
        st.page_link("views/replay.py", label=label, query_params=data.address(line, line["event"]))
    if len(behind) > LINES:
        st.caption(say(N_("… and {n} more."), n=number(len(behind) - LINES)))


version = data.open_version()
st.title(say(N_("Money")))
asked = st.query_params
wanted = Evening(asked.get("club", ""), asked["evening"]) if "evening" in asked else None
evenings = data.evenings(version, wanted)
if not evenings:
    data.say_no_hands()
    st.stop()

evening = choose(evenings, wanted)
address = {"club": evening.club_id, "evening": evening.evening}
if any(asked.get(key) != value for key, value in address.items()):
    asked.update(address)
link = say(N_("The hands of this evening"))
st.page_link("views/hands.py", label=link, icon=":material/list:", query_params=address)

show_between(evening)
totals = data.totals(version, evening)
causes = data.causes(version, evening)
currencies = list(dict.fromkeys(row["currency"] for row in totals))
for currency in currencies:
    mine = [row for row in totals if row["currency"] == currency]
    players = {row["player_id"]: row["name"] for row in mine}
    known = causes.filter(pl.col("currency") == currency)
    if len(currencies) > 1:
        st.header(say(UNITS[currency]) if currency in UNITS else currency)
    show_payments(mine, players, currency)
    show_totals(mine, address, currency)
    if not known.is_empty():
        show_causes(known, players, currency)
        show_lines(evening, known, players, currency)
