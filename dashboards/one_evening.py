"""The money of one evening: its closing, its payments, its sums and what they come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import partial
from itertools import groupby
from typing import Final

import polars as pl
import streamlit as st

from analyzer.evening_files import SHEETS, content_of, file_name
from analyzer.judge.rulings import OUTCOMES
from analyzer.locale import N_
from analyzer.store.treasury import Books, closing_of, differences
from dashboards import bookkeeping, data, money, paying
from dashboards.charts import PALETTE, balance_chart
from dashboards.data import Evening, Row, Version
from dashboards.figures import separators, show_before, show_causes, show_currency, show_lines
from dashboards.money import BANK, Scope
from dashboards.words import language, number, paid, plain, say, signed

SUFFIXES: Final = {
    "xlsx": ("Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "html": (N_("Sheet to print"), "text/html"),
    "csv": ("CSV", "text/csv"),
    "parquet": ("Parquet", "application/vnd.apache.parquet"),
}


def show_between(version: Version, evening: Evening) -> None:
    """What is wrong between the hands of the evening: leads, gaps, rules or players that changed."""
    findings = data.between_hands(version, evening)
    for finding in findings:
        told = plain(f"{finding.hand.hand_id}: {finding.message.render(language())}")
        (st.info if finding.severity == "info" else st.warning)(told)


def show_unconfirmed(version: Version, evening: Evening) -> None:
    """Hands with decisions on an earlier revision, which move no money; each leads to its case."""
    rows = version.rows(
        "SELECT club_id, hand_id, hand_no, unconfirmed "
        "FROM cases JOIN hands USING (hand_key, club_id, hand_id) "
        "WHERE club_id = $club AND evening = $evening AND unconfirmed > 0 "
        "ORDER BY hand_no NULLS LAST, played_at NULLS LAST, hand_id",
        club=evening.club_id,
        evening=evening.evening,
    )
    for row in rows:
        text = N_("{hand}: decisions to be confirmed again: {n}; the money does not count them.")
        st.warning(plain(say(text, hand=data.title(row), n=number(row["unconfirmed"]))))
        label = say(N_("Its case: {hand}"), hand=plain(data.title(row)))
        st.page_link("views/cases.py", label=label, icon=":material/balance:", query_params=data.address(row))


def show_moved(version: Version, evening: Evening) -> None:
    """Hands that stand here now and were closed with another evening, where they count."""
    moved = [
        row for row in money.counted_elsewhere(version, evening.club_id) if row["evening"] == evening.evening
    ]
    for closed, rows in groupby(moved, key=lambda row: str(row["counted_in"])):
        text = N_(
            "Not counted here: {hands}. The evening {evening} was closed with them and keeps them until "
            "it is opened again."
        )
        hands = ", ".join(data.title(row) for row in rows)
        st.warning(plain(say(text, hands=hands, evening=closed.split(" ", 1)[-1])))
        link = {"club": evening.club_id, "evening": closed}
        st.page_link("views/money.py", label=say(N_("That evening")), query_params=link)


def show_changed(
    now: Mapping[str, Decimal], closed: Mapping[str, Decimal], names: Mapping[str, str], currency: str
) -> bool:
    """Where the stored hands now give other sums than the evening was closed with; whether they do."""
    found = differences(closed, now)
    for player, amount in found.items():
        text = N_(
            "{player}: closed with {closed}, the hands stored now give {now} (difference {difference})."
        )
        st.warning(
            plain(
                say(
                    text,
                    player=names.get(player, player),
                    closed=signed(closed.get(player, Decimal(0)), currency),
                    now=signed(now.get(player, Decimal(0)), currency),
                    difference=signed(amount, currency),
                )
            )
        )
    return bool(found)


def show_totals(
    net: Mapping[str, Decimal], names: Mapping[str, str], address: dict[str, str], currency: str
) -> None:
    """What each player won or lost; a name leads to the player's hands."""
    st.subheader(say(N_("What each won and lost")))
    for player, amount in net.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            asked = {**address, "player": player}
            label = plain(names.get(player, player))
            st.page_link("views/hands.py", label=label, query_params=asked, width="stretch")
            st.markdown(f"**{signed(amount, currency)}**", width="content")


def show_rulings(rulings: Iterable[Row], currency: str, club: str) -> None:
    """The rulings of the evening; each leads to its case."""
    for row in rulings:
        if row["currency"] != currency:
            continue
        moved = sum((move["amount"] for move in row["moves"] or []), Decimal(0))
        told = [data.title(row), say(OUTCOMES[row["decision"]]), row["ruled_by"], row["reason"]]
        label = plain(" · ".join(filter(None, told)))
        if moved:
            label += f" · **{paid(moved, currency)}**"
        if not row["stands"]:
            label = f"~~{label}~~"
        asked = data.address({**row, "club_id": club})
        st.page_link("views/cases.py", label=label, icon=":material/balance:", query_params=asked)


