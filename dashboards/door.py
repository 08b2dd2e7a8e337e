"""What stands before the pages: who may see nothing is told why, and what to do."""

from __future__ import annotations

from typing import Final

import streamlit as st

from analyzer.locale import N_
from analyzer.store.roles import address
from dashboards.access import Refused, Visitor, account_name, editor, given_name, login_is_set_up
from dashboards.words import plain, say

WHY: Final = {
    Refused.NO_LOGIN: N_(
        "Others can reach this server, and no login is set up, so it shows nothing. "
        "Start it with: tienlen serve --host ADDRESS --auth FILE.toml"
    ),
    Refused.LOGGED_OUT: N_("These are a club's records. Log in to see them."),
    Refused.EXPIRED: N_("Your login has expired. Log in again to go on where you were."),
    Refused.UNPROVEN: N_(
        "Whoever runs your login does not say that this e-mail address is yours. "
        "Confirm it there, or log in with another account."
    ),
    Refused.STRANGER: N_("You have no access yet. Ask your club's organiser to give it to this address:"),
    Refused.UNREADABLE: N_("Who may see what cannot be read just now. Ask your club's organiser."),
}


def turn_away(refused: Refused) -> None:
    """The page of somebody who may see nothing."""
    st.title("Tiến Lên")
    told = say(WHY[refused])
    if refused is Refused.STRANGER:
        told += f" `{address(st.user.to_dict().get('email'))}`"
    st.info(told, icon=":material/lock:")
    if refused in (Refused.LOGGED_OUT, Refused.EXPIRED):
        st.button(say(N_("Log in")), on_click=st.login, type="primary", icon=":material/login:")
    elif refused is not Refused.NO_LOGIN:
        st.button(say(N_("Log in with another account")), on_click=st.logout, icon=":material/logout:")


def show_visitor(visitor: Visitor) -> None:
    """In the sidebar: as whom the visitor is here, and the way out."""
    if login_is_set_up():
        role = say(N_("organiser")) if visitor.edits else say(N_("viewer"))
        st.sidebar.caption(f"{plain(visitor.name)} · {role}")
        st.sidebar.button(say(N_("Log out")), on_click=st.logout, icon=":material/logout:")


def show_name() -> None:
    """Under which name decisions are entered, for somebody who gave none: the way to give it."""
    if editor() is None or login_is_set_up() or given_name():
        return
    text = N_("What you decide is signed “{name}”. Give your name in the settings.")
    label = plain(say(text, name=account_name()))
    st.page_link("views/settings.py", label=label, icon=":material/badge:")
