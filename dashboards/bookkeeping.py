"""Opening balances, and the closing of an evening: shown and entered."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import streamlit as st

from analyzer.locale import N_
from analyzer.reports.money import parse_amount
from analyzer.store.treasury import NOTE, Books, Closing, Opening, Reopening, may_close, may_open, may_reopen
from dashboards.access import editor
from dashboards.data import Evening
from dashboards.entering import amount_input, enter, refuse, refuse_amount
from dashboards.words import day, language, number, paid, plain, say, signed


def show_openings(known: Books, club: str, currency: str, names: Mapping[str, str]) -> None:
    """What each had to get or to pay before the first stored hand, and a form to enter it."""
    found = {
        player: row for (own, unit, player), row in known.openings.items() if (own, unit) == (club, currency)
    }
    if not found and not editor():
        return
    with st.expander(say(N_("Opening balances: {n}"), n=number(len(found)))):
        st.caption(say(N_("What a player was to get or to pay before the first hand stored here.")))
        for player, (entry, opening) in sorted(found.items(), key=lambda item: names.get(item[0], item[0])):
            about = [day(known.local(club, entry.at)), say(N_("entered by {by}"), by=entry.by), opening.note]
            amount = say(N_("is to get {amount}"), amount=paid(opening.exact, currency))
            if opening.exact < 0:
                amount = say(N_("is to pay {amount}"), amount=paid(-opening.exact, currency))
            told = plain(" · ".join(filter(None, about)))
            st.markdown(f"{plain(names.get(player, player))}: **{amount}** · {told}")
        if rest := sum((opening.exact for _, opening in found.values()), Decimal(0)):
            st.warning(
                say(
                    N_("These do not add up to nothing: {amount} are left over, and stand against the bank."),
                    amount=signed(rest, currency),
                )
            )
        if editor():
            _opening_form(known, club, currency, names)


def _opening_form(known: Books, club: str, currency: str, names: Mapping[str, str]) -> None:
    key = f"opening-{club}-{currency}-{known.seen}"
    ways = {1: say(N_("is to get")), -1: say(N_("is to pay")), 0: say(N_("is even"))}
    with st.form(key, border=False):
        everybody = sorted((player for player in names if player), key=lambda player: names[player])
        st.selectbox(
            say(N_("Player")),
            everybody,
            format_func=names.__getitem__,
            index=None,
            placeholder="",
            key=f"{key}-player",
        )
        st.segmented_control(
            say(N_("Before the first hand")),
            list(ways),
            format_func=ways.__getitem__,
            default=1,
            required=True,
            key=f"{key}-way",
        )
        amount_input(key, currency)
        st.text_input(say(N_("Note")), key=f"{key}-note", max_chars=NOTE)

        def put() -> None:
            player, way = st.session_state.get(f"{key}-player"), st.session_state.get(f"{key}-way")
            typed = str(st.session_state.get(f"{key}-amount") or "")
            amount = parse_amount(typed, language()) if way else Decimal(0)
            if player is None:
                refuse(N_("Choose a player."))
            elif amount is None:
                refuse_amount(typed)
            else:
                note = str(st.session_state.get(f"{key}-note") or "").strip()
                told = format(amount * (way or 0), "f")
                also = [id_ for (of, id_), person in known.persons.items() if (of, person) == (club, player)]
                opening = Opening(
                    club=club,
                    currency=currency,
                    player=player,
                    also=tuple(sorted(also)),
                    amount=told,
                    note=note,
                    seen=known.seen,
                )
                enter("opening_balance", opening, may_open(opening))

        st.form_submit_button(say(N_("Enter the balance")), on_click=put)


def show_closing(known: Books, evening: Evening, closing: Closing) -> None:
    """Whether the evening is closed; to close it (as ``closing``), or to open it again."""
    found = known.closings.get((evening.club_id, evening.evening))
    key = f"{evening.club_id}-{evening.evening}"
    with st.container(horizontal=True, vertical_alignment="center"):
        if found is not None:
            text = say(
                N_("Closed on {day} by {by}."),
                day=day(known.local(evening.club_id, found[0].at)),
                by=found[0].by,
            )
            st.markdown(f":material/lock: {plain(text)}", width="stretch")
            if editor():
                _reopen(evening, key)
        else:
            st.markdown(say(N_("This evening is not closed yet.")), width="stretch")
            if editor():
                st.button(
                    say(N_("Close the evening")),
                    key=f"close-{key}-{known.seen}",
                    icon=":material/lock:",
                    help=say(N_("Its sums then stay as they are, whatever hands come later.")),
                    on_click=enter,
                    args=("evening_closed", closing, may_close(closing)),
                )
    for entry, reopening in known.reopenings:
        if (reopening.club, reopening.evening) == (evening.club_id, evening.evening):
            at = day(known.local(evening.club_id, entry.at))
            told = N_("Opened again on {day} by {by}: {reason}")
            st.caption(plain(say(told, day=at, by=entry.by, reason=reopening.reason)))


def _reopen(evening: Evening, key: str) -> None:
    with st.popover(say(N_("Open it again"))):
        field = f"reopen-{key}"
        st.text_input(say(N_("Why?")), key=field, max_chars=NOTE)

        def open_again() -> None:
            reason = str(st.session_state.get(field, "")).strip()
            if not reason:
                refuse(N_("Say why: a closed evening is opened with a reason only."))
                return
            reopening = Reopening(club=evening.club_id, evening=evening.evening, reason=reason)
            enter("evening_reopened", reopening, may_reopen(reopening))

        st.button(say(N_("Open the evening again")), key=f"{field}-button", on_click=open_again)