def show_running(seats: Iterable[Row], players: Mapping[str, str], currency: str) -> None:
    """How each player stood after each hand."""
    st.subheader(say(N_("How the evening ran")))
    points: dict[str, list[tuple[int, str, Decimal]]] = {}
    hands = groupby((row for row in seats if row["currency"] == currency), key=lambda row: row["hand_key"])
    for at, (_, rows) in enumerate(hands, 1):
        for row in rows:
            points.setdefault(row["player_id"], [(0, "", Decimal(0))]).append(
                (at, data.title(row), row["balance"])
            )
    drawn = dict(
        list({player: points[player] for player in players if player in points}.items())[: len(PALETTE)]
    )
    chart = balance_chart(drawn, players, partial(signed, currency=currency), separators(), None)
    st.plotly_chart(chart, key=f"running-{currency}", config={"displayModeBar": False})


def show_downloads(version: Version, row: Row, known: Books) -> None:
    """The evening as files."""
    st.subheader(say(N_("Files")))
    titles = {key: say(text) for key, text in SHEETS.items()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sheet = st.selectbox(
            say(N_("What a CSV or Parquet file holds")),
            list(titles),
            format_func=titles.__getitem__,
            key="export-sheet",
            width=260,
        )
        name = file_name(row["session_id"] or row["evening"])
        for suffix, (label, mime) in SUFFIXES.items():
            st.download_button(
                say(label),
                partial(_file, f".{suffix}", version, known, row, sheet, language()),
                f"{name} {sheet}.{suffix}" if suffix in ("csv", "parquet") else f"{name}.{suffix}",
                mime,
                key=f"export-{suffix}",
                icon=":material/download:",
                on_click="ignore",
            )


def _file(suffix: str, version: Version, known: Books, row: Row, sheet: str, lang: str) -> bytes:
    return content_of(suffix, version.ask, known, row, sheet, lang, money.journal().head())


def show_evening(version: Version, row: Row, known: Books, names: Mapping[str, str]) -> None:
    """One evening: its closing, its payments, its sums and what they come from."""
    evening = Evening(row["club_id"], row["evening"])
    scope = Scope(evening.club_id, evening.evening)
    address = {"club": evening.club_id, "evening": evening.evening}
    link = say(N_("The hands of this evening"))
    st.page_link("views/hands.py", label=link, icon=":material/list:", query_params=address)
    totals = money.totals(version, evening)
    now = {
        currency: {total["player_id"]: total["net"] for total in rows}
        for currency, rows in groupby(totals, key=lambda total: total["currency"])
    }
    digest = money.digest(version, evening)
    show_unconfirmed(version, evening)
    bookkeeping.show_closing(known, evening, closing_of(evening.club_id, evening.evening, now, digest))
    found = known.closings.get((evening.club_id, evening.evening))
    closed = found[1] if found else None
    show_moved(version, evening)
    show_between(version, evening)
    nets = money.evening_nets(version, evening.club_id)
    causes = money.causes(version, scope)
    seats = money.seats(version, evening)
    currencies = list(dict.fromkeys([*now, *(closed.net if closed else [])]))
    changed = False
    for currency in currencies:
        show_currency(currency, len(currencies) > 1)
        mine = now.get(currency, {})
        net = closed.exact(currency) if closed else mine
        if closed:
            changed |= show_changed(mine, net, names, currency)
        net = dict(sorted(net.items(), key=lambda item: (-item[1], item[0])))
        players = {player: names.get(player, player) for player in [*net, *mine]}
        due = money.due_of(nets, known, evening, currency)
        paying.show_payments(
            known, evening.club_id, evening.evening, currency, {**players, BANK: names[BANK]}, due
        )
        show_totals(net, names, address, currency)
        judged = {row["player_id"]: row["judged"] for row in totals if row["currency"] == currency}
        if show_before(judged, mine, names, currency):
            show_rulings(
                version.ask(
                    "evening_rulings", **money.asked(version, evening.club_id), evening=evening.evening
                ),
                currency,
                evening.club_id,
            )
        own = causes.filter(pl.col("currency") == currency)
        if not own.is_empty():
            show_causes(own, players, currency, "evening")
            show_running(seats, players, currency)
            show_lines(version, scope, own, players, currency)
    if closed and not changed and closed.digest != digest:
        st.info(say(N_("Hands were added or changed since the closing; the sums are the same.")))
    if row["hands"]:
        show_downloads(version, row, known)
    else:
        st.info(say(N_("No hand stands in this evening any more; while it is closed its sums count.")))
